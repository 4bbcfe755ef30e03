import { samePlace } from "../first-data.ts";

/** A file of the server, as a sync names it. */
export type File = { url: string; mediaType: string; sizeBytes: number; etag: string };

/** After so many failures in a row a file is asked for again only when somebody wants it, or it is another one. */
export const MAX_FAILURES = 3;

/** Why a file was not kept: there is no room, the server cannot be reached, or what came was not the file. */
export class NotKept extends Error {
  override readonly name = "NotKept";
  readonly why: "room" | "connection" | "file";

  constructor(why: NotKept["why"], cause: unknown) {
    super(`Not kept: ${why}`, { cause });
    this.why = why;
  }
}

/**
 * Fetches a file into a cache. It is there whole or not at all: a cache takes an answer when it has ended, and one of another length or tag is
 * taken out again.
 *
 * @param onShare Called with how much has arrived, 0 to 1.
 * @throws NotKept. The signal's reason.
 */
export async function keepFile(
  cache: Cache,
  path: string,
  { url, mediaType, sizeBytes, etag }: File,
  { signal, onShare }: { signal: AbortSignal; onShare: (share: number) => void },
): Promise<void> {
  const response = await reach(
    fetch(samePlace(url), { cache: "no-store", credentials: "omit", signal }),
    signal,
  );
  const { status, headers, body } = response;
  if (status !== 200 || !body) throw new NotKept("file", `status ${status}`);
  if (bare(headers.get("etag")) !== bare(etag)) throw new NotKept("file", "another tag");
  let bytes = 0;
  const counted = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, stream) {
        bytes += chunk.byteLength;
        onShare(bytes / sizeBytes);
        stream.enqueue(chunk);
      },
    }),
  );
  await reach(cache.put(path, new Response(counted, { headers: { "content-type": mediaType } })), signal);
  if (bytes === sizeBytes) return;
  await cache.delete(path);
  throw new NotKept("file", `${bytes} of ${sizeBytes} bytes`);
}

/** A proxy that compresses makes tags weak. */
const bare = (etag: string | null) => etag?.replace(/^W\//, "");

async function reach<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  try {
    return await work;
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    const isFull = thrown instanceof DOMException && thrown.name === "QuotaExceededError";
    throw new NotKept(isFull ? "room" : "connection", thrown);
  }
}
