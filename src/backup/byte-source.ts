/** Reads a stream of bytes by counts. */
export type ByteSource = {
  /** Returns the next bytes as one piece; a shorter one when the stream ends. For small counts. */
  take: (bytes: number) => Promise<Buffer>;
  /** Yields the next bytes in pieces, fewer of them when the stream ends. Read it to its end before the next call. */
  stream: (bytes: number) => AsyncGenerator<Uint8Array>;
};

/** Makes a source of a stream. A piece that it yields is valid until the next one is asked for. */
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
