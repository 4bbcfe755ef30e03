import ipaddr from "ipaddr.js";
import type { Destination } from "./address.ts";

/** More addresses than this are not tried. */
const MAX_ADDRESSES = 4;
const USER_AGENT = "Dubplate/1";

/** What is sent beside the address; left out: a GET, on a connection of its own. */
export type PinnedRequest = {
  signal: AbortSignal;
  /** Further authorities, PEM. */
  ca: string | undefined;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The connection may serve the next request to the same name at the same address. */
  keepAlive?: boolean;
};

/**
 * Sends a request to one of the addresses that were checked, the first that answers. The name is not looked up again,
 * and a certificate is verified for the name, not for the address. Redirects are not followed, bodies not
 * decompressed, and proxies of the environment not used: they would look the name up themselves.
 *
 * @throws What the platform throws when no address answers; the signal's reason when that is aborted.
 */
export async function fetchPinned(
  { url, host, addresses }: Destination,
  { signal, ca, method = "GET", headers, body, keepAlive = false }: PinnedRequest,
): Promise<Response> {
  let failure: unknown;
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    try {
      return await fetch(dialled(url, address), {
        method,
        redirect: "manual",
        keepalive: keepAlive,
        decompress: false,
        proxy: false,
        signal,
        headers: {
          host: url.host,
          accept: "*/*",
          "accept-encoding": "identity",
          "user-agent": USER_AGENT,
          ...headers,
        },
        ...(body !== undefined && { body }),
        ...(url.protocol === "https:" && { tls: tlsFor(host, ca) }),
      });
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

/** A host that is an address is verified as the address in the URL is. */
function tlsFor(host: string, ca: string | undefined) {
  return {
    rejectUnauthorized: true,
    ...(!ipaddr.isValid(host) && { serverName: host }),
    ...(ca !== undefined && { ca }),
  };
}

function dialled(url: URL, address: string): URL {
  const target = new URL(url);
  target.hostname = address.includes(":") ? `[${address}]` : address;
  target.hash = "";
  return target;
}
