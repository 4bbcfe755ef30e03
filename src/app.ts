import { failureAnswer } from "./http/failure.ts";
import {
  announced,
  DEPRECATIONS,
  type Deprecations,
  deprecationFinder,
  servedMethods,
} from "./http/front/deprecation.ts";
import { type AnsweredRequest, createFront, createInnerDoor, type Front } from "./http/front/front.ts";
import { isGuest } from "./http/guests.ts";
import { laterRoutes } from "./http/later-routes.ts";
import { libraryNamedBy } from "./http/library-choice.ts";
import { type Authenticate, mount } from "./http/mount.ts";
import type { DocumentedRoute } from "./http/openapi.ts";
import { stateOf } from "./http/request-state.ts";
import { methodFinder, routeTemplate } from "./http/route-table.ts";
import { restPathOf, sessionDoor } from "./http/session-door.ts";
import { sessionTokenOf } from "./http/session-token.ts";
import type { PersonActor, SessionActor } from "./kernel/actor.ts";
import { conditionOf } from "./kernel/condition.ts";
import type { Deps } from "./kernel/deps.ts";
import { DomainError } from "./kernel/errors.ts";
import { apiRootOf, listenAddress, mcpBaseOf, publicUrlOf } from "./kernel/settings.ts";
import { createTurns } from "./kernel/turns.ts";
import { programName } from "./library.ts";
import { createDispatch } from "./mcp/calls/dispatch.ts";
import { callable } from "./mcp/calls/operations.ts";
import type { McpVariant, ToolServer } from "./mcp/mount.ts";
import { toolServerRoutes } from "./mcp/routes.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import { operationsOf, routesOf } from "./modules/index.ts";
import type { Parts } from "./modules/module.ts";
import { createRails } from "./modules/outward/assistant/service.ts";
import { createLive, type Live, type LiveTiming } from "./modules/outward/live/service.ts";
import { moveWebhook } from "./modules/outward/webhooks/service.ts";
import { findOperator, type SetupCode } from "./modules/people/accounts/service.ts";
import { brandOf } from "./modules/people/brand/service.ts";
import { admitPrincipal, authenticateKey } from "./modules/people/keys/authenticate.ts";
import { createUsageRecorder, type UsageRecorder } from "./modules/people/keys/usage.ts";
import {
  authenticateSession,
  createAccountLimits,
  identifyVisitor,
} from "./modules/people/people/service.ts";
import { inRooms } from "./modules/people/rooms/service.ts";
import { createPlayerUses } from "./modules/pocket/players/service.ts";
import { expectSearches } from "./modules/search/search/service.ts";
import { type Counting, createCounting } from "./modules/sharing/shares/counting/counting.ts";
import { assetRoutes } from "./pages/asset-routes.ts";
import { OURS, type PageBrand, pageBrand } from "./pages/brand.ts";
import { pageRootOf } from "./pages/paths.ts";
import type { Visitors } from "./pages/visitor.ts";
import { loadToolServer } from "./tool-server.ts";

/** The service as one function from request to answer, and the data that its owner must flush. */
export type App = {
  /** The front door, for requests from outside. */
  front: Front;
  usage: UsageRecorder;
  counting: Counting;
  /** The open streams of events, which must end before the server stops. */
  live: Live;
  /** Every route with its documentation. */
  routes: readonly DocumentedRoute[];
  /** Returns the tool server. It is loaded at first use, because the protocol's package is large. */
  toolServer: () => Promise<ToolServer>;
};

/** What a server or a test gives to the service; everything has a default. */
type AppOptions = {
  /** Returns the code of the first account. */
  setupCode?: SetupCode;
  deprecations?: Deprecations;
  mcp?: McpVariant;
  liveTiming?: LiveTiming;
  /** Returns how many requests there are whose answer has not been sent to its end. */
  pending?: () => number;
};

/**
 * Mounts every route. Never listens.
 *
 * @throws Error when `deprecations` break their own rules.
 */
export function createApp(
  deps: Deps,
  { setupCode = () => undefined, deprecations = DEPRECATIONS, mcp, liveTiming, pending }: AppOptions = {},
): App {
  const rails = createRails(deps);
  const playerUses = createPlayerUses(deps);
  const usage = flushingToo(createUsageRecorder(deps), rails.flush, playerUses.flush);
  const counting = createCounting(deps);
  const live = createLive(deps, liveTiming);
  const metrics = createMetrics(deps, { pending, eventStreams: live.count });
  const own = ownOrigins(deps);
  const authenticate = authentication(deps, own);

  const visitors: Visitors = {
    ownOrigins: own,
    personOf: (request) => findVisitor(deps, sessionTokenOf(request, own), libraryNamedBy(request)),
    memberOf: (request, library) => {
      const person = findVisitor(deps, sessionTokenOf(request, own), library);
      return person && "memberId" in person && !isGuest(person) ? person : undefined;
    },
  };
  const onAnswer = (answered: AnsweredRequest) => noteAnswer(deps, usage, answered);
  const handle = (request: Request): Response | Promise<Response> => router.handle(request);
  const parts: Parts = {
    turns: createTurns(),
    visitors,
    limits: createAccountLimits(deps.now),
    setupCode,
    usage,
    playerUses,
    onRotated: moveWebhook,
    rails,
    live,
    counting,
    deprecations,
    program: programName(deps),
    backups: () => backupTimes(deps),
    documentText: (isForGenerator) => documentText(deps, routes, isForGenerator),
  };
  const operations = operationsOf(deps, parts);
  const called = callable(operations);
  const dispatch = createDispatch(createInnerDoor({ handle, onAnswer }), called);
  const toolServer = once(() => loadToolServer(deps, { dispatch, operations: called, rails, variant: mcp }));
  const router = mount(deps, authenticate, {
    operations,
    routes: [
      ...toolServerRoutes(async (request) => (await toolServer()).serve(request), called),
      ...routesOf(deps, parts),
      ...sessionDoor(authenticate.session, handle),
      ...consoleRoutes(deps, visitors, handle),
      ...assetRoutes,
      ...metricsRoutes(deps, metrics),
    ],
    onFailure: failureAnswer(deps.log, (path) => methodsOf(path)),
  });
  const { routes, methodsOf, findDeprecation } = announcedRoutes(deps, router.mounted, deprecations);

  const front = createFront(deps, {
    handle: router.handle,
    methodsOf: (path) => methodsOf(restPathOf(path)),
    allowedOrigins: new Set([...own, ...deps.settings.corsOrigins]),
    findDeprecation,
    onAnswer,
    foreignRefusal: playersRefusal,
    refusalPage: async (refusal) => {
      const { refusalResponse } = await import("./pages/message.tsx");
      return refusalResponse(pageRootOf(deps.settings), refusal, serverBrand(deps));
    },
  });
  const door = metrics ? metrics.countedDoor(front, routes) : front;
  return { front: door, usage, counting, live, routes, toolServer };
}

/** Returns the routes with the deprecated ones marked, and the look-ups made from them. */
function announcedRoutes(
  { now, settings }: Pick<Deps, "now" | "settings">,
  mounted: readonly DocumentedRoute[],
  deprecations: Deprecations,
) {
  const routes = announced(mounted, deprecations);
  const findDeprecation = deprecationFinder(deprecations, { now, routes, apiRoot: apiRootOf(settings) });
  return { routes, methodsOf: servedMethods(methodFinder(routes), findDeprecation), findDeprecation };
}

/** The console's document is loaded with the first request for it. */
const consoleRoutes = (
  deps: Deps,
  visitors: Visitors,
  handle: (request: Request) => Response | Promise<Response>,
) =>
  laterRoutes(
    [
      "GET /library",
      "GET /library/*",
      "GET /manifest.webmanifest",
      "GET /icons/:name",
      "GET /library/sw.js",
      "GET /library/offline",
      "POST /library/share",
    ],
    async () => (await import("./console/routes.tsx")).consoleRoutes(deps, visitors, handle),
  );

/** What writes the document is loaded with its first use. */
async function documentText(
  { settings }: Pick<Deps, "settings">,
  routes: readonly DocumentedRoute[],
  isForGenerator: boolean,
): Promise<string> {
  const { openApiDocument } = await import("./http/document/document.ts");
  const { forOpenApiGenerator } = await import("./http/document/for-generator.ts");
  const document = openApiDocument(routes, apiRootOf(settings));
  return JSON.stringify(isForGenerator ? forOpenApiGenerator(document) : document);
}

/** Music apps read no JSON of ours. That there is nothing at an address is said as everywhere. */
function playersRefusal(request: Request, path: string, refusal: DomainError): Promise<Response> | undefined {
  if (!path.startsWith("/rest/") || ["not_found", "method_not_allowed"].includes(refusal.code))
    return undefined;
  return import("./modules/pocket/door/rest-routes.ts").then((door) => door.doorRefusal(request, refusal));
}

/** The code of backups is loaded with its first use. */
async function backupTimes({ settings }: Pick<Deps, "settings">) {
  const { readBackupState } = await import("./backup/state.ts");
  return readBackupState(settings);
}

/** What pages that belong to no account show in place of our name: the operator's brand. */
function serverBrand(deps: Deps): PageBrand {
  const operator = findOperator(deps);
  return operator ? pageBrand(pageRootOf(deps.settings), brandOf(deps, operator.id)) : OURS;
}

/** Returns the recorder; what else is noted is written when it writes. */
function flushingToo(usage: UsageRecorder, ...others: (() => void)[]): UsageRecorder {
  return {
    ...usage,
    flush: () => {
      for (const flush of others) flush();
      usage.flush();
    },
  };
}

/** Who requests come from: by the principal of the program's own requests, by API key, or by session. */
function authentication(deps: Deps, own: ReadonlySet<string>): Authenticate {
  return {
    key: (request, scope) => {
      const { principal } = stateOf(request);
      if (principal) return admitPrincipal(principal, scope);
      const { headers } = request;
      return authenticateKey(deps, headers.get("x-api-key"), scope, headers.get("x-act-as-user"));
    },
    session: (request) => authenticateSession(deps, sessionTokenOf(request, own), libraryNamedBy(request)),
    further: (request, scope) => {
      const { principal } = stateOf(request);
      if (principal) admitPrincipal(principal, scope);
      else authenticateKey(deps, request.headers.get("x-api-key"), scope, null);
    },
    inRooms: (guest, named) => inRooms(deps, guest, named),
  };
}

/** Returns a function that calls `make` at most once, when its result is first needed. */
function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Notes what an answer says of the database. A request with a key or a grant goes into the records of use, whichever door
 * it came by (decision 4.38).
 */
function noteAnswer(
  { db }: Pick<Deps, "db">,
  usage: UsageRecorder,
  { request, state, status, durationMs }: AnsweredRequest,
): void {
  if (state.refusal?.cause !== undefined) conditionOf(db).report(state.refusal.cause);
  if (state.sessionActor) usage.recordSession(state.sessionActor);
  // Programs with a key mostly do not search: loading beside their requests would only slow them.
  const here = state.sessionActor;
  if (here && "accountId" in here && here.accountId !== null && !state.isPoll)
    expectSearches(db, here.accountId);
  if (!state.keyActor || state.sessionActor || state.isPoll) return;
  const route = routeTemplate(state.route ?? "");
  const { keyId, accountId } = state.keyActor;
  usage.recordKey({ keyId, accountId, route, method: request.method, status, durationMs, ip: state.ip });
}

/** Returns who a page's visitor is; a public page does not require a session. */
function findVisitor(
  deps: Deps,
  token: string | undefined,
  library: string | null,
): PersonActor | SessionActor | undefined {
  try {
    return token === undefined ? undefined : identifyVisitor(deps, token, library);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

function ownOrigins({ settings }: Pick<Deps, "settings">): ReadonlySet<string> {
  const roots = [listenAddress(settings), apiRootOf(settings), publicUrlOf(settings), mcpBaseOf(settings)];
  const origins = roots.map((url) => new URL(url).origin);
  // People on this machine may type either name.
  return new Set([...origins, ...origins.map((origin) => origin.replace("//127.0.0.1", "//localhost"))]);
}
