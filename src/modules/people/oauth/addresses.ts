import { mcpBaseOf, publicUrlOf, type Settings } from "../../../kernel/settings.ts";

/**
 * Returns the name of the authorization server (RFC 8414): the root of the public pages, where owners sign in and
 * where their session cookie belongs.
 */
export function issuerOf(settings: Settings): string {
  return publicUrlOf(settings);
}

/** Returns the only address that access tokens are valid for: the tool server's. */
export function resourceOf(settings: Settings): string {
  return `${mcpBaseOf(settings)}/mcp`;
}

/** Returns true when a client's `resource` (RFC 8707) names the tool server. Host and port may be spelt differently. */
export function isResource(settings: Settings, text: string): boolean {
  return URL.canParse(text) && new URL(text).href === new URL(resourceOf(settings)).href;
}

/**
 * Returns the path of an identifier's `well-known` document: the name goes between host and path (RFC 8414, section
 * 3.1; RFC 9728, section 3.1).
 */
export function wellKnownPath(name: string, identifier: string): `/${string}` {
  const { pathname } = new URL(identifier);
  return `/.well-known/${name}${pathname === "/" ? "" : pathname}`;
}
