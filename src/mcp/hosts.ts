import { isIP } from "node:net";

/**
 * True when a request names this server by a name it is known under, by `localhost`, or by an address in numbers. A page
 * that points a name of its own at this machine (DNS rebinding) names neither.
 */
export function isKnownHost(request: Request, hosts: ReadonlySet<string>): boolean {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const name = host
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  return name === "localhost" || hosts.has(name) || isIP(name) !== 0;
}
