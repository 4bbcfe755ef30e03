import { open } from "node:fs/promises";
import type { FileSource, RemoteFile } from "../../kernel/file-source.ts";

/** An untrusted file with random access. */
export type FileWindow = {
  sizeBytes: number;
  /** Returns `count` bytes from `offset` on, fewer at the end of the file. The view is valid until the next call. */
  read: (offset: number, count: number) => Promise<Uint8Array>;
};

const WINDOW_BYTES = 64 * 1024;

/** Opens a file for `work` and always closes it. @throws The system's error when it cannot be read. */
export async function withFile<Result>(
  path: string,
  work: (file: FileWindow) => Promise<Result>,
  memory?: Uint8Array,
): Promise<Result> {
  const handle = await open(path, "r");
  try {
    const { size: sizeBytes } = await handle.stat();
    return await work(
      windowOf(
        sizeBytes,
        async (target, offset) => {
          const { bytesRead } = await handle.read(target, 0, target.length, offset);
          return bytesRead;
        },
        memory,
      ),
    );
  } finally {
    await handle.close();
  }
}

/**
 * Opens a file, wherever it is, for `work`.
 *
 * @param memory What is read into, for whoever opens many files; all that `work` keeps of it must be copied.
 * @throws As `RemoteFile.open` does; the system's error when a file on this machine cannot be read.
 */
export function withSource<Result>(
  source: FileSource,
  sizeBytes: number,
  work: (file: FileWindow) => Promise<Result>,
  memory?: Uint8Array,
): Promise<Result> {
  if (typeof source === "string") return withFile(source, work, memory);
  const readInto: ReadInto = (target, offset) => readRemote(source, target, { offset, sizeBytes });
  return work(windowOf(sizeBytes, readInto, memory));
}

/** Reads as many bytes as there are into `target`, and returns their number. */
type ReadInto = (target: Uint8Array, offset: number) => Promise<number>;

/** Keeps the part of a file that was read last. */
function windowOf(
  sizeBytes: number,
  readInto: ReadInto,
  memory: Uint8Array = new Uint8Array(WINDOW_BYTES),
): FileWindow {
  let window: Uint8Array = memory;
  let start = 0;
  let filled = 0;
  const read: FileWindow["read"] = async (offset, count) => {
    if (offset < start || offset + count > start + filled) {
      if (count > window.length) window = new Uint8Array(count);
      start = offset;
      filled = offset < sizeBytes ? await readInto(window, offset) : 0;
    }
    return window.subarray(offset - start, Math.min(offset - start + count, filled));
  };
  return { sizeBytes, read };
}

async function readRemote(
  file: RemoteFile,
  target: Uint8Array,
  { offset, sizeBytes }: { offset: number; sizeBytes: number },
): Promise<number> {
  let filled = 0;
  const end = Math.min(offset + target.length, sizeBytes);
  for await (const bytes of await file.open({ start: offset, end })) {
    const taken = bytes.subarray(0, target.length - filled);
    target.set(taken, filled);
    filled += taken.length;
  }
  return filled;
}
