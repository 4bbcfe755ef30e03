import { publicUrlOf, type Settings } from "../kernel/settings.ts";

/**
 * Returns the path that the public address begins with: `""`, or `/music` behind a proxy that serves pages there. Every
 * link within the pages stands behind it.
 */
export function pageRootOf(settings: Settings): string {
  return new URL(publicUrlOf(settings)).pathname.replace(/\/+$/, "");
}

/** True when people reach the pages by https, so that cookies may be marked `Secure`. */
export function isHttps(settings: Settings): boolean {
  return publicUrlOf(settings).startsWith("https:");
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
