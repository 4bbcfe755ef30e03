import { DomainError, invalidField } from "../../kernel/errors.ts";

/** Reads a stream chunk by chunk and finds byte strings in it. */
export type ByteReader = {
  /**
   * Gives the bytes up to `delimiter`, which is taken off too. One such stream at a time. Two pieces are good at a time,
   * so that one can be written while the next one comes: asking for a third empties the first.
   *
   * @throws DomainError `validation_failed` when the stream ends first.
   */
  until: (delimiter: Buffer) => AsyncGenerator<Uint8Array, void>;
  /** Takes exactly `count` bytes. Throws as `until` does. */
  take: (count: number) => Promise<Buffer>;
  /** Puts bytes back in front of the unread ones. */
  unread: (bytes: Uint8Array) => void;
  /** Ends reading and discards what has not been read. */
  release: () => void;
};

/**
 * Makes a reader of a request's body, whose chunks become its own. It pulls: there are never more than two chunks in
 * memory, and a stream that fails, because the client has gone, fails the one call that waits for it.
 */
export function createByteReader(body: ReadableStream<Uint8Array>): ByteReader {
  const reader = body.getReader();
  let held: Buffer = Buffer.alloc(0);
  // Of the last pull, and of the one before.
  let last: ArrayBufferLike | undefined;
  let beforeLast: ArrayBufferLike | undefined;

  /** Reads the next chunk; `false` at the end of the stream. */
  const pull = async (): Promise<boolean> => {
    free(beforeLast);
    beforeLast = last;
    last = undefined;
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw incomplete(cause);
    });
    if (done) return false;
    if (value.byteLength === value.buffer.byteLength) last = value.buffer;
    const next = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    held = held.length === 0 ? next : Buffer.concat([held, next]);
    return true;
  };

  /** Takes the held bytes before `delimiter`, and the delimiter itself when it is there. */
  const cut = (delimiter: Buffer): { content: Buffer; isLast: boolean } => {
    const at = held.indexOf(delimiter);
    const end = at === -1 ? held.length - beginningLength(held, delimiter) : at;
    const content = held.subarray(0, end);
    held = held.subarray(at === -1 ? end : end + delimiter.length);
    return { content, isLast: at !== -1 };
  };

  return {
    async *until(delimiter) {
      for (;;) {
        const { content, isLast } = cut(delimiter);
        if (content.length > 0) yield content;
        if (isLast) return;
        if (!(await pull())) throw incomplete();
      }
    },
    async take(count) {
      while (held.length < count) if (!(await pull())) throw incomplete();
      const taken = held.subarray(0, count);
      held = held.subarray(count);
      return taken;
    },
    unread(bytes) {
      held = Buffer.concat([bytes, held]);
    },
    release() {
      held = Buffer.alloc(0);
      reader.cancel().catch(() => undefined); // a failed stream cannot be cancelled and need not be
    },
  };
}

/**
 * Gives memory back now. Left to the garbage collector, the chunks of a few large uploads pile up to a hundred megabytes,
 * and the process keeps them.
 */
function free(buffer: ArrayBufferLike | undefined): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

/** How many bytes at the end of `bytes` may be the beginning of `delimiter`. */
function beginningLength(bytes: Buffer, delimiter: Buffer): number {
  const longest = Math.min(bytes.length, delimiter.length - 1);
  const first = delimiter[0] ?? 0;
  for (let at = bytes.indexOf(first, bytes.length - longest); at !== -1; at = bytes.indexOf(first, at + 1)) {
    const tail = bytes.subarray(at);
    if (tail.equals(delimiter.subarray(0, tail.length))) return tail.length;
  }
  return 0;
}

function incomplete(cause?: unknown): DomainError {
  const refusal = invalidField("body", "incomplete", "the body ended early; send it again");
  return new DomainError(refusal.code, refusal.message, {
    ...(refusal.data && { data: refusal.data }),
    cause,
  });
}
