import ipaddr from "ipaddr.js";

/**
 * Returns the client's address: the socket's peer, or, behind `trustedProxies` proxies, the entry that the
 * outermost of them appended to `X-Forwarded-For`. Entries further left come from the client and are not trusted.
 */
export function clientIp(peer: string, forwardedFor: string | null, trustedProxies: number): string {
  if (trustedProxies === 0 || !forwardedFor) return normaliseIp(peer);
  const entries = forwardedFor.split(",").map((entry) => entry.trim());
  const entry = entries.at(-trustedProxies) ?? entries[0] ?? "";
  return ipaddr.isValid(entry) ? normaliseIp(entry) : normaliseIp(peer);
}

/**
 * Returns the name under which an address is counted: the whole IPv4 address, or the /64 of an IPv6 address
 * (decision 8.2).
 */
export function rateLimitKey(ip: string): string {
  if (!ip.includes(":")) return ip;
  const groups = ipaddr.IPv6.parse(ip).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}

function normaliseIp(ip: string): string {
  if (!ip.includes(":")) return ip;
  return ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : ip;
}
