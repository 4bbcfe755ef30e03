import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { eq } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { versions } from "../../db/schema.ts";
import { blobPath, type DataDir } from "./paths.ts";
import type { StagedFile } from "./staging.ts";

export { blobPath } from "./paths.ts";
export { discardStaged, type StagedFile, stageFile } from "./staging.ts";
export { sweepBlobs } from "./sweep.ts";

/**
 * Moves a staged file to its content address, or drops it when those bytes are already there. Call it inside
 * `transact`, before the rows that name the file are written: the database's write lock is the lock of the store, so
 * no removal and no sweep, of this process or another, can come between. When the transaction then fails, call
 * {@link removeBlobIfUnreferenced} in a new one.
 */
export function placeBlob(
  settings: DataDir,
  staged: Pick<StagedFile, "path" | "sha256" | "sizeBytes">,
): void {
  const path = blobPath(settings, staged.sha256);
  // A file of another size is a damaged one: the good bytes take its place.
  if (statSync(path, { throwIfNoEntry: false })?.size === staged.sizeBytes) {
    rmSync(staged.path, { force: true });
    return;
  }
  const dir = dirname(path);
  const firstMade = mkdirSync(dir, { recursive: true, mode: 0o700 });
  renameSync(staged.path, path);
  // A new name outlives a power cut once the folder that holds it is on the disk: the file's, and new folders'.
  const top = firstMade === undefined ? dir : dirname(firstMade);
  for (let each = dir; each.length >= top.length; each = dirname(each)) flushDir(each);
}

/**
 * Deletes the file with these bytes unless a version still has it. Call it in a transaction of its own, after the one
 * that deleted the version: were it the same one, a failed commit would bring the version back without its file.
 */
export function removeBlobIfUnreferenced(tx: Db, settings: DataDir, sha256: string): void {
  const user = tx.select({ id: versions.id }).from(versions).where(eq(versions.sha256, sha256)).get();
  if (!user) rmSync(blobPath(settings, sha256), { force: true });
}

function flushDir(path: string): void {
  // There, folders cannot be opened.
  if (process.platform === "win32") return;
  const dir = openSync(path, "r");
  try {
    fsyncSync(dir);
  } finally {
    closeSync(dir);
  }
}
