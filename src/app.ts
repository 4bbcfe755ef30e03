import { Elysia } from "elysia";
import {
  announced,
  DEPRECATIONS,
  type Deprecations,
  deprecationFinder,
  servedMethods,
} from "./http/deprecation.ts";
import { createFront, type Front } from "./http/front.ts";
import { type Guards, guards } from "./http/guards.ts";
import { type DocumentedRoute, openApiDocument } from "./http/openapi.ts";
import { createRouter, routeTable } from "./http/routes.ts";
import { sessionTokenOf } from "./http/session-token.ts";
import type { Deps } from "./kernel/deps.ts";
import { apiRootOf, listenAddress, publicUrlOf } from "./kernel/settings.ts";
import { authRoutes } from "./modules/accounts/routes.ts";
import { authenticateSession } from "./modules/accounts/service.ts";
import { autoTagRoutes } from "./modules/analysis/routes.ts";
import { analyticsRoutes } from "./modules/analytics/routes.ts";
import { artworkRoutes } from "./modules/artwork/routes.ts";
import { appBriefRoutes } from "./modules/briefs/app-routes.ts";
import { briefRoutes } from "./modules/briefs/routes.ts";
import { commentRoutes } from "./modules/comments/routes.ts";
import { composerRoutes } from "./modules/composers/routes.ts";
import { shareholderRoutes } from "./modules/composers/shareholder-routes.ts";
import { historyRoutes } from "./modules/history/routes.ts";
import { authenticateKey } from "./modules/keys/authenticate.ts";
import { keyRoutes } from "./modules/keys/routes.ts";
import { createUsageRecorder, type UsageRecorder } from "./modules/keys/usage.ts";
import { notificationRoutes } from "./modules/notifications/routes.ts";
import { platformRoutes } from "./modules/platform/routes.ts";
import { playlistRoutes } from "./modules/playlists/routes.ts";
import { saveRoutes } from "./modules/saves/routes.ts";
import { searchRoutes } from "./modules/search/routes.ts";
import { healthRoutes, versionRoutes } from "./modules/service/routes.ts";
import { documentRoutes } from "./modules/service/swagger.ts";
import { shareRoutes } from "./modules/shares/routes.ts";
import { tagRoutes } from "./modules/tags/routes.ts";
import { detailsRoutes } from "./modules/tracks/details-routes.ts";
import { trackRoutes } from "./modules/tracks/routes.ts";
import { uploadRoutes } from "./modules/tracks/upload-routes.ts";
import { urlUploadRoutes } from "./modules/tracks/upload-url-routes.ts";
import { mediaRoutes, versionsRoutes } from "./modules/versions/routes.ts";
import { versionUploadRoutes } from "./modules/versions/upload-routes.ts";

/** The service as one function from request to answer, and what its owner must flush. */
export type App = {
  /** The front door, for requests from outside. */
  front: Front;
  usage: UsageRecorder;
  /** Every route with what it says of itself. */
  routes: readonly DocumentedRoute[];
};

/**
 * Mounts every route. `setupCode` is good while nobody has an account. Never listens.
 *
 * @throws Error when `deprecations` break their own rules.
 */
export function createApp(
  deps: Deps,
  { setupCode, deprecations = DEPRECATIONS }: { setupCode?: string; deprecations?: Deprecations } = {},
): App {
  const usage = createUsageRecorder(deps);
  const own = ownOrigins(deps);
  const guard = guards(deps, {
    key: (request, scope) =>
      authenticateKey(deps, request.headers.get("x-api-key"), scope, request.headers.get("x-act-as-user")),
    session: (request) => authenticateSession(deps, sessionTokenOf(request, own)),
  });

  let documentText: string | undefined;
  const router = createRouter(deps.log, () => table)
    .use(healthRoutes())
    .use(apiRoutes(deps, guard, deprecations))
    .use(authRoutes(deps, guard, setupCode))
    .use(keyRoutes(deps, guard, usage))
    .use(appBriefRoutes(deps, guard))
    .use(commentRoutes(deps, guard))
    .use(saveRoutes(deps, guard))
    .use(notificationRoutes(deps, guard))
    .use(historyRoutes(deps, guard))
    .use(shareRoutes(deps, guard))
    .use(mediaRoutes(deps))
    .use(artworkRoutes(deps))
    .use(
      documentRoutes(
        () => (documentText ??= JSON.stringify(openApiDocument(routes, apiRootOf(deps.settings)))),
      ),
    );
  const documented = router.routes as unknown as readonly DocumentedRoute[];
  const routes: readonly DocumentedRoute[] = announced(documented, deprecations);
  const mounted = routeTable(routes);
  const findDeprecation = deprecationFinder(deprecations, {
    now: deps.now,
    routes,
    apiRoot: apiRootOf(deps.settings),
  });
  const table = { ...mounted, methodsOf: servedMethods(mounted.methodsOf, findDeprecation) };

  const front = createFront(deps, {
    handle: router.fetch,
    methodsOf: table.methodsOf,
    allowedOrigins: new Set([...own, ...deps.settings.corsOrigins]),
    findDeprecation,
    onAnswer: ({ request, state, status, durationMs }) => {
      if (state.sessionActor) usage.recordSession(state.sessionActor.sessionId);
      if (!state.keyActor) return;
      const route = routeTemplate(state.route ?? "");
      usage.recordKey({ ...state.keyActor, route, method: request.method, status, durationMs, ip: state.ip });
    },
  });
  return { front, usage, routes };
}

/** Everything under `/api/v1`. */
function apiRoutes(deps: Deps, guard: Guards, deprecations: Deprecations) {
  return new Elysia({ prefix: "/api/v1" })
    .use(versionRoutes(deps, guard, deprecations))
    .use(uploadRoutes(deps, guard))
    .use(urlUploadRoutes(deps, guard))
    .use(detailsRoutes(deps, guard))
    .use(trackRoutes(deps, guard))
    .use(versionsRoutes(deps, guard))
    .use(versionUploadRoutes(deps, guard))
    .use(searchRoutes(deps, guard))
    .use(playlistRoutes(deps, guard))
    .use(composerRoutes(deps, guard))
    .use(shareholderRoutes(deps, guard))
    .use(briefRoutes(deps, guard))
    .use(analyticsRoutes(deps, guard))
    .use(platformRoutes(deps, guard))
    .use(autoTagRoutes(deps, guard))
    .use(tagRoutes(deps, guard));
}

function ownOrigins({ settings }: Pick<Deps, "settings">): ReadonlySet<string> {
  const roots = [listenAddress(settings), apiRootOf(settings), publicUrlOf(settings)];
  return new Set(roots.map((url) => new URL(url).origin));
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
