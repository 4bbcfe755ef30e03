import { hostOf } from "../http/own-origin.ts";
import { publicUrlOf, type Settings } from "../kernel/settings.ts";

/**
 * Returns the path that the public address begins with: `""`, or `/music` behind a proxy that serves pages there. Every
 * link within the pages stands behind it.
 */
export function pageRootOf(settings: Settings): string {
  return new URL(publicUrlOf(settings)).pathname.replace(/\/+$/, "");
}

/**
 * True when the browser asks by https, so that its cookies may be marked `Secure`. A form's Origin says so; otherwise
 * `PUBLIC_URL` does, for requests to its host: a browser that opens the server by its name in the local network asks by
 * http, and would drop the cookie.
 */
export function isHttps(settings: Settings, request: Request): boolean {
  const origin = request.headers.get("origin") ?? "";
  if (/^https?:/.test(origin)) return origin.startsWith("https:");
  const { protocol, host } = new URL(publicUrlOf(settings));
  return protocol === "https:" && host === hostOf(request);
}

/**
 * Returns where to go after signing in: a path of this server as it was asked for, or `fallback` for anything that a
 * browser would take for an address elsewhere.
 */
export function safePath(next: string | null | undefined, fallback: string): string {
  const base = "http://dubplate.internal";
  if (!next?.startsWith("/") || !URL.canParse(next, base)) return fallback;
  // Read as a browser reads it: it drops tabs, takes a backslash for a slash, and makes `//elsewhere` of `/.//elsewhere`.
  const { origin, pathname, search, hash } = new URL(next, base);
  return origin === base && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : fallback;
}
