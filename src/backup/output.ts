import { write } from "node:fs";
import { open, stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { createFlusher } from "../blobs/staging.ts";
import { LibraryError } from "../kernel/errors.ts";

/** Writes and hashes a stream of bytes. */
export type Output = {
  /** Adds a piece. It is still being written when this returns: do not change it before two more calls. */
  write: (piece: Uint8Array) => Promise<void>;
  /** Waits until every piece is written. Then the caller may change them. */
  settled: () => Promise<void>;
  /** Returns the hash of all pieces, lower-case hex. */
  sha256: () => string;
  /** Waits until everything is written and, for a file, flushed. */
  end: () => Promise<{ bytes: number; sha256: string }>;
  /** Gives up: waits for the write in progress and closes the file. Does nothing after `end`. */
  abandon: () => Promise<void>;
};

const STDOUT = 1;
const PIPE_FULL_WAIT_MS = 2;

/** Creates a file that only its owner can read. @throws The system error, such as `EEXIST`. */
export async function createFile(path: string): Promise<Output> {
  const file = await open(path, "wx", 0o600);
  const flusher = createFlusher(file);
  return toOutput({
    write: (piece) => writeAll(piece, (rest) => file.write(rest).then(({ bytesWritten }) => bytesWritten)),
    wrote: flusher.wrote,
    finish: async () => {
      await flusher.settled();
      await file.sync();
      const [own, there] = [await file.stat(), await stat(path)];
      if (own.ino !== there.ino)
        throw new LibraryError(`Another process is writing ${path} too: start the backup again`);
      await file.close();
    },
    release: async () => {
      await flusher.settled();
      await file.close();
    },
  });
}

/** Writes to standard output, and waits for a slow reader. */
export function standardOutput(): Output {
  const writeTo = promisify(write);
  const attempt = async (rest: Uint8Array): Promise<number> => {
    try {
      return (await writeTo(STDOUT, rest)).bytesWritten;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      await setTimeout(PIPE_FULL_WAIT_MS);
      return 0;
    }
  };
  return toOutput({ write: (piece) => writeAll(piece, attempt) });
}

type Target = {
  write: (piece: Uint8Array) => Promise<void>;
  wrote?: (bytes: number) => void;
  finish?: () => Promise<void>;
  release?: () => Promise<void>;
};

function toOutput({ write, wrote, finish, release }: Target): Output {
  const hash = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  let writing: Promise<void> = Promise.resolve();
  let isOver = false;
  return {
    async write(piece) {
      await writing;
      writing = write(piece);
      writing.catch(() => undefined); // reported where it is awaited; until then it must not crash the process
      hash.update(piece);
      bytes += piece.length;
      wrote?.(piece.length);
    },
    settled: () => writing,
    sha256: () => hash.copy().digest("hex"),
    async end() {
      await writing;
      await finish?.();
      isOver = true;
      return { bytes, sha256: hash.digest("hex") };
    },
    async abandon() {
      if (isOver) return;
      isOver = true;
      await writing.catch(() => undefined);
      await release?.();
    },
  };
}

/** Writes all of `piece`: a pipe or a nearly full disk may take only a part at first. */
async function writeAll(piece: Uint8Array, attempt: (rest: Uint8Array) => Promise<number>): Promise<void> {
  for (let done = 0; done < piece.length; ) done += await attempt(piece.subarray(done));
}
