import type { ByteSource } from "./byte-source.ts";
import type { Report } from "./finding.ts";
import type { Output } from "./output.ts";
import { BLOCK_BYTES, decodeHeader, END_OF_TAR, type Header, paddingOf } from "./tar.ts";

/** The rest of a damaged archive cannot be read. The damage was reported before this is thrown. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/** Reads the members of an archive one after another. */
export type MemberReader = {
  /** Returns the next header. Read its member before the next call. */
  next: () => Promise<Header>;
  /** Returns the next header, which must have this name. */
  expect: (name: string) => Promise<Header>;
  /** Reads a member to its end, into `output` where there is one. Returns its hash, lower-case hex. */
  copy: (header: Header, output?: Output) => Promise<string>;
  /** Yields the bytes of a member in pieces. */
  pieces: (header: Header) => AsyncGenerator<Uint8Array>;
  /** Reads the end of the archive. Nothing may follow it. */
  end: () => Promise<void>;
  /** Reports a damaged member after which nothing can be read. */
  giveUp: (name: string, detail: string) => never;
};

/**
 * Makes a reader. Its methods throw {@link UnreadableError} for anything that a backup would not have written.
 *
 * @param read Receives the number of bytes in each piece of a member.
 */
export function createMemberReader(
  source: ByteSource,
  { report, read }: { report: Report; read: (bytes: number) => void },
): MemberReader {
  let last = "the beginning";
  const giveUp = (name: string, detail: string): never => {
    report({ kind: "damaged", id: name, path: name, detail });
    throw new UnreadableError(detail);
  };
  const takeZeros = async (zeros: Buffer, name: string) => {
    if (!(await source.take(zeros.length)).equals(zeros))
      giveUp(name, "The archive is cut or damaged after this file");
  };
  const next = async () => {
    const header = decodeHeader(await source.take(BLOCK_BYTES));
    if (!header) return giveUp(last, "The archive is cut or damaged after this file");
    last = header.name;
    return header;
  };
  async function* pieces({ name, sizeBytes }: Header): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const piece of source.stream(sizeBytes)) {
      yield piece;
      bytes += piece.length;
      read(piece.length);
    }
    if (bytes < sizeBytes) giveUp(name, "The archive is cut within this file");
    await takeZeros(END_OF_TAR.subarray(0, paddingOf(sizeBytes)), name);
  }
  return {
    next,
    async expect(name) {
      const header = await next();
      return header.name === name
        ? header
        : giveUp(header.name, `The archive has this file instead of ${name}`);
    },
    async copy(header, output) {
      const hash = new Bun.CryptoHasher("sha256");
      for await (const piece of pieces(header)) {
        await output?.write(piece);
        hash.update(piece);
      }
      await output?.settled();
      return hash.digest("hex");
    },
    pieces,
    async end() {
      await takeZeros(END_OF_TAR, last);
      if ((await source.take(1)).length > 0) giveUp(last, "Something follows the end of the archive");
    },
    giveUp,
  };
}
