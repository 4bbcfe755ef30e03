import type { DetailedError } from "tus-js-client";
import { connectionFailed, whenConnected } from "../api/connection.ts";
import { ApiError, errorOf } from "../api/errors.ts";
import { ofLibrary } from "../api/library.ts";
import { signedInAgain } from "../api/session.ts";
import { href } from "../first-data.ts";
import type { Remembered } from "./store.ts";

/** A proxy that holds requests back holds back one piece at most. */
const PIECE_BYTES = 32 * 1024 * 1024;
/** A file up to here goes with its announcement, in one request. */
const SMALL_BYTES = 8 * 1024 * 1024;
const WAITS_MS = [1000, 2000, 5000, 10_000, 30_000];

const TUS = () => ({ "Tus-Resumable": "1.0.0", ...ofLibrary() });

/** The progress of a file on its way. */
export type Progress = {
  /** The server knows of the upload now. */
  onUrl: (url: string) => void;
  onSent: (bytes: number) => void;
};

/**
 * Sends a file, or the rest of it. A lost connection, a server that restarts and a session that has ended are
 * waited for.
 *
 * @throws ApiError when the server refuses the file; DOMException when the file can no longer be read; the signal's reason.
 */
export async function send(
  file: File,
  about: Pick<Remembered, "key" | "path" | "url" | "version">,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    // A file that was moved away would look like a lost connection.
    await file.slice(0, 1).arrayBuffer();
    signal.throwIfAborted();
    const refusal = await attempt(file, about, progress, signal);
    if (!refusal) return;
    await waitOrThrow(refusal, tries, signal);
  }
}

/** Waits until another attempt makes sense. @throws ApiError when none does. */
export async function waitOrThrow(refusal: ApiError, tries: number, signal?: AbortSignal): Promise<void> {
  const { status } = refusal;
  if (status === 0) {
    connectionFailed();
    return whenConnected(signal);
  }
  if (status === 401) return signedInAgain();
  if (![409, 423, 429, 500, 502, 503, 504].includes(status)) throw refusal;
  const ms = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Undefined: all of the file is there. */
async function attempt(
  file: File,
  { key, path, url, version }: Pick<Remembered, "key" | "path" | "url" | "version">,
  { onUrl, onSent }: Progress,
  signal: AbortSignal,
): Promise<ApiError | undefined> {
  const { Upload } = await import("tus-js-client");
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: href("/app/uploads"),
      uploadUrl: url === "" ? null : url,
      chunkSize: PIECE_BYTES,
      uploadDataDuringCreation: file.size <= SMALL_BYTES,
      metadata: { filename: path, key, ...(version && { trackId: version.trackId }) },
      headers: ofLibrary(),
      retryDelays: null as never,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => onUrl(new URL(upload.url ?? "", location.href).pathname),
      onProgress: onSent,
      onSuccess: () => resolve(undefined),
      onError: (error) => void refusalOf(error).then(resolve),
    });
    const stop = () => {
      void upload.abort();
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    upload.start();
  });
}

async function refusalOf(error: Error | DetailedError): Promise<ApiError> {
  const answer = "originalResponse" in error ? error.originalResponse : null;
  const status = answer?.getStatus() ?? 0;
  if (!answer || status === 0) return new ApiError(0, "no_connection", "The connection was lost");
  return errorOf(new Response(answer.getBody(), { status }));
}

/** Returns how many bytes of an upload the server has; undefined when it knows nothing of it, or cannot be asked. */
export async function reachedOf(url: string): Promise<number | undefined> {
  const response = await fetch(url, { method: "HEAD", headers: TUS() }).catch(() => undefined);
  return response?.ok ? Number(response.headers.get("upload-offset") ?? 0) : undefined;
}

/** Has the server delete what arrived of an upload. If that fails, it does so by itself after a week. */
export function drop(url: string): void {
  if (url !== "") void fetch(url, { method: "DELETE", headers: TUS() }).catch(() => undefined);
}
