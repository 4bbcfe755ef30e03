import type { Deps } from "../kernel/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { SECOND_MS } from "../kernel/time.ts";
import { type Destination, findDestination, type Resolve, resolveHost } from "./address.ts";
import { type Clock, orAborted, startClock } from "./clock.ts";
import { failureSentence } from "./failure.ts";
import { downloadedName } from "./file-name.ts";
import { fetchPinned } from "./pinned-fetch.ts";

export type OpenOptions = {
  maxBytes: number;
  /** From the first look-up to the last byte. */
  timeoutMs: number;
  signal: AbortSignal;
  /** The longest silence of the other side, before and during the answer; left out: 20 s. */
  idleMs?: number;
  /** Left out: 3. */
  maxRedirects?: number;
  /** Left out: the system's resolver. */
  resolve?: Resolve;
  /** Additional certificate authorities, PEM. */
  ca?: string;
};

/** A file from the network while it is being received. */
export type OpenedUrl = {
  /** The address at the end of the redirects. */
  finalUrl: string;
  /** Lower case, without parameters. */
  contentType: string | null;
  /** Safe to show. Never use it as a path. */
  filename: string | null;
  /** Read it once. Leaving the loop over it ends the connection. */
  body: AsyncIterable<Uint8Array>;
  /** Ends the connection when the body is not read. */
  close: () => void;
};

const IDLE_MS = 20 * SECOND_MS;
const MAX_REDIRECTS = 3;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Opens a file from the public network or from a host in NETWORK_ALLOW. Every hop is checked, and the connection
 * goes to exactly the address that was checked. A redirect from https to http is refused. The bytes are never
 * decompressed.
 *
 * @throws DomainError `url_not_allowed` for an address that is not allowed, `download_failed` when it cannot be
 *   reached, `file_too_large` when it declares more than `maxBytes`. Iteration may throw the latter two. The
 *   signal's reason when the signal aborts.
 */
export async function openUrl(
  { settings }: Pick<Deps, "settings">,
  url: string,
  options: OpenOptions,
): Promise<OpenedUrl> {
  const limits = { totalMs: options.timeoutMs, idleMs: options.idleMs ?? IDLE_MS };
  const clock = startClock(options.signal, limits, () => failed("it took too long"));
  try {
    const { response, finalUrl } = await follow(url, { ...options, allow: settings.networkAllow, clock });
    const declaredBytes = checkAnswer(response, options.maxBytes);
    const body = readBody(response, { maxBytes: options.maxBytes, declaredBytes, clock });
    return {
      finalUrl,
      contentType: response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() || null,
      filename: downloadedName(response.headers.get("content-disposition"), [url, finalUrl]),
      body,
      close() {
        clock.stop();
        discard(response);
      },
    };
  } catch (error) {
    clock.stop();
    throw refusalOf(error, clock);
  }
}

type Journey = Pick<OpenOptions, "resolve" | "ca" | "maxRedirects"> & {
  allow: readonly string[];
  clock: Clock;
};

async function follow(start: string, journey: Journey): Promise<{ response: Response; finalUrl: string }> {
  let url = start;
  for (let hops = 0; ; hops++) {
    journey.clock.wait();
    const destination = await orAborted(destinationOf(url, journey), journey.clock.signal);
    const response = await fetchPinned(destination, { signal: journey.clock.signal, ca: journey.ca });
    journey.clock.pause();
    const location = response.headers.get("location");
    if (location === null || !REDIRECTS.includes(response.status)) return { response, finalUrl: url };
    discard(response);
    if (hops === (journey.maxRedirects ?? MAX_REDIRECTS)) throw failed("it redirects too many times");
    url = redirected(url, location);
  }
}

async function destinationOf(url: string, { allow, resolve }: Journey): Promise<Destination> {
  const found = await findDestination(url, { httpsOnly: false, allow, resolve: resolve ?? resolveHost });
  if (typeof found !== "string") return found;
  throw new DomainError("url_not_allowed", `This address is not allowed: ${found}`);
}

function redirected(from: string, location: string): string {
  if (!URL.canParse(location, from)) throw failed("it redirects to an invalid address");
  const to = new URL(location, from);
  if (from.toLowerCase().startsWith("https:") && to.protocol === "http:")
    throw new DomainError("url_not_allowed", "This address is not allowed: it redirects from https to http");
  return to.href;
}

/** Returns the length in bytes that the answer declares, or null. */
function checkAnswer(response: Response, maxBytes: number): number | null {
  try {
    if (!response.ok) throw failed(`it answered with status ${response.status}`);
    const encoding = response.headers.get("content-encoding")?.trim().toLowerCase() || "identity";
    if (encoding !== "identity") throw failed("it sends compressed data that was not requested");
    const length = response.headers.get("content-length");
    if (length === null || !/^\d+$/.test(length)) return null;
    if (Number(length) > maxBytes) throw tooLarge(maxBytes);
    return Number(length);
  } catch (error) {
    discard(response);
    throw error;
  }
}

type BodyLimits = { maxBytes: number; declaredBytes: number | null; clock: Clock };

async function* readBody(
  response: Response,
  { maxBytes, declaredBytes, clock }: BodyLimits,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  let receivedBytes = 0;
  try {
    for (;;) {
      clock.wait();
      const next = await reader?.read();
      clock.pause();
      if (!next || next.done) break;
      receivedBytes += next.value.length;
      if (receivedBytes > maxBytes) throw tooLarge(maxBytes);
      yield next.value;
    }
    clock.signal.throwIfAborted();
    if (declaredBytes !== null && receivedBytes < declaredBytes) throw failed("it ended too early");
  } catch (error) {
    throw refusalOf(error, clock);
  } finally {
    clock.stop();
    reader?.cancel().catch(() => undefined); // a failed stream cannot be cancelled and need not be
  }
}

function discard(response: Response): void {
  response.body?.cancel().catch(() => undefined); // nothing waits for it any more
}

/** The signal's reason says more than the error that the abort caused. */
function refusalOf(thrown: unknown, { signal }: Clock): unknown {
  if (signal.aborted) return signal.reason;
  if (thrown instanceof DomainError) return thrown;
  return failed(failureSentence(thrown), thrown);
}

function failed(why: string, cause?: unknown): DomainError {
  return new DomainError("download_failed", `This address could not be downloaded: ${why}`, { cause });
}

function tooLarge(maxBytes: number): DomainError {
  const limit = maxBytes >= 2 ** 30 ? `${maxBytes / 2 ** 30} GB` : `${Math.floor(maxBytes / 2 ** 20)} MB`;
  return new DomainError("file_too_large", `A file from an address may be at most ${limit}`);
}
