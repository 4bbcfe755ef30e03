import ipaddr from "ipaddr.js";

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>;

/** Asks the system's resolver for every address of a host. */
export const resolveHost: Resolve = async (host) => {
  const { lookup } = await import("node:dns/promises");
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

// Registered as public but private in practice: a cloud's metadata service, and the IETF protocol block.
const NOT_PUBLIC_V4 = ["168.63.129.16/32", "192.0.0.0/24"].map((cidr) => ipaddr.IPv4.parseCIDR(cidr));
const NAT64_PREFIX = [0x64, 0xff9b, 0, 0, 0, 0];

/**
 * True when `text` is an address of the public internet. For NAT64 addresses the IPv4 address inside decides. Of
 * IPv6, only global unicast (2000::/3, RFC 4291) counts.
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

/** Why an address is refused, in words for its owner. */
export type UrlRefusal =
  | "not an http or https address"
  | "not https"
  | "holds a user name"
  | "not a public host";

/** The rules for an address. Hosts in `allow` (`host` or `host:port`) may be private and may use plain http. */
export type UrlRules = { httpsOnly: boolean; allow: readonly string[]; resolve: Resolve };

/**
 * Returns why the outbound door would refuse `url`, or undefined when it may be reached. A host that is allowed by
 * name is not looked up.
 */
export async function refuseUrl(url: string, rules: UrlRules): Promise<UrlRefusal | undefined> {
  const target = readTarget(url, rules);
  if (typeof target === "string") return target;
  if (target.isAllowed) return undefined;
  const addresses = await addressesOf(target.host, rules.resolve).catch(() => []);
  const isReachable = addresses.length > 0 && addresses.every(isPublicIp);
  return isReachable ? undefined : "not a public host";
}

/** Where a URL leads: its host as named in certificates, and one or more addresses to connect to. */
export type Destination = { url: URL; host: string; addresses: readonly string[] };

/**
 * Looks up a URL's host once and checks every address. One private address among public ones refuses the URL.
 *
 * @throws The resolver's error; Error when the name has no address.
 */
export async function findDestination(url: string, rules: UrlRules): Promise<Destination | UrlRefusal> {
  const target = readTarget(url, rules);
  if (typeof target === "string") return target;
  const addresses = await addressesOf(target.host, rules.resolve);
  if (addresses.length === 0) throw new Error("The name has no address");
  if (!target.isAllowed && !addresses.every(isPublicIp)) return "not a public host";
  return { url: target.url, host: target.host, addresses };
}

type Target = { url: URL; host: string; isAllowed: boolean };

function readTarget(
  text: string,
  { httpsOnly, allow }: Pick<UrlRules, "httpsOnly" | "allow">,
): Target | UrlRefusal {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return "not an http or https address";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "holds a user name";
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const isAllowed = allow.includes(host) || allow.includes(`${url.hostname}:${port}`);
  if (httpsOnly && !isAllowed && url.protocol !== "https:") return "not https";
  return { url, host, isAllowed };
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  return ipaddr.isValid(host) ? [host] : await resolve(host);
}
