import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Deps } from "../kernel/deps.ts";
import { requireRoom, roomForFiles } from "../kernel/disk.ts";
import { DomainError } from "../kernel/errors.ts";
import { HEAD_BYTES, writeAll } from "../kernel/files.ts";
import { sizeInWords } from "../kernel/text.ts";
import { temporaryDir } from "./paths.ts";

/** A file that has been received and is safely on disk, but is not yet part of the library. */
export type StagedFile = {
  path: string;
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
  /** The first `HEAD_BYTES`, or the whole of a shorter file. */
  head: Uint8Array;
};

/** How many bytes may stay unflushed. Flushing while receiving shortens the wait at the end. */
const FLUSH_EVERY_BYTES = 32 * 1024 * 1024;

/**
 * Writes a stream to a temporary file, hashes it on the way, and flushes it to the disk. After any failure, including
 * one of the stream, no file is left.
 *
 * @throws DomainError `file_too_large` past `maxBytes`, `insufficient_storage` past the room for files on the disk;
 *   and whatever the stream throws.
 */
export async function stageFile(
  { settings }: Pick<Deps, "settings">,
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes }: { maxBytes: number },
): Promise<StagedFile> {
  const dir = temporaryDir(settings);
  const path = join(dir, `${process.pid}-${crypto.randomUUID()}.part`);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const file = await open(path, "wx", 0o600);
    try {
      return { path, ...(await writeStream(file, withinRoom(settings, chunks), maxBytes)) };
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Removes a staged file that did not become part of the library. Does nothing when the file was moved there. */
export async function discardStaged({ path }: Pick<StagedFile, "path">): Promise<void> {
  await rm(path, { force: true });
}

async function writeStream(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Omit<StagedFile, "path">> {
  const hash = new Bun.CryptoHasher("sha256");
  const head = new Uint8Array(HEAD_BYTES);
  const flusher = createFlusher(file);
  let sizeBytes = 0;
  // One chunk is being written while the next one is received and hashed.
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const chunk of chunks) {
      if (sizeBytes + chunk.length > maxBytes) throw tooLarge(maxBytes);
      if (sizeBytes < HEAD_BYTES) head.set(chunk.subarray(0, HEAD_BYTES - sizeBytes), sizeBytes);
      hash.update(chunk);
      await writing;
      writing = writeAll(file, chunk);
      writing.catch(() => undefined); // reported where it is awaited; until then it must not crash the process
      sizeBytes += chunk.length;
      flusher.wrote(chunk.length);
    }
    await writing;
    await flusher.settled();
    await file.datasync();
  } finally {
    // The caller closes the file: nothing may still be writing to it.
    await writing.catch(() => undefined);
    await flusher.settled();
  }
  return { sizeBytes, sha256: hash.digest("hex"), head: head.slice(0, Math.min(sizeBytes, HEAD_BYTES)) };
}

/** Passes chunks on as long as the disk keeps its reserve. It asks the disk regularly, because others write too. */
async function* withinRoom(
  settings: Deps["settings"],
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  requireRoom(settings, 0);
  let left = 0;
  for await (const chunk of chunks) {
    if (left < chunk.length) {
      requireRoom(settings, chunk.length);
      left = Math.min(roomForFiles(settings), FLUSH_EVERY_BYTES);
    }
    left -= chunk.length;
    yield chunk;
  }
}

/** Flushes a growing file in the background, one flush at a time. When a flush fails, the final flush fails too. */
export function createFlusher(file: FileHandle) {
  let unflushedBytes = 0;
  let flushing: Promise<void> | undefined;
  return {
    wrote(bytes: number): void {
      unflushedBytes += bytes;
      if (unflushedBytes < FLUSH_EVERY_BYTES || flushing) return;
      unflushedBytes = 0;
      const done = () => {
        flushing = undefined;
      };
      flushing = file.datasync().then(done, done);
    },
    settled: () => flushing ?? Promise.resolve(),
  };
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError("file_too_large", `A file may be at most ${sizeInWords(maxBytes)}`);
}
