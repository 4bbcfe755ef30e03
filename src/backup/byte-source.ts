/** Reads a given number of bytes at a time from a stream. */
export type ByteSource = {
  /** Returns the next bytes as one piece, fewer when the stream ends. Use it for small counts. */
  take: (bytes: number) => Promise<Buffer>;
  /** Yields the next bytes in pieces, fewer when the stream ends. Read it to its end before the next call. */
  stream: (bytes: number) => AsyncGenerator<Uint8Array>;
};

/** Makes a source from a stream. A piece stays valid until the next one is requested. */
export function createByteSource(chunks: AsyncIterator<Uint8Array>): ByteSource {
  let rest: Uint8Array = new Uint8Array();
  async function* stream(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done) return;
        rest = next.value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  return {
    stream,
    async take(bytes) {
      const pieces: Buffer[] = [];
      for await (const piece of stream(bytes)) pieces.push(Buffer.from(piece));
      return Buffer.concat(pieces);
    },
  };
}
