import type { Deps } from "../kernel/deps.ts";
import { SECOND_MS } from "../kernel/time.ts";
import { type Destination, findDestination, type Resolve, resolveHost } from "./address.ts";
import { orAborted, startClock } from "./clock.ts";
import { failureSentence } from "./failure.ts";
import { fetchPinned } from "./pinned-fetch.ts";

/** The body to post, and the limits on time and size. */
export type PostOptions = {
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array<ArrayBuffer>;
  /** From the look-up of the name to the last byte read from the answer. */
  timeoutMs: number;
  /** At most this many bytes of the answer's body are read. */
  maxAnswerBytes: number;
  signal: AbortSignal;
  /** The operator chose the address, and what comes back is signed. Left out: https alone. */
  mayBeHttp?: boolean;
  /** Left out: the system's resolver. */
  resolve?: Resolve;
  /** Additional certificate authorities, PEM. */
  ca?: string;
};

/** The answer of the other side. */
export type PostAnswer = {
  status: number;
  retryAfter: string | null;
  /** The beginning of the body: up to `maxAnswerBytes`, or what arrived in time. */
  body: Uint8Array;
};

/** Why a request got no answer, in words for the owner of the address. */
export class PostError extends Error {
  override readonly name = "PostError";
}

/**
 * Posts to an https address, or with `mayBeHttp` any, of the public network, or to a host in NETWORK_ALLOW. Each call checks the address
 * again and connects to exactly the address that was checked. Redirects are returned like any other answer. A
 * status that arrives in time counts, however slowly the body follows.
 *
 * @throws PostError when there is no answer; the signal's reason when the signal aborts.
 */
export async function postOnce(
  { settings }: Pick<Deps, "settings">,
  url: string,
  options: PostOptions,
): Promise<PostAnswer> {
  const { timeoutMs, headers, body, ca, mayBeHttp = false } = options;
  const late = () => new PostError(`no answer within ${timeoutMs / SECOND_MS} s`);
  const clock = startClock(options.signal, { totalMs: timeoutMs, idleMs: timeoutMs }, late);
  try {
    const looking = destinationOf(
      url,
      { allow: settings.networkAllow, httpsOnly: !mayBeHttp },
      options.resolve,
    );
    const destination = await orAborted(looking, clock.signal);
    const request = { method: "POST", headers, body, ca, keepAlive: true, signal: clock.signal } as const;
    const response = await fetchPinned(destination, request);
    const beginning = await readBeginning(response, options.maxAnswerBytes);
    return { status: response.status, retryAfter: response.headers.get("retry-after"), body: beginning };
  } catch (error) {
    throw clock.signal.aborted ? clock.signal.reason : asPostError(error);
  } finally {
    clock.stop();
  }
}

async function destinationOf(
  url: string,
  rules: { allow: readonly string[]; httpsOnly: boolean },
  resolve: Resolve = resolveHost,
): Promise<Destination> {
  const found = await findDestination(url, { ...rules, resolve });
  if (typeof found === "string") throw new PostError(`this address may not be reached: ${found}`);
  return found;
}

/** Reads at most `maxBytes`. When the body is read to its end, the next request can reuse the connection. */
async function readBeginning(response: Response, maxBytes: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (reader && bytes <= maxBytes) {
      const next = await reader.read();
      if (next.done) break;
      chunks.push(next.value);
      bytes += next.value.length;
    }
  } catch {
    // Out of time, or broken off. The status has arrived, and that is what counts.
  }
  if (bytes > maxBytes) reader?.cancel().catch(() => undefined); // nothing waits for it any more
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

function asPostError(error: unknown): PostError {
  if (error instanceof PostError) return error;
  return new PostError(failureSentence(error), { cause: error });
}
