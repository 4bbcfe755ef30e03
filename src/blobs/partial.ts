import { linkSync } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asStorageError } from "./full-disk.ts";
import { type DataDir, temporaryDir } from "./paths.ts";
import { discardStaged, HEAD_BYTES, type StagedFile } from "./staging.ts";

/** Name, in the data folder, of the folder of files that come in pieces and outlive the process. */
export const PARTIALS_FOLDER = "uploads";

/** On the same file system as the originals. */
function partialsDir({ dataDir }: DataDir): string {
  return join(dataDir, PARTIALS_FOLDER);
}

/**
 * Returns the path of a file that comes in pieces.
 *
 * @throws RangeError for an id that is not 22 characters of base64url: it becomes part of a path.
 */
export function partialPath(settings: DataDir, id: string): string {
  if (!/^[\w-]{22}$/.test(id)) throw new RangeError("not the id of an upload");
  return join(partialsDir(settings), id);
}

/** Makes the empty file. @throws DomainError `insufficient_storage`. */
export async function createPartial(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    throw asStorageError(error);
  }
}

/** Puts a file that was staged whole in the place of one that would have come in pieces. */
export async function adoptStaged(staged: StagedFile, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rename(staged.path, path);
}

/** Returns how many bytes there are, or undefined when there is no such file. */
export async function partialBytes(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/**
 * Appends what comes in behind `offset`, which must be the file's length. When this returns or throws, every byte that was
 * taken is on the disk, and stays there.
 *
 * @param chunks Read until it ends, throws, or has given `maxBytes`; the rest is left.
 * @returns The file's length.
 * @throws DomainError `insufficient_storage`; whatever the stream throws.
 */
export async function appendPartial(
  path: string,
  { offset, maxBytes }: { offset: number; maxBytes: number },
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  const file = await open(path, "r+");
  let position = offset;
  try {
    for await (const chunk of chunks) {
      const taken = chunk.subarray(0, maxBytes - (position - offset));
      await writeAll(file, taken, position);
      position += taken.length;
      if (position - offset === maxBytes) break;
    }
    return position;
  } catch (error) {
    throw asStorageError(error);
  } finally {
    await file.datasync().catch(() => undefined);
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < chunk.length)
    written += (await file.write(chunk, written, chunk.length - written, position + written)).bytesWritten;
}

/** Returns the first 64 KB of a file, or all of a shorter one. */
export async function partialHead(path: string): Promise<Uint8Array> {
  return new Uint8Array(await Bun.file(path).slice(0, HEAD_BYTES).arrayBuffer());
}

/** Returns the SHA-256 of a file in lower-case hex; reads it piece by piece. */
export async function partialHash(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * Returns a finished file under a second name, as a staged one that can become part of the library: should that fail, the
 * first name still has it.
 */
export async function stagePartial(settings: DataDir, path: string, sha256: string): Promise<StagedFile> {
  const second = join(temporaryDir(settings), `${process.pid}-${crypto.randomUUID()}.part`);
  await mkdir(dirname(second), { recursive: true, mode: 0o700 });
  try {
    linkSync(path, second);
  } catch {
    // File systems without hard links.
    await copyFile(path, second);
  }
  const sizeBytes = (await partialBytes(second)) ?? 0;
  const staged = { path: second, sizeBytes, sha256, head: await partialHead(second) };
  if (sizeBytes > 0) return staged;
  await discardStaged(staged);
  throw new Error(`${path} is gone`);
}

/** Deletes a file that came in pieces; does nothing where there is none. */
export async function removePartial(path: string): Promise<void> {
  await rm(path, { force: true });
}

/** Returns the ids of all such files. */
export async function listPartials(settings: DataDir): Promise<string[]> {
  return await readdir(partialsDir(settings)).catch(() => []);
}
