/** Returns the host and port that a request names, as sent by the client. */
export function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

/** Returns the scheme under which the client sent a request, with its colon; a proxy in front may say that it was another. */
function schemeOf(request: Request): string {
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim().toLowerCase();
  return forwarded === "https" || forwarded === "http" ? `${forwarded}:` : new URL(request.url).protocol;
}

/**
 * True when a page of this server made the request: `Origin` is one of its known addresses, or names the scheme and the
 * host of the request. The second case applies when people open the server by its name or address in their own network.
 * Only a page of that address can send such a pair, and browsers keep cookies per host (docs/decisions/0029). No page of
 * another address can send `X-Forwarded-Proto` without asking first.
 */
export function isOwnOrigin(request: Request, known: ReadonlySet<string>): boolean {
  const origin = request.headers.get("origin");
  if (origin === null) return false;
  return known.has(origin) || URL.parse(`${schemeOf(request)}//${hostOf(request)}`)?.origin === origin;
}
