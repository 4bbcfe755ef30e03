import { mcpBaseOf, publicUrlOf, type Settings } from "../../kernel/settings.ts";

/**
 * Returns the name of the authorization server (RFC 8414): the root of the public pages, since that is where people
 * sign in and where their session's cookie belongs.
 */
export function issuerOf(settings: Settings): string {
  return publicUrlOf(settings);
}

/** Returns the address that every access token is good for, and the only one: the tool server's. */
export function resourceOf(settings: Settings): string {
  return `${mcpBaseOf(settings)}/mcp`;
}

/** True when a client's `resource` (RFC 8707) means the tool server. Only the spelling of host and port may differ. */
export function isResource(settings: Settings, text: string): boolean {
  return URL.canParse(text) && new URL(text).href === new URL(resourceOf(settings)).href;
}

/**
 * Returns where a document of `well-known` lies for an identifier: the name goes between host and path (RFC 8414,
 * section 3.1; RFC 9728, section 3.1).
 */
export function wellKnownPath(name: string, identifier: string): string {
  const { pathname } = new URL(identifier);
  return `/.well-known/${name}${pathname === "/" ? "" : pathname}`;
}
