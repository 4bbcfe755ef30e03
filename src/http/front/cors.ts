import { DomainError } from "../../kernel/errors.ts";
import { isOwnOrigin } from "./own-origin.ts";

const ALLOWED_HEADERS =
  "Content-Type, X-API-Key, Authorization, Idempotency-Key, If-None-Match, X-Act-As-User, " +
  "MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-MCP-Tools, X-MCP-Readonly, X-Request-Id";
const EXPOSED_HEADERS =
  "ETag, Retry-After, RateLimit, RateLimit-Policy, X-Service-Api-Version, X-Service-Credits-Remaining, " +
  "Idempotency-Replayed, Deprecation, Sunset, Link, Content-Disposition, Accept-Ranges, Content-Range, " +
  "WWW-Authenticate, X-Request-Id";

/**
 * Refuses a browser's request from an origin that is neither on the list nor the requested host. Requests without
 * an Origin do not come from a browser and are accepted.
 *
 * @throws DomainError `origin_not_allowed`, also for preflights (decision 5.8).
 */
export function checkOrigin(request: Request, allowed: ReadonlySet<string>): void {
  const origin = request.headers.get("origin");
  if (origin === null || isOwnOrigin(request, allowed)) return;
  const from = URL.parse(origin)?.origin === origin ? origin : "an unknown address";
  throw new DomainError(
    "origin_not_allowed",
    `This came from a page of ${from}, which is not a known address of this server. ` +
      "If people open the server there, its operator must set PUBLIC_URL to that address and restart it",
  );
}

/** Puts the CORS fields on an answer to an allowed origin. Credentials are never allowed. */
export function setCorsHeaders(headers: Headers, origin: string): void {
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-expose-headers", EXPOSED_HEADERS);
  headers.append("vary", "Origin");
}

const FOR_EVERY_ORIGIN = /^\/(health$|tools$|rest\/|\.well-known\/|oauth\/(token|register)$|mail\/stop\/)/;

/**
 * True for addresses that a page of any origin may use: they ignore cookies and reveal no secrets (decision 5.8). Among them are
 * music apps on the web, and the one press of a mail program on the web.
 */
export function isForEveryOrigin(path: string): boolean {
  return FOR_EVERY_ORIGIN.test(path);
}

/**
 * Puts the CORS fields of {@link isForEveryOrigin} on an answer, also for clients that are not browsers: caches
 * keep one answer for both.
 */
export function setCorsHeadersForAll(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", EXPOSED_HEADERS);
}

/** True for a CORS preflight, which is answered without a key. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

/** The answer to an allowed preflight. */
export function preflightResponse(methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": "600",
    },
  });
}
