import { open } from "node:fs/promises";

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
): Promise<Result> {
  const handle = await open(path, "r");
  try {
    const { size: sizeBytes } = await handle.stat();
    let window = new Uint8Array(WINDOW_BYTES);
    let start = 0;
    let filled = 0;
    const read: FileWindow["read"] = async (offset, count) => {
      if (offset < start || offset + count > start + filled) {
        if (count > window.length) window = new Uint8Array(count);
        start = offset;
        filled = offset < sizeBytes ? (await handle.read(window, 0, window.length, offset)).bytesRead : 0;
      }
      return window.subarray(offset - start, Math.min(offset - start + count, filled));
    };
    return await work({ sizeBytes, read });
  } finally {
    await handle.close();
  }
}
