import { hostOf } from "../http/front/own-origin.ts";
import { publicUrlOf, type Settings } from "../kernel/settings.ts";

/**
 * Returns the path of the public address: `""`, or `/music` behind a proxy that serves the pages there. Every link
 * on the pages begins with it.
 */
export function pageRootOf(settings: Settings): string {
  return new URL(publicUrlOf(settings)).pathname.replace(/\/+$/, "");
}

/**
 * True when the browser uses https, and cookies may be marked `Secure`. A form's Origin decides; without one,
 * `PUBLIC_URL` does, for requests to its host. A browser that opens the server by its name in the local network
 * uses http, and would drop a secure cookie.
 */
export function isHttps(settings: Settings, request: Request): boolean {
  const origin = request.headers.get("origin") ?? "";
  if (/^https?:/.test(origin)) return origin.startsWith("https:");
  const { protocol, host } = new URL(publicUrlOf(settings));
  return protocol === "https:" && host === hostOf(request);
}

/**
 * Returns where to go after signing in: the requested path on this server, or `fallback` for anything that a
 * browser would read as an address elsewhere.
 */
export function safePath(next: string | null | undefined, fallback: string): string {
  const base = "http://dubplate.internal";
  if (!next?.startsWith("/") || !URL.canParse(next, base)) return fallback;
  // Parsed the way a browser does: it drops tabs, reads a backslash as a slash, and turns `/.//elsewhere` into
  // `//elsewhere`.
  const { origin, pathname, search, hash } = new URL(next, base);
  return origin === base && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : fallback;
}
