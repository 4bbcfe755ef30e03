import { asInnerRequest, asRequest, requestIdOf } from "../../kernel/current-request.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { MINUTE_MS, SECOND_MS } from "../../kernel/time.ts";
import { errorResponse, toDomainError } from "../errors.ts";
import { type RequestState, setState, stateOf } from "../request-state.ts";
import { hasSessionCookie, sessionNameOf } from "../session-token.ts";
import { wantsPage } from "./accept.ts";
import { clientIp, rateLimitKey } from "./client-ip.ts";
import {
  checkOrigin,
  isForEveryOrigin,
  isPreflight,
  preflightResponse,
  setCorsHeaders,
  setCorsHeadersForAll,
} from "./cors.ts";
import { type DeprecationNotice, type FindDeprecation, setDeprecationFields } from "./deprecation.ts";
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimitState,
  rateLimited,
  setRateLimitHeaders,
} from "./rate-limit.ts";

const REQUEST_TIMEOUT_MS = MINUTE_MS;
/** For media, pages and static files: a player's range requests would use up the API limit at once (decision 8.4). */
const MEDIA_RATE_LIMIT = 600;
/** For the console, which asks for rows as fast as a person scrolls: per session, because a studio has one address. */
const CONSOLE_RATE_LIMIT = 1200;
/** For all consoles at one address: a session cookie costs nothing to make up. */
const CONSOLES_RATE_LIMIT = 6000;
/** For music apps: to fetch a library, they ask for every album and cover. */
const PLAYER_RATE_LIMIT = 1200;
/** For files that owners send: a folder of a thousand must not use up the limit of the screens. */
const UPLOAD_RATE_LIMIT = 2400;
const API_VERSION = "1";

/** An answered request, in the form used for usage records. */
export type AnsweredRequest = { request: Request; state: RequestState; status: number; durationMs: number };

export type FrontOptions = {
  /** The routes. */
  handle: (request: Request) => Response | Promise<Response>;
  /** Methods that a path accepts, empty for an unknown path. */
  methodsOf: (path: string) => readonly string[];
  allowedOrigins: ReadonlySet<string>;
  /** Left out: nothing is deprecated. */
  findDeprecation?: FindDeprecation | undefined;
  onAnswer: (answered: AnsweredRequest) => void;
  /** Makes the page that shows a refusal to a person. Left out: every client gets JSON. */
  refusalPage?: (refusal: DomainError) => Promise<Response>;
  /**
   * Makes the answer to a refusal where another protocol is spoken; undefined elsewhere. Left out: there is no such
   * protocol.
   */
  foreignRefusal?: (request: Request, path: string, refusal: DomainError) => Promise<Response> | undefined;
  /** How long a request other than an upload may take; 60 s unless a test says otherwise. */
  timeoutMs?: number;
};

/** The front door: answers a request from the given socket address. Never throws. */
export type Front = (request: Request, peer: string, socket?: Socket) => Response | Promise<Response>;

/** Sets how long a request's connection may be silent, in seconds; 0: no limit. */
type Socket = { timeout: (request: Request, seconds: number) => void };

/**
 * Makes the front door. It checks the rate limit, then the origin, runs the routes with a timeout (decision 0.1),
 * and adds the fields that every answer carries.
 */
export function createFront(deps: Pick<Deps, "now" | "log" | "settings">, options: FrontOptions): Front {
  const { trustedProxies } = deps.settings;
  const limiters = createLimiters(deps);
  const { console, consoles } = limiters;

  const count = (limiter: RateLimiter | undefined, request: Request, ip: string): Counted | undefined => {
    if (limiter !== console) return limiter && { limiter, taken: limiter.take(rateLimitKey(ip)) };
    const own = { limiter, taken: limiter.take(sessionNameOf(request)) };
    if (!own.taken.allowed) return own;
    const all = { limiter: consoles, taken: consoles.take(rateLimitKey(ip)) };
    return all.taken.allowed ? own : all;
  };

  const serve = (request: Request, { peer, socket, requestId, end }: Arrival) => {
    const path = pathOf(request.url);
    const ip = clientIp(peer, request.headers.get("x-forwarded-for"), trustedProxies);
    const state: RequestState = { ip, startedAt: performance.now(), ...keeper(request, socket) };
    setState(request, state);
    const origin = request.headers.get("origin");
    const isForAll = isForEveryOrigin(path);
    const counted = count(limiterOf(request, path, limiters), request, ip);
    const deprecation = options.findDeprecation?.(request.method, path);

    const visit: Visit = { requestId, counted, isForAll, origin, deprecation, options };

    const finish = (response: Response): Response => {
      setCommonHeaders(response.headers, visit);
      const durationMs = Math.round(performance.now() - state.startedAt);
      options.onAnswer({ request, state, status: response.status, durationMs });
      end();
      return response;
    };

    const deliver = (response: Response): Response | Promise<Response> => {
      const { refusal } = state;
      const asked = refusal && options.foreignRefusal?.(request, path, refusal);
      if (asked) return asked.then(finish, () => finish(response));
      if (!refusal || !options.refusalPage) return finish(response);
      const finishEither = (either: Response): Response => {
        either.headers.append("vary", "Accept");
        return finish(either);
      };
      if (!wantsPage(request, path)) return finishEither(response);
      return options.refusalPage(refusal).then(finishEither, () => finishEither(response));
    };

    const fail = (thrown: unknown): Response | Promise<Response> => {
      const refusal = toDomainError(thrown);
      if (refusal.code === "internal_error")
        deps.log("error", "A request failed", { path, error: refusal.cause });
      state.refusal = refusal;
      return deliver(errorResponse(refusal));
    };

    try {
      admit(request, visit);
      if (isPreflight(request)) return finish(preflightResponse(options.methodsOf(path)));
      if (deprecation?.refusal) throw deprecation.refusal;
      const answer = options.handle(request);
      return answer instanceof Promise
        ? withTimeout(answer, state, options.timeoutMs ?? REQUEST_TIMEOUT_MS).then(deliver, fail)
        : deliver(answer);
    } catch (thrown) {
      return fail(thrown);
    }
  };
  return (request, peer, socket) => {
    const requestId = requestIdOf(request.headers.get("x-request-id"));
    return asRequest(requestId, (end) => serve(request, { peer, socket, requestId, end }));
  };
}

/** How a request came, and what to call when it has been answered. */
type Arrival = { peer: string; socket: Socket | undefined; requestId: string; end: () => void };

const keeper = (request: Request, socket: Socket | undefined) =>
  socket ? { keepOpen: () => socket.timeout(request, 0) } : undefined;

/** A request that was counted, and what is left. */
type Counted = { limiter: RateLimiter; taken: RateLimitState };

type Visit = {
  requestId: string;
  counted: Counted | undefined;
  isForAll: boolean;
  origin: string | null;
  deprecation: DeprecationNotice | undefined;
  options: FrontOptions;
};

/** @throws DomainError `rate_limit_exceeded`, `origin_not_allowed`. */
function admit(request: Request, { counted, isForAll, options }: Visit): void {
  if (counted && !counted.taken.allowed) throw rateLimited(counted.taken.resetSec);
  if (!isForAll) checkOrigin(request, options.allowedOrigins);
}

/** Adds the header fields that every answer carries. */
function setCommonHeaders(headers: Headers, visit: Visit): void {
  const { requestId, counted, isForAll, origin, deprecation, options } = visit;
  headers.set("x-request-id", requestId);
  headers.set("x-service-api-version", API_VERSION);
  if (counted) setRateLimitHeaders(headers, counted.limiter, counted.taken);
  if (isForAll) setCorsHeadersForAll(headers);
  else if (origin !== null && options.allowedOrigins.has(origin)) setCorsHeaders(headers, origin);
  if (deprecation) setDeprecationFields(headers, deprecation);
}

type Limiters = Record<
  "api" | "media" | "tools" | "console" | "consoles" | "uploads" | "players",
  RateLimiter
>;

function createLimiters({ now, settings: { rateLimit } }: Pick<Deps, "now" | "settings">): Limiters {
  const limited = (limit: number) => createRateLimiter(rateLimit === 0 ? 0 : limit, now);
  return {
    api: limited(rateLimit),
    media: limited(MEDIA_RATE_LIMIT),
    tools: limited(rateLimit),
    console: limited(CONSOLE_RATE_LIMIT),
    consoles: limited(CONSOLES_RATE_LIMIT),
    uploads: limited(UPLOAD_RATE_LIMIT),
    players: limited(PLAYER_RATE_LIMIT),
  };
}

/**
 * `/health` is not counted. The API, its documents and key management share one limit (decisions 8.2, 8.4); the
 * tool server has its own (8.3), and so have music apps. So have the console and its uploads: a made-up cookie wins nothing there but refusals.
 */
function limiterOf(
  request: Request,
  path: string,
  { api, media, tools, console, uploads, players }: Limiters,
): RateLimiter | undefined {
  if (path === "/health") return undefined;
  if (path === "/mcp" || path === "/tools") return tools;
  if (path.startsWith("/rest/")) return players;
  if (path.startsWith("/app/")) {
    if (!hasSessionCookie(request)) return api;
    return path.startsWith("/app/uploads") ? uploads : console;
  }
  // A key with pieces of files, or a worker's; each request is authenticated before anything else.
  if (/^\/api\/v1\/(uploads|platform\/work)(\/|$)/.test(path)) return uploads;
  return /^\/(media|swagger|playlist|track|submit|assets|artwork|library)(\/|$)/.test(path) ? media : api;
}

/**
 * Makes the door for requests that the program makes itself on behalf of a caller whose request it already
 * admitted. They are not counted again, but have the same timeout and usage record as a request from outside.
 */
export function createInnerDoor({
  handle,
  onAnswer,
  timeoutMs = REQUEST_TIMEOUT_MS,
}: Pick<FrontOptions, "handle" | "onAnswer" | "timeoutMs">): (request: Request) => Promise<Response> {
  return (request) =>
    asInnerRequest(async () => {
      const state = stateOf(request);
      const answer = handle(request);
      const response = answer instanceof Promise ? await withTimeout(answer, state, timeoutMs) : answer;
      const durationMs = Math.round(performance.now() - state.startedAt);
      onAnswer({ request, state, status: response.status, durationMs });
      return response;
    });
}

/** Answers 503 when `answer` takes too long, and aborts its work. Uploads may take as long as they need. */
function withTimeout(answer: Promise<Response>, state: RequestState, timeoutMs: number): Promise<Response> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (state.hasNoTimeout) return;
      state.timeout?.abort(new Error("The request took too long"));
      state.refusal = timedOut();
      resolve(errorResponse(state.refusal));
    }, timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function timedOut(): DomainError {
  return new DomainError(
    "request_timeout",
    `The request took longer than ${REQUEST_TIMEOUT_MS / SECOND_MS} s`,
    {
      headers: { "retry-after": "10" },
    },
  );
}

/** Returns the path of an absolute URL without parsing all of it: this runs for every request. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start === -1) return "/";
  const query = url.indexOf("?", start);
  return query === -1 ? url.slice(start) : url.slice(start, query);
}
