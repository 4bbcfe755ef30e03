import { existsSync, rmSync, statSync } from "node:fs";
import { type Db, prepared } from "../../db/client.ts";
import { moveDurably } from "./move.ts";
import { blobPath, type DataDir, isSha256 } from "./paths.ts";
import { locateSetAside, type Shelf, setAside, takeOut } from "./quarantine.ts";
import type { StagedFile } from "./staging.ts";

export { blobPath } from "./paths.ts";
export { discardStaged, type StagedFile, stageFile } from "./staging.ts";

const anyVersion = prepared((db) =>
  db.$client.prepare<{ id: string }, [string]>("SELECT id FROM versions WHERE sha256 = ? LIMIT 1"),
);
const isNamed = (db: Db, sha256: string): boolean => anyVersion(db).get(sha256) !== null;

/** The originals: `audio/ab/cd/abcd…`, named by versions. */
export const audioShelf: Shelf = { folder: "audio", isOurs: isSha256, isNamed };

/**
 * Moves a staged file to its content address, or leaves it in place when those bytes are already there or come back
 * from the quarantine. Call it inside `transact`, before writing the rows that name the file. The database's write
 * lock also locks the store, so no removal or sweep in any process can interfere. If the transaction fails, call
 * {@link takeBackBlob} in a new one.
 */
export function placeBlob(
  settings: DataDir,
  staged: Pick<StagedFile, "path" | "sha256" | "sizeBytes">,
): void {
  const path = blobPath(settings, staged.sha256);
  // A file of another size is damaged: the good bytes replace it.
  if (statSync(path, { throwIfNoEntry: false })?.size === staged.sizeBytes) return;
  if (!takeOut(settings, path, staged.sizeBytes)) moveDurably(staged.path, path);
}

/**
 * Deletes what {@link placeBlob} placed for a transaction that failed. Bytes that were there before stay, even when
 * no version names them: an older database may lack their row. Call it before discarding the staged file.
 */
export function takeBackBlob(tx: Db, settings: DataDir, staged: Pick<StagedFile, "path" | "sha256">): void {
  if (!existsSync(staged.path) && !isNamed(tx, staged.sha256))
    rmSync(blobPath(settings, staged.sha256), { force: true });
}

/**
 * Moves the file with these bytes to the quarantine unless a version still names it, for an owner who deleted the last
 * such version. Call it in a separate transaction, after the one that deleted the version. In the same transaction, a
 * failed commit would bring the version back without its file.
 */
export function setAsideIfUnreferenced(tx: Db, settings: DataDir, sha256: string, at: number): void {
  if (!isNamed(tx, sha256)) setAside(settings, blobPath(settings, sha256), at);
}

/**
 * Returns the path of a version's file, brought back from the quarantine if it is there. Undefined when the file is
 * missing.
 */
export function findBlob(settings: DataDir, sha256: string): string | undefined {
  const path = blobPath(settings, sha256);
  if (!existsSync(path)) takeOut(settings, path);
  // On a full or read-only disk, the file is served from the quarantine.
  return locateBlob(settings, sha256);
}

/** Returns where the file with these bytes is, in its place or in the quarantine. Undefined when it is missing. */
export function locateBlob(settings: DataDir, sha256: string): string | undefined {
  const path = blobPath(settings, sha256);
  return existsSync(path) ? path : locateSetAside(settings, path);
}
