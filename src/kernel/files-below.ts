import { constants, lstatSync, readlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";

/** Why a file is not read: there is none, or it is not a plain file below the folder. */
export type NotBelow = "missing" | "link" | "not a file" | "outside";

/** A path that is not what a folder from outside says it is. */
export class NotBelowError extends Error {
  readonly reason: NotBelow;
  constructor(reason: NotBelow) {
    super(`not a file below the folder: ${reason}`);
    this.reason = reason;
  }
}

const CHUNK_BYTES = 1024 * 1024;
/** Opens nothing through a link in the last part. A pipe without a writer does not keep the open waiting. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** On macOS: opens nothing through a link in any part (`O_NOFOLLOW_ANY`). */
const NO_LINK_ANYWHERE = process.platform === "darwin" ? 0x2000_0000 : 0;

/**
 * Opens a regular file below a folder that comes from outside. No part of the path may be a link. On Linux and macOS a
 * folder that is replaced by a link meanwhile is noticed too.
 *
 * @param root An absolute path without links.
 * @param path Relative to `root`, with `/`.
 * @throws NotBelowError unless it is a regular file below `root`; the system's error when this user may not read it.
 */
export async function openBelow(root: string, path: string): Promise<FileHandle> {
  const parts = path.split("/");
  if (path.includes("\0") || parts.some((part) => part === "" || part === "." || part === ".."))
    throw new NotBelowError("outside");
  for (let depth = 1; depth < parts.length; depth++)
    refuseLink(join(root, ...parts.slice(0, depth)), "folder");
  const whole = join(root, ...parts);
  refuseLink(whole, "file");
  const file = await open(whole, FLAGS | NO_LINK_ANYWHERE).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") throw new NotBelowError("missing");
    throw error.code === "ELOOP" ? new NotBelowError("link") : error;
  });
  try {
    if (!(await file.stat()).isFile()) throw new NotBelowError("not a file");
    if (process.platform === "linux" && readlinkSync(`/proc/self/fd/${file.fd}`) !== whole)
      throw new NotBelowError("outside");
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function refuseLink(path: string, wanted: "folder" | "file"): void {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (!seen) throw new NotBelowError("missing");
  if (seen.isSymbolicLink()) throw new NotBelowError("link");
  if (!(wanted === "folder" ? seen.isDirectory() : seen.isFile())) throw new NotBelowError("not a file");
}

/** Yields the bytes of such a file, and closes it. @throws As {@link openBelow} does, before the first bytes. */
export async function* bytesBelow(root: string, path: string): AsyncGenerator<Uint8Array> {
  const file = await openBelow(root, path);
  try {
    for (let position = 0; ; ) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
