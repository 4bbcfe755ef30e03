import { SECOND_MS } from "../kernel/time.ts";
import { UnreachableError } from "./door.ts";

/** A server and a key for it, and how often to ask before it counts as away. */
export type Remote = { url: string; key: string; tries: number };

const MAX_WAIT_MS = 30 * SECOND_MS;

/** Makes a request, and returns the answer's JSON. @throws As {@link send} does. */
export async function json(
  remote: Remote,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const sent = await send(remote, method, path, { headers, ...(body && { body: JSON.stringify(body) }) });
  return (await sent.json()) as Record<string, unknown>;
}

type Sent = { headers: Record<string, string>; body?: string | Blob };

/**
 * Makes a request; waits and tries again where that may help. An upload that is at another offset answers as usual.
 *
 * @throws UnreachableError; Error with the server's sentence for a refusal.
 */
export async function send(
  { url, key, tries }: Remote,
  method: string,
  path: string,
  sent: Sent,
): Promise<Response> {
  const headers = { ...sent.headers, "x-api-key": key };
  for (let count = 1; ; count++) {
    const response = await fetch(`${url}/api/v1${path}`, {
      ...sent,
      method,
      headers,
      redirect: "error",
    }).catch((error: Error) => error);
    const isAway = response instanceof Error || response.status === 429 || response.status >= 500;
    if (!isAway) return checked(response);
    if (count >= tries) {
      const why = response instanceof Error ? response.message : `it answered ${response.status}`;
      throw new UnreachableError(`${url} cannot be reached: ${why}`);
    }
    const asked =
      response instanceof Error ? 0 : Number(response.headers.get("retry-after") ?? 0) * SECOND_MS;
    await Bun.sleep(Math.min(MAX_WAIT_MS, Math.max(asked, 250 * 2 ** count)));
  }
}

async function checked(response: Response): Promise<Response> {
  if (response.ok || response.status === 409) return response;
  const answer = await response.json().catch(() => ({}));
  const { message } = answer as { message?: string };
  throw new RefusedByServer(message ?? `The server answered ${response.status}`);
}

/** The server refused a request for good, such as one with a wrong key. */
export class RefusedByServer extends Error {
  override readonly name = "RefusedByServer";
}
