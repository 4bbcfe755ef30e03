import ipaddr from "ipaddr.js";
import type { Destination } from "./address.ts";

/** Tries at most this many addresses. */
const MAX_ADDRESSES = 4;
const USER_AGENT = "Dubplate/1";

/** The request to the address. Left out: a GET on a new connection. */
export type PinnedRequest = {
  signal: AbortSignal;
  /** Additional certificate authorities, PEM. */
  ca: string | undefined;
  method?: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Allows the next request to the same name and address to reuse the connection. */
  keepAlive?: boolean;
};

/**
 * Sends a request to the checked addresses in turn, until one answers. The name is not looked up again, and the
 * certificate is verified for the name, not for the address. Redirects are not followed and bodies are not
 * decompressed. Proxies from the environment are not used: they would look up the name themselves.
 *
 * @throws The platform's error when no address answers; the signal's reason when the signal aborts.
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

/** When the host is an address, the certificate is verified for the address in the URL. */
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
