import { open } from "node:fs/promises";

/** Bytes from `start` up to, not including, `end`. */
export type ByteRange = { start: number; end: number };

/** A file that is not on this machine. */
export type RemoteFile = {
  /**
   * Opens the whole file or a part of it. The bytes come as they are read; cancelling the stream ends the transfer.
   *
   * @throws DomainError `file_missing` when there is no such file, `storage_unavailable` when the store does not answer.
   */
  open: (range?: ByteRange) => Promise<ReadableStream<Uint8Array>>;
  /** Asks the store whether it has the file, without reading it. @throws DomainError `storage_unavailable`. */
  isThere: () => Promise<boolean>;
  /**
   * Returns an address that serves the file to anyone for a few minutes, under a media type and with a
   * Content-Disposition; undefined when the settings do not allow it.
   */
  link: (as: { mediaType: string; disposition: string }) => string | undefined;
};

/** Where a file's bytes are: its absolute path on this machine, or another one. */
export type FileSource = string | RemoteFile;

const BLOCK_BYTES = 256 * 1024;
const WHOLE: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY };

/** Returns memory for {@link bytesOf}. */
export const newBlock = (): Buffer => Buffer.allocUnsafeSlow(BLOCK_BYTES);

/**
 * Yields the bytes of a file, or of a part of it, for a reader that is done with each chunk before it asks for the next: the chunks of a
 * file on this machine are the same memory. Fresh memory for each would have to be collected, which the runtime does late.
 *
 * @param block Memory to read into, for a reader of many files, one after the other.
 * @throws As {@link RemoteFile.open} does.
 */
export async function* bytesOf(
  source: FileSource,
  { start, end }: ByteRange = WHOLE,
  block = newBlock(),
): AsyncGenerator<Uint8Array> {
  if (typeof source !== "string") {
    yield* await source.open(end === Number.POSITIVE_INFINITY ? undefined : { start, end });
    return;
  }
  const file = await open(source, "r");
  try {
    for (let at = start; at < end; ) {
      const { bytesRead } = await file.read(block, 0, Math.min(block.length, end - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
