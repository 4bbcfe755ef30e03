import { DomainError } from "../kernel/errors.ts";
import { isOwnOrigin } from "./front/own-origin.ts";

/** The cookie that the sign-in page sets: HttpOnly, SameSite=Lax. */
export const SESSION_COOKIE = "dubplate_session";
/** Of 32 random bytes in base64url. */
const TOKEN_CHARACTERS = 43;
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/**
 * Returns the session token of a request: the bearer token, or else the cookie (decision 4.52). A browser sends a
 * cookie even when another site caused the request. A request that changes something with a cookie must therefore
 * come from a page of this server: by its `Origin`, and by its `Sec-Fetch-Site` where the browser sends one.
 *
 * @throws DomainError `origin_not_allowed` for a change with a cookie from any other page.
 */
export function sessionTokenOf(request: Request, ownOrigins: ReadonlySet<string>): string | undefined {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  const cookies = request.headers.get("cookie");
  const token = cookies === null ? null : new Bun.CookieMap(cookies).get(SESSION_COOKIE);
  if (!token) return undefined;
  if (SAFE_METHODS.includes(request.method)) return token;
  const site = request.headers.get("sec-fetch-site") ?? "same-origin";
  if (site === "same-origin" && isOwnOrigin(request, ownOrigins)) return token;
  throw new DomainError(
    "origin_not_allowed",
    "A change with a session cookie must come from a page of this server: send the token as Authorization: Bearer",
  );
}

/** True when a request has a session cookie, valid or not. */
export function hasSessionCookie({ headers }: Request): boolean {
  return headers.get("cookie")?.includes(`${SESSION_COOKIE}=`) ?? false;
}

/** Returns a short name for the session cookie of a request, valid or not, to count by. */
export function sessionNameOf({ headers }: Request): string {
  const cookies = headers.get("cookie") ?? "";
  const start = cookies.indexOf(`${SESSION_COOKIE}=`) + SESSION_COOKIE.length + 1;
  return cookies.slice(start, start + TOKEN_CHARACTERS).split(";", 1)[0] ?? "";
}
