import { existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LibraryError } from "../kernel/errors.ts";
import { type ByteSource, createByteSource } from "./byte-source.ts";
import { asRefusal } from "./errors.ts";
import { createPieceReader } from "./pieces.ts";
import { listSnapshots, type Snapshot, snapshotsFolder } from "./snapshots.ts";

/** The place of an archive and of the files beside it. */
export type BackupPlace = {
  /** `-` for standard input. */
  archive: string;
  /** The folder around a snapshot, which has its files. Undefined when the archive is not in such a folder. */
  shared: string | undefined;
};

/** Returns true when a path stands for a folder of snapshots: it ends in a slash, or is a folder. */
export function isFolder(path: string): boolean {
  // For a path below a file, `statSync` throws and `existsSync` returns false.
  return path.endsWith("/") || (existsSync(path) && statSync(path).isDirectory());
}

/**
 * Finds a backup.
 *
 * @param at For a folder: take the newest snapshot that is not later. When left out, the newest of all.
 * @throws LibraryError when there is no such backup.
 */
export function findBackup(path: string, at?: number): BackupPlace {
  if (path === "-") return { archive: path, shared: undefined };
  if (isFolder(path)) return { archive: snapshotBefore(path, at).path, shared: path };
  if (!existsSync(path)) throw new LibraryError(`There is no file ${path}`);
  const folder = dirname(dirname(path));
  const isInFolder = basename(dirname(path)) === basename(snapshotsFolder(folder));
  return { archive: path, shared: isInFolder ? folder : undefined };
}

/** Returns every snapshot in a folder, newest first. @throws LibraryError when the folder has no snapshots. */
export function listBackups(dir: string): BackupPlace[] {
  const places = listSnapshots(dir).map(({ path }) => ({ archive: path, shared: dir }));
  if (places.length > 0) return places.reverse();
  throw new LibraryError(`There are no snapshots in ${snapshotsFolder(dir)}`);
}

function snapshotBefore(dir: string, at = Number.POSITIVE_INFINITY): Snapshot {
  const snapshots = listSnapshots(dir);
  const found = snapshots.findLast((snapshot) => snapshot.at <= at);
  if (found) return found;
  const oldest = snapshots[0];
  if (!oldest) throw new LibraryError(`There are no snapshots in ${snapshotsFolder(dir)}`);
  throw new LibraryError(`The oldest snapshot in ${dir} is from ${new Date(oldest.at).toISOString()}`);
}

/** Opens an archive and calls `work` with its bytes. */
export async function withArchive<Result>(
  { archive }: BackupPlace,
  work: (source: ByteSource) => Promise<Result>,
): Promise<Result> {
  if (archive === "-") return work(createByteSource(Bun.stdin.stream()[Symbol.asyncIterator]()));
  const file = await open(archive, "r").catch((error) => {
    throw asRefusal(error, archive);
  });
  const pieces = createPieceReader().pieces(file);
  try {
    return await work(createByteSource(pieces));
  } finally {
    await pieces.return(undefined);
    await file.close();
  }
}

/** Returns the size of an archive in bytes; 0 when it is unknown. */
export function archiveBytes({ archive }: BackupPlace): number {
  return archive === "-" ? 0 : (statSync(archive, { throwIfNoEntry: false })?.size ?? 0);
}

/** Returns the path of a file in the folder around a snapshot. */
export function sharedPath({ shared }: BackupPlace, path: string): string | undefined {
  return shared === undefined ? undefined : join(shared, path);
}
