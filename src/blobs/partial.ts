import { linkSync } from "node:fs";
import { copyFile, mkdir, open, readdir, rename, rm, stat, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readHead } from "../kernel/files.ts";
import { createBatchWriter } from "./batch-writer.ts";
import { type DataDir, temporaryDir } from "./paths.ts";
import { discardStaged, type StagedFile } from "./staging.ts";

/** The folder, inside the data folder, for files that arrive in pieces and survive a restart. */
export const PARTIALS_FOLDER = "uploads";

/** It is on the same file system as the originals. */
function partialsDir({ dataDir }: DataDir): string {
  return join(dataDir, PARTIALS_FOLDER);
}

/**
 * Returns the path of a file that arrives in pieces.
 *
 * @throws RangeError unless the id is 22 characters of base64url: it becomes part of a path.
 */
export function partialPath(settings: DataDir, id: string): string {
  if (!/^[\w-]{22}$/.test(id)) throw new RangeError("not the id of an upload");
  return join(partialsDir(settings), id);
}

/** Creates the empty file. */
export async function createPartial(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await (await open(path, "wx", 0o600)).close();
}

/** Moves a fully staged file to the path of a file that arrives in pieces. */
export async function adoptStaged(staged: StagedFile, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rename(staged.path, path);
}

/** Returns the size of the file in bytes, or undefined when it does not exist. */
export async function partialBytes(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** What a piece has made of a file. */
export type Appended = {
  /** The file's length. */
  bytes: number;
  /** The file's SHA-256 in lower-case hex; undefined when the piece does not begin the file. */
  sha256: string | undefined;
};

/**
 * Appends a stream at `offset`, which must be the file's length. When this returns or throws, every byte it took is
 * safely on the disk. What begins the file is hashed on the way.
 *
 * @param chunks Read until it ends, throws or has yielded `maxBytes`; the rest is not read. The memory of each chunk
 *   is given back once it is written.
 * @throws Whatever the stream or the disk throws.
 */
export async function appendPartial(
  path: string,
  { offset, maxBytes }: { offset: number; maxBytes: number },
  chunks: AsyncIterable<Uint8Array>,
): Promise<Appended> {
  const hash = offset === 0 ? new Bun.CryptoHasher("sha256") : undefined;
  const file = await open(path, "r+");
  const writer = createBatchWriter(file, offset);
  let takenBytes = 0;
  try {
    for await (const chunk of chunks) {
      const taken = chunk.subarray(0, maxBytes - takenBytes);
      takenBytes += taken.length;
      hash?.update(taken);
      await writer.write(taken);
      if (takenBytes === maxBytes) break;
    }
    await writer.end();
    return { bytes: offset + takenBytes, sha256: hash?.digest("hex") };
  } finally {
    await writer.end().catch(() => undefined);
    await file.datasync().catch(() => undefined);
    await file.close();
  }
}

/** Cuts a file that arrives in pieces to its first bytes. Does nothing when it does not exist. */
export async function cutPartial(path: string, bytes: number): Promise<void> {
  await truncate(path, bytes).catch(() => undefined);
}

/** Returns the SHA-256 of a file in lower-case hex. Reads the file in pieces. */
export async function partialHash(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * Returns a finished file under a second name, as a staged file for the library. If adding it to the library fails,
 * the first name still holds it.
 */
export async function stagePartial(settings: DataDir, path: string, sha256: string): Promise<StagedFile> {
  const second = join(temporaryDir(settings), `${process.pid}-${crypto.randomUUID()}.part`);
  await mkdir(dirname(second), { recursive: true, mode: 0o700 });
  try {
    linkSync(path, second);
  } catch {
    // For file systems without hard links.
    await copyFile(path, second);
  }
  const sizeBytes = (await partialBytes(second)) ?? 0;
  const staged = { path: second, sizeBytes, sha256, head: await readHead(second) };
  if (sizeBytes > 0) return staged;
  await discardStaged(staged);
  throw new Error(`${path} is gone`);
}

/** Deletes a file that arrived in pieces. Does nothing when it does not exist. */
export async function removePartial(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Returns the ids of all files that arrive in pieces. */
export async function listPartials(settings: DataDir): Promise<string[]> {
  return await readdir(partialsDir(settings)).catch(() => []);
}
