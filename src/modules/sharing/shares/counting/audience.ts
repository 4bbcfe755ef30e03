import { isbot } from "isbot";
import type { LeftOut } from "../../../library/analytics/service.ts";

/**
 * Clients that the maintained list does not know or counts as browsers: Office programs that check a link before
 * opening it, previews of a mail program, gateways that check links in mails, and HTTP libraries of phone apps.
 */
const OTHER_MACHINES = [
  /ms-?office|microsoft office|outlook|thunderbird\//i,
  /forti(guard|mail)|mimecast|proofpoint|barracuda|safelinks|urldefense|symantec|sophos|trend ?micro|ironport/i,
  /\bCFNetwork\/|\bdart\/|^dalvik\//i,
];

/** True for a user agent that does not act for a person: crawlers, link previews, mail scanners, programs. */
export function isMachineName(userAgent: string | null): boolean {
  const name = userAgent ?? "bot";
  return isbot(name) || OTHER_MACHINES.some((pattern) => pattern.test(name));
}

/**
 * True for a request that is not a person's visit: a bot by name, a HEAD request, or a page requested by a script
 * or frame, which people do not see.
 */
export function isMachine(request: Request): boolean {
  return reasonOf(request) !== undefined;
}

/** Returns why a request for a page is not a visit; undefined if it may be a person's. */
export function reasonOf({ method, headers }: Request): LeftOut | undefined {
  if (method === "HEAD") return "head";
  if (isMachineName(headers.get("user-agent"))) return "machine";
  // Every current browser states the purpose of a request; our pages may not be framed.
  const destination = headers.get("sec-fetch-dest");
  return destination !== null && destination !== "document" ? "machine" : undefined;
}

/** True when a browser fetches a page before its visitor opens it. */
export function isPrefetch({ headers }: Request): boolean {
  const names = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
  return /prefetch|prerender|preview/i.test(names.map((name) => headers.get(name)).join(" "));
}

/**
 * True for browsers based on WebKit, and for their media players. They need files with a Content-Length, which a
 * metered body cannot have.
 */
export function isWebKit({ headers }: Request): boolean {
  const name = headers.get("user-agent") ?? "";
  return /AppleCoreMedia|AppleWebKit/.test(name) && !/Chrome\/|Chromium\//.test(name);
}
