import { isbot } from "isbot";
import type { LeftOut } from "../../analytics/service.ts";

/**
 * What the maintained list does not know, or takes for a browser: Office programs that look at a link before they open
 * it, a mail program's previews, gateways that look at links in mails, and the libraries that telephones' apps ask with.
 */
const OTHER_MACHINES = [
  /ms-?office|microsoft office|outlook|thunderbird\//i,
  /forti(guard|mail)|mimecast|proofpoint|barracuda|safelinks|urldefense|symantec|sophos|trend ?micro|ironport/i,
  /\bCFNetwork\/|\bdart\/|^dalvik\//i,
];

/** True for what asks on nobody's behalf, by its own name: crawlers, link previews, mail scanners, programs. */
export function isMachineName(userAgent: string | null): boolean {
  const name = userAgent ?? "bot";
  return isbot(name) || OTHER_MACHINES.some((pattern) => pattern.test(name));
}

/**
 * True for what is no visit of a person: a machine by name, a request for the header alone, or a page that a script or a
 * frame asked for and nobody sees.
 */
export function isMachine(request: Request): boolean {
  return reasonOf(request) !== undefined;
}

/** Returns why a request for a page is nobody's visit; undefined: it may be a person's. */
export function reasonOf({ method, headers }: Request): LeftOut | undefined {
  if (method === "HEAD") return "head";
  if (isMachineName(headers.get("user-agent"))) return "machine";
  // Every current browser says what a page is for; no page of ours may be framed.
  const destination = headers.get("sec-fetch-dest");
  return destination !== null && destination !== "document" ? "machine" : undefined;
}

/** True when a browser fetches a page that nobody has asked for yet. */
export function isPrefetch({ headers }: Request): boolean {
  const names = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
  return /prefetch|prerender|preview/i.test(names.map((name) => headers.get(name)).join(" "));
}

/**
 * True for browsers that are Safari inside, and for what plays their media. They get files with the length in front,
 * which a body that is watched cannot have.
 */
export function isWebKit({ headers }: Request): boolean {
  const name = headers.get("user-agent") ?? "";
  return /AppleCoreMedia|AppleWebKit/.test(name) && !/Chrome\/|Chromium\//.test(name);
}
