import { isReachable } from "../api/connection.ts";
import { errorOf, sentenceOf } from "../api/errors.ts";
import { signedInAgain } from "../api/session.ts";
import { href } from "../first-data.ts";

const WAITS_MS = [1000, 2000, 5000, 10_000, 30_000];

/**
 * Sends a file to the library. A lost connection is waited for, and the same key makes sure that a file which arrived
 * unnoticed is not added twice.
 *
 * @throws Error with a sentence for people, or when the signal aborts.
 */
export async function send(
  file: File,
  signal: AbortSignal,
  onProgress: (sentBytes: number) => void,
): Promise<void> {
  const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  for (let tries = 0; ; tries++) {
    const response = await post(file, key, signal, onProgress);
    if (response?.ok) return;
    if (response?.status === 401) await signedInAgain();
    else if (response && response.status !== 503 && response.status !== 429)
      throw new Error(sentenceOf(await errorOf(response)));
    else await until(WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0, signal);
  }
}

/** Undefined: the connection was lost. `fetch` tells no progress of what is sent, so an older interface is used. */
function post(
  file: File,
  key: string,
  signal: AbortSignal,
  onProgress: (sentBytes: number) => void,
): Promise<Response | undefined> {
  const form = new FormData();
  form.append("visible", "true");
  form.append("files", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", href("/app/library/tracks/upload"));
    request.setRequestHeader("Idempotency-Key", key);
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size));
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => resolve(undefined);
    const abort = () => {
      request.abort();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    request.onloadend = () => signal.removeEventListener("abort", abort);
    request.send(form);
  });
}

async function until(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
  await isReachable();
}
