const SAFE_METHODS = ["GET", "HEAD"];
/** What programs ask; people see it when they open such an address in a browser. */
const FOR_PROGRAMS =
  /^\/(api|app|auth|integration|mcp|tools|health|openapi\.json|\.well-known|oauth\/(token|register|revoke))(\/|$)/;

/**
 * True when a refusal is for a person to read: the client prefers HTML to JSON, as browsers do when they open an address
 * or send a form. Requests with a key or a token, and changes below the API's addresses, come from programs; some HTTP
 * libraries ask for HTML by default.
 */
export function wantsPage({ method, headers }: Request, path: string): boolean {
  if (headers.has("x-api-key") || headers.has("authorization")) return false;
  if (FOR_PROGRAMS.test(path) && !SAFE_METHODS.includes(method)) return false;
  const accept = headers.get("accept") ?? "";
  return qualityOf(accept, "text/html") > qualityOf(accept, "application/json");
}

/** How much an Accept field wants a media type, 0 to 1; its most specific entry decides. @see RFC 9110, section 12.5.1. */
function qualityOf(accept: string, mediaType: string): number {
  const ranges = ["*/*", mediaType.replace(/\/.*/, "/*"), mediaType];
  let best = { rank: -1, quality: 0 };
  for (const entry of accept.toLowerCase().split(",")) {
    const [range = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const rank = ranges.indexOf(range);
    if (rank <= best.rank) continue;
    const given = parameters.find((parameter) => parameter.startsWith("q="));
    best = { rank, quality: given === undefined ? 1 : Number(given.slice(2)) || 0 };
  }
  return best.quality;
}
