import { isIP } from "node:net";

/**
 * True when the Host of a request is a known name of this server, `localhost`, or a numeric address. A page that
 * points its own name at this machine (DNS rebinding) sends another Host.
 */
export function isKnownHost(request: Request, hosts: ReadonlySet<string>): boolean {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const name = host
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  return name === "localhost" || hosts.has(name) || isIP(name) !== 0;
}
