import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>;

/** Asks the system's resolver for every address of a host. */
export const resolveHost: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

// Public by registry, private in practice: a cloud's metadata service, and the IETF protocol block.
const NOT_PUBLIC_V4 = ["168.63.129.16/32", "192.0.0.0/24"].map((cidr) => ipaddr.IPv4.parseCIDR(cidr));
const NAT64_PREFIX = [0x64, 0xff9b, 0, 0, 0, 0];

/**
 * True when `text` is an address of the public internet. NAT64 addresses are judged by the IPv4 address inside; of
 * IPv6 only global unicast (2000::/3, RFC 4291) counts.
 */
export function isPublicIp(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const ip = ipaddr.process(text);
  if (ip instanceof ipaddr.IPv4)
    return ip.range() === "unicast" && !NOT_PUBLIC_V4.some((block) => ip.match(block));
  if (NAT64_PREFIX.every((group, index) => ip.parts[index] === group))
    return isPublicIp(embeddedIpv4(ip.parts));
  return ((ip.parts[0] ?? 0) & 0xe000) === 0x2000 && ip.range() === "unicast";
}

function embeddedIpv4(parts: readonly number[]): string {
  return parts
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}

/** Why an address may not be reached, in words for its owner. */
export type UrlRefusal =
  | "not an http or https address"
  | "not https"
  | "holds a user name"
  | "not a public host";

/**
 * Says why the outbound door would refuse `url`, or returns undefined when it may be reached. Hosts in `allow`
 * (`host` or `host:port`) may be private and may use plain http even where `httpsOnly` is asked for.
 */
export async function refuseUrl(
  url: string,
  { httpsOnly, allow, resolve }: { httpsOnly: boolean; allow: readonly string[]; resolve: Resolve },
): Promise<UrlRefusal | undefined> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return "not an http or https address";
  const parsed = new URL(url);
  if (parsed.username !== "" || parsed.password !== "") return "holds a user name";
  const host = parsed.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (allow.includes(host) || allow.includes(parsed.host)) return undefined;
  if (httpsOnly && parsed.protocol !== "https:") return "not https";
  const addresses = ipaddr.isValid(host) ? [host] : await resolve(host).catch(() => []);
  const isReachable = addresses.length > 0 && addresses.every(isPublicIp);
  return isReachable ? undefined : "not a public host";
}
