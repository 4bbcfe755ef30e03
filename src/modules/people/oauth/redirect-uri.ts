import { MAX_REDIRECT_URI } from "./shapes.ts";

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]", "localhost"];
/** Schemes that a browser runs, reads or shows itself; apps use their own schemes (RFC 8252, section 7.1). */
const FOREIGN_SCHEMES =
  /^(javascript|data|vbscript|file|filesystem|blob|about|view-source|ftp|wss?|mailto|tel|intent):$/;

/**
 * Returns true for an address that a client may register: https, plain http on a loopback address, or an app's own
 * scheme, without a fragment (RFC 6749, section 3.1.2) and without a user name.
 */
export function isRedirectUri(text: string): boolean {
  // Printable ASCII without the characters that would end an attribute or a header; other characters are %-encoded.
  if (text.length > MAX_REDIRECT_URI || !/^[a-z][a-z0-9+.-]*:[!$-;=?-[\]_a-z~]+$/i.test(text)) return false;
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username !== "" || password !== "" || FOREIGN_SCHEMES.test(protocol)) return false;
  return protocol !== "http:" || isLoopback(text);
}

/**
 * Returns true when `asked` equals the registered address, character by character. On a loopback address the port may
 * differ: the system gives the app a new one each time (RFC 8252, section 7.3).
 */
export function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  return isLoopback(registered) && isRedirectUri(asked) && withoutPort(registered) === withoutPort(asked);
}

/** Returns true for an address on the owner's own computer. */
export function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && LOOPBACK_HOSTS.includes(hostname);
}

/** Returns the part of an address that an owner can judge: its host, or the scheme of an app. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === "https:" || protocol === "http:" ? host : `the app that opens ${protocol}//`;
}

/** Returns the address without the digits of its port, otherwise unchanged. */
function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:[^/?#:[\]]+|\[[^/?#\]]*\])):\d{1,5}(?=[/?]|$)/i, "$1");
}

/** Adds an answer's parameters to a redirect address and leaves the existing ones unchanged. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const present = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== null);
  const joint = uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?";
  return `${uri}${joint}${new URLSearchParams(present)}`;
}
