import { SESSION_COOKIE } from "../http/session-token.ts";
import type { Settings } from "../kernel/settings.ts";
import { isHttps, pageRootOf } from "./paths.ts";
import { cookie } from "./respond.ts";

/** Returns the `Set-Cookie` value that signs a browser in; with an age of 0, out. */
export function sessionCookie(
  settings: Settings,
  request: Request,
  token: string,
  maxAgeSec: number,
): string {
  const path = `${pageRootOf(settings)}/`;
  return cookie(SESSION_COOKIE, token, { path, isSecure: isHttps(settings, request), maxAgeSec });
}
