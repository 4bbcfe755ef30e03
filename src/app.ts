import { Elysia } from "elysia";
import { createFront, type Front } from "./http/front.ts";
import { guards } from "./http/guards.ts";
import { type DocumentedRoute, openApiDocument } from "./http/openapi.ts";
import { createRouter, routeTable } from "./http/routes.ts";
import type { Deps } from "./kernel/deps.ts";
import { apiRootOf, listenAddress, publicUrlOf } from "./kernel/settings.ts";
import { authRoutes } from "./modules/accounts/routes.ts";
import { authenticateSession } from "./modules/accounts/service.ts";
import { authenticateKey } from "./modules/keys/authenticate.ts";
import { keyRoutes } from "./modules/keys/routes.ts";
import { createUsageRecorder, type UsageRecorder } from "./modules/keys/usage.ts";
import { searchRoutes } from "./modules/search/routes.ts";
import { healthRoutes, versionRoutes } from "./modules/service/routes.ts";
import { documentRoutes } from "./modules/service/swagger.ts";
import { tagRoutes } from "./modules/tags/routes.ts";
import { trackRoutes } from "./modules/tracks/routes.ts";
import { uploadRoutes } from "./modules/tracks/upload-routes.ts";
import { mediaRoutes, versionsRoutes } from "./modules/versions/routes.ts";

/** The service as one function from request to answer, and what its owner must flush. */
export type App = {
  /** The front door, for requests from outside. */
  front: Front;
  usage: UsageRecorder;
  /** Every route with what it says of itself. */
  routes: readonly DocumentedRoute[];
};

/** Mounts every route. `setupCode` is good while nobody has an account. Never listens. */
export function createApp(deps: Deps, { setupCode }: { setupCode?: string } = {}): App {
  const usage = createUsageRecorder(deps);
  const guard = guards(deps, {
    key: (request, scope) =>
      authenticateKey(deps, request.headers.get("x-api-key"), scope, request.headers.get("x-act-as-user")),
    session: (request) => authenticateSession(deps, request.headers.get("authorization")),
  });

  const api = new Elysia({ prefix: "/api/v1" })
    .use(versionRoutes(deps, guard))
    .use(uploadRoutes(deps, guard))
    .use(trackRoutes(deps, guard))
    .use(versionsRoutes(deps, guard))
    .use(searchRoutes(deps, guard))
    .use(tagRoutes(deps, guard));

  let documentText: string | undefined;
  const router = createRouter(deps.log, () => table)
    .use(healthRoutes())
    .use(api)
    .use(authRoutes(deps, guard, setupCode))
    .use(keyRoutes(deps, guard, usage))
    .use(mediaRoutes(deps))
    .use(
      documentRoutes(
        () => (documentText ??= JSON.stringify(openApiDocument(routes, apiRootOf(deps.settings)))),
      ),
    );
  const routes = router.routes as unknown as readonly DocumentedRoute[];
  const table = routeTable(routes);

  const front = createFront(deps, {
    handle: router.fetch,
    methodsOf: table.methodsOf,
    allowedOrigins: new Set([...ownOrigins(deps), ...deps.settings.corsOrigins]),
    onAnswer: ({ request, state, status, durationMs }) => {
      if (state.sessionActor) usage.recordSession(state.sessionActor.sessionId);
      if (!state.keyActor) return;
      const route = routeTemplate(state.route ?? "");
      usage.recordKey({ ...state.keyActor, route, method: request.method, status, durationMs, ip: state.ip });
    },
  });
  return { front, usage, routes };
}

function ownOrigins({ settings }: Pick<Deps, "settings">): string[] {
  return [listenAddress(settings), apiRootOf(settings), publicUrlOf(settings)].map(
    (url) => new URL(url).origin,
  );
}

const templates = new Map<string, string>();

/** Returns a route as usage records name it: relative to the API's base, parameters in braces (decision 2.22). */
function routeTemplate(route: string): string {
  const known = templates.get(route);
  if (known !== undefined) return known;
  const template = route.replace(/^\/api\/v1/, "").replace(/:(\w+)/g, "{$1}");
  templates.set(route, template);
  return template;
}
