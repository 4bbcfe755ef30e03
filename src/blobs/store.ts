import { existsSync, rmSync, statSync } from "node:fs";
import { type Db, prepared } from "../../db/client.ts";
import { moveDurably } from "./move.ts";
import { blobPath, type DataDir, isSha256 } from "./paths.ts";
import { type Shelf, setAside } from "./quarantine.ts";
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
 * Moves a staged file to its content address, or leaves it in place when those bytes are already there. Call it
 * inside `transact`, before writing the rows that name the file. The database's write lock also locks the store, so
 * no removal or sweep in any process can interfere. If the transaction fails, call {@link takeBackBlob} in a new
 * one.
 */
export function placeBlob(
  settings: DataDir,
  staged: Pick<StagedFile, "path" | "sha256" | "sizeBytes">,
): void {
  const path = blobPath(settings, staged.sha256);
  // A file of another size is damaged: the good bytes replace it.
  if (statSync(path, { throwIfNoEntry: false })?.size !== staged.sizeBytes) moveDurably(staged.path, path);
}

/**
 * Deletes what {@link placeBlob} placed for a transaction that failed. Bytes that were there before stay, even when
 * no version names them: an older database may lack their row. Call it before discarding the staged file.
 */
export function takeBackBlob(tx: Db, settings: DataDir, staged: Pick<StagedFile, "path" | "sha256">): void {
  if (!existsSync(staged.path)) removeBlobIfUnreferenced(tx, settings, staged.sha256);
}

/**
 * Moves the file with these bytes to the quarantine unless a version still names it. Call it in a separate transaction,
 * after the one that deleted the versions.
 */
export function setAsideIfUnreferenced(tx: Db, settings: DataDir, sha256: string, at: number): void {
  if (!isNamed(tx, sha256)) setAside(settings, blobPath(settings, sha256), at);
}

/**
 * Deletes the file with these bytes unless a version still names it, for an owner who deleted the last such
 * version. Call it in a separate transaction, after the one that deleted the version. In the same transaction, a
 * failed commit would bring the version back without its file.
 */
export function removeBlobIfUnreferenced(tx: Db, settings: DataDir, sha256: string): void {
  if (!isNamed(tx, sha256)) rmSync(blobPath(settings, sha256), { force: true });
}
