import { DomainError } from "../kernel/errors.ts";
import { isOwnOrigin } from "./own-origin.ts";

/** The cookie that the sign-in page sets: HttpOnly, SameSite=Lax. */
export const SESSION_COOKIE = "dubplate_session";
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/**
 * Returns the session token of a request: the bearer token, else the cookie's (decision 4.52). A browser sends a cookie
 * on its own, also when another site made it ask, so a request that changes something must then come from a page of this
 * server.
 *
 * @throws DomainError `origin_not_allowed` for a change that a cookie alone would allow.
 */
export function sessionTokenOf(request: Request, ownOrigins: ReadonlySet<string>): string | undefined {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  const cookies = request.headers.get("cookie");
  const token = cookies === null ? null : new Bun.CookieMap(cookies).get(SESSION_COOKIE);
  if (!token) return undefined;
  if (SAFE_METHODS.includes(request.method) || isOwnOrigin(request, ownOrigins)) return token;
  throw new DomainError(
    "origin_not_allowed",
    "A change with a session cookie must come from a page of this server",
  );
}
