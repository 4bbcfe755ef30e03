import type { Output } from "./output.ts";
import { END_OF_TAR, encodeHeader, paddingOf } from "./tar.ts";

/** The result of writing a member. */
export type Written = {
  /** Hash of the member's bytes in the archive, lower-case hex. */
  sha256: string;
  /** True when the pieces ended before the announced size. The rest was filled with zeros. */
  isShort: boolean;
};

/** Writes members of an archive one after another. */
export type TarWriter = {
  /** Writes a member of exactly `sizeBytes`. */
  add: (
    name: string,
    sizeBytes: number,
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ) => Promise<Written>;
  /** Writes the end of the archive. */
  close: () => Promise<void>;
};

const ZEROS = Buffer.alloc(1024 * 1024);

/** Makes a writer. All members get the same time. */
export function createTarWriter(output: Output, modifiedAt: number): TarWriter {
  const modifiedSec = Math.floor(modifiedAt / 1000);
  return {
    async add(name, sizeBytes, pieces) {
      const hash = new Bun.CryptoHasher("sha256");
      let left = sizeBytes;
      const put = async (piece: Uint8Array) => {
        await output.write(piece);
        hash.update(piece);
        left -= piece.length;
      };
      await output.write(encodeHeader({ name, sizeBytes, modifiedSec }));
      for await (const piece of pieces) {
        await put(piece.subarray(0, left));
        if (left === 0) break;
      }
      const isShort = left > 0;
      while (left > 0) await put(ZEROS.subarray(0, Math.min(left, ZEROS.length)));
      await output.write(ZEROS.subarray(0, paddingOf(sizeBytes)));
      return { sha256: hash.digest("hex"), isShort };
    },
    close: () => output.write(END_OF_TAR),
  };
}
