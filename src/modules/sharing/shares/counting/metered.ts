/** How much is read and sent at once. */
const CHUNK_BYTES = 64 * 1024;

/** A part of a file to send. `end` is the byte after the last. */
export type Part = { path: string; start: number; end: number };

/**
 * Returns a body that reads as fast as the client receives. It reports each piece when the next is requested,
 * because the piece has then gone to the system's socket.
 *
 * @param onSent Called with the start and end of the piece in the file.
 */
export function meteredBody(
  { path, start, end }: Part,
  onSent: (from: number, to: number) => void,
): ReadableStream<Uint8Array> {
  const file = Bun.file(path);
  let at = start;
  let sent = start;
  const tell = () => {
    if (at > sent) onSent(sent, at);
    sent = at;
  };
  return new ReadableStream(
    {
      async pull(controller) {
        tell();
        if (at >= end) return controller.close();
        const bytes = await file.slice(at, Math.min(at + CHUNK_BYTES, end)).bytes();
        if (bytes.length === 0) return controller.error(new Error("The file ended too early"));
        at += bytes.length;
        controller.enqueue(bytes);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Like {@link meteredBody}, for the body of a file that is not on this machine.
 *
 * @param start Where the body begins in the file.
 */
export function meteredStream(
  body: ReadableStream<Uint8Array>,
  start: number,
  onSent: (from: number, to: number) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let at = start;
  let sent = start;
  return new ReadableStream(
    {
      async pull(controller) {
        if (at > sent) onSent(sent, at);
        sent = at;
        const { value, done } = await reader.read();
        if (done) return controller.close();
        at += value.length;
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Returns which bytes of its file an answer carries; undefined for an answer without a body, such as a 304. */
export function partOf(
  { status, headers }: Response,
  sizeBytes: number,
): { start: number; end: number } | undefined {
  if (status === 200) return { start: 0, end: sizeBytes };
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(headers.get("content-range") ?? "") ?? [];
  return status === 206 && last !== undefined ? { start: Number(first), end: Number(last) + 1 } : undefined;
}
