import type { Deps } from "../kernel/deps.ts";
import { SECOND_MS } from "../kernel/time.ts";
import { findDestination, type Resolve, resolveHost } from "./address.ts";
import { orAborted, startClock } from "./clock.ts";
import { failureSentence } from "./failure.ts";
import { fetchPinned } from "./pinned-fetch.ts";

/** A request to another program's API, and the limits on time and size. */
export type RequestOptions = {
  /** Left out: GET. */
  method?: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** From the look-up of the name to the last byte of the answer. */
  timeoutMs: number;
  /** A longer answer is refused. */
  maxAnswerBytes: number;
  signal: AbortSignal;
  /** Left out: the system's resolver. */
  resolve?: Resolve;
  /** Additional certificate authorities, PEM. */
  ca?: string;
};

/** Why a request got no answer that can be used, as words that follow a name. */
export class RequestError extends Error {
  override readonly name = "RequestError";
}

/** Statuses whose answers have no body. */
const EMPTY: readonly number[] = [204, 205, 304];

/**
 * Sends one request to an https address of the public network, or to a host in NETWORK_ALLOW, and reads the whole answer. The
 * address is checked, and the connection goes to exactly what was checked. A redirect is returned like any other answer.
 *
 * @throws RequestError when there is no answer, or one that is too long; the signal's reason when the signal aborts.
 */
export async function requestOnce(
  { settings }: Pick<Deps, "settings">,
  url: string,
  options: RequestOptions,
): Promise<Response> {
  const { timeoutMs, maxAnswerBytes, resolve = resolveHost } = options;
  const late = () => new RequestError(`gave no answer within ${timeoutMs / SECOND_MS} s`);
  const clock = startClock(options.signal, { totalMs: timeoutMs, idleMs: timeoutMs }, late);
  try {
    const rules = { httpsOnly: true, allow: settings.networkAllow, resolve };
    const destination = await orAborted(findDestination(url, rules), clock.signal);
    if (typeof destination === "string") throw new RequestError(`may not be reached: ${destination}`);
    const { method = "GET", headers, body, ca } = options;
    const request = { method, headers, ca, signal: clock.signal, ...(body !== undefined && { body }) };
    const response = await fetchPinned(destination, request);
    const bytes = await orAborted(readAll(response, maxAnswerBytes), clock.signal);
    const { status, headers: answered } = response;
    return new Response(EMPTY.includes(status) ? null : bytes, { status, headers: answered });
  } catch (error) {
    if (clock.signal.aborted) throw clock.signal.reason;
    if (error instanceof RequestError) throw error;
    throw new RequestError(`gave no answer: ${failureSentence(error)}`, { cause: error });
  } finally {
    clock.stop();
  }
}

async function readAll(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > maxBytes) throw new RequestError(`gave an answer of more than ${maxBytes / 2 ** 20} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
