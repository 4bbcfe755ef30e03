import { acceptQuality } from "../../kernel/accept.ts";

const SAFE_METHODS = ["GET", "HEAD"];
/** What programs ask; people see it when they open such an address in a browser. */
const FOR_PROGRAMS =
  /^\/(api|app|auth|integration|mcp|rest|tools|health|openapi\.json|\.well-known|oauth\/(token|register|revoke))(\/|$)/;

/**
 * True when a refusal is for a person to read: the client prefers HTML to JSON, as browsers do when they open an address
 * or send a form. Requests with a key or a token, and changes below the API's addresses, come from programs; some HTTP
 * libraries ask for HTML by default.
 */
export function wantsPage({ method, headers }: Request, path: string): boolean {
  if (headers.has("x-api-key") || headers.has("authorization")) return false;
  if (FOR_PROGRAMS.test(path) && !SAFE_METHODS.includes(method)) return false;
  const accept = headers.get("accept");
  return acceptQuality(accept, "text/html") > acceptQuality(accept, "application/json");
}
