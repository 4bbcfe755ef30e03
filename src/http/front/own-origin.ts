/** Returns the host and port that a request names, as sent by the client. */
export function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

/**
 * True when a page of this server made the request: `Origin` is one of its known addresses, or names the same host
 * as the request. The second case applies when people open the server by its name or address in their own network.
 * Only a page of that host can send such a pair, and browsers keep cookies per host (docs/decisions/0029).
 */
export function isOwnOrigin(request: Request, known: ReadonlySet<string>): boolean {
  const origin = request.headers.get("origin");
  if (origin === null) return false;
  if (known.has(origin)) return true;
  const scheme = /^https?:\/\//.exec(origin)?.[0];
  return scheme !== undefined && URL.parse(scheme + hostOf(request))?.origin === origin;
}
