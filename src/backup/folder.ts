import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type KeptFile, listOriginals } from "../blobs/kept.ts";
import { flush } from "../blobs/move.ts";
import { LibraryError } from "../kernel/errors.ts";
import { takeLock } from "../kernel/file-lock.ts";
import { isInside } from "../kernel/is-inside.ts";
import { createPool, type Pool } from "../kernel/pool.ts";
import { isPicturePath } from "../modules/library/artwork/service.ts";
import { forgetFormerSecret, type Outcome, type StartProgress, secondsSince } from "./backup.ts";
import { asRefusal } from "./errors.ts";
import type { Finding, Report } from "./finding.ts";
import { type BackupDeps, type Frozen, withFrozenLibrary } from "./freeze.ts";
import { openKept } from "./open-kept.ts";
import { createFile } from "./output.ts";
import { createPieceReader, hashFile, type PieceReader } from "./pieces.ts";
import {
  listSnapshots,
  readManifest,
  readSums,
  removeLeftovers,
  snapshotPath,
  snapshotsFolder,
} from "./snapshots.ts";
import type { Sum } from "./sums.ts";
import { readable, writeSnapshot } from "./write-backup.ts";

/** How many files are flushed at once: a disk flushes several as fast as one. */
export const FLUSHED_AT_ONCE = 8;

/** An {@link Outcome}, with the paths of the files that were new to the folder. */
export type FolderOutcome = Outcome & { copied: ReadonlySet<string> };

/**
 * Backs the library up to a folder that all its snapshots share. Writes a new archive of the database to `snapshots/`
 * and copies the files that are not there yet. An archive that lacks a file of the library is called `.damaged`.
 *
 * @throws LibraryError when the folder cannot be used, or another backup writes to it.
 */
export async function backUpToFolder(
  deps: BackupDeps,
  dir: string,
  start: StartProgress,
): Promise<FolderOutcome> {
  const lock = takeFolderLock(deps);
  try {
    if (isInside(dir, deps.settings.dataDir))
      throw new LibraryError(`${dir} is inside DATA_DIR: choose a folder on another disk`);
    mkdirSync(snapshotsFolder(dir), { recursive: true, mode: 0o700 });
    removeLeftovers(dir);
    return await write(deps, dir, start);
  } catch (error) {
    throw asRefusal(error, dir);
  } finally {
    lock.release();
  }
}

/** Keeps other processes from writing snapshots of this library. @throws LibraryError when one is doing so. */
export function takeFolderLock({ settings }: Pick<BackupDeps, "settings">): { release: () => void } {
  const lock = existsSync(settings.dataDir)
    ? takeLock(join(settings.dataDir, "backup-folder.lock"))
    : { release: () => undefined };
  if (!lock) throw new LibraryError("Another backup of this library to a folder is running: try again later");
  return lock;
}

async function write(deps: BackupDeps, dir: string, start: StartProgress): Promise<FolderOutcome> {
  const startedAt = performance.now();
  const at = deps.now();
  const path = snapshotPath(dir, at);
  if (existsSync(path)) throw new LibraryError(`${path} exists: try again`);
  const partial = `${path}.partial`;
  const copy = { databasePath: `${partial}.db`, kind: "snapshot", at } as const;
  return withFrozenLibrary(deps, copy, async (frozen) => {
    const earlier = await earlierSums(dir, frozen);
    const faults: Finding[] = [];
    const { sums, copiedBytes, files, copied } = await shareFiles(deps, dir, frozen, {
      earlier,
      start,
      report: (finding) => void faults.push(finding),
    });
    const output = await createFile(partial);
    await writeSnapshot(deps.settings, frozen, output, sums);
    const { bytes, sha256 } = await output.end();
    const file = faults.length > 0 ? `${path}.damaged` : path;
    renameSync(partial, file);
    flush(snapshotsFolder(dir));
    if (faults.length === 0) forgetFormerSecret(deps);
    const seconds = secondsSince(startedAt);
    return { backup: { file, bytes: bytes + copiedBytes, files, sha256, seconds }, faults, copied };
  });
}

/** Returns the sums of the pictures in the newest snapshot. @throws LibraryError when another library made it. */
async function earlierSums(dir: string, { manifest }: Frozen): Promise<Map<string, string>> {
  const newest = listSnapshots(dir).at(-1);
  const sums = new Map<string, string>();
  if (!newest) return sums;
  const earlier = await readManifest(newest.path);
  if (earlier && earlier.storeId !== manifest.storeId)
    throw new LibraryError(`${dir} has backups of another library: choose another folder`);
  for await (const { path, sha256 } of readSums(newest.path)) if (isPicturePath(path)) sums.set(path, sha256);
  return sums;
}

type Sharing = {
  settings: BackupDeps["settings"];
  dir: string;
  reader: PieceReader;
  pool: Pool;
  /** Folders with new entries. */
  changed: Set<string>;
  report: Report;
  /** Receives the number of bytes copied. */
  read: (bytes: number) => void;
  copied: Set<string>;
};

/** Copies the files that the folder does not have yet. */
async function shareFiles(
  { settings }: BackupDeps,
  dir: string,
  frozen: Frozen,
  { earlier, start, report }: { earlier: Map<string, string>; start: StartProgress; report: Report },
): Promise<{ sums: Sum[]; copiedBytes: number; files: number; copied: Set<string> }> {
  const progress = start(newBytes(dir, frozen));
  const copied = new Set<string>();
  let copiedBytes = 0;
  const read = (bytes: number) => {
    copiedBytes += bytes;
    progress.add(bytes);
  };
  const [reader, pool, changed] = [createPieceReader(), createPool(FLUSHED_AT_ONCE), new Set<string>()];
  const sharing: Sharing = { settings, dir, reader, pool, changed, report, read, copied };
  const sums: Sum[] = [];
  let files = 0;
  try {
    for (const picture of frozen.pictures) {
      const known = isShared(dir, picture) ? earlier.get(picture.path) : undefined;
      const sha256 = known ?? (await sharePicture(sharing, picture));
      if (sha256 === undefined) continue;
      sums.push({ path: picture.path, sha256 });
      files++;
    }
    for (const original of listOriginals(frozen.db))
      if (isShared(dir, original) || (await copy(sharing, original)) !== undefined) files++;
    await pool.end();
    for (const folder of changed) flush(folder);
    return { sums, copiedBytes, files, copied };
  } finally {
    await pool.end().catch(() => undefined);
    progress.end();
  }
}

/** True when the folder has the file with its expected size. */
function isShared(dir: string, { path, sizeBytes }: KeptFile): boolean {
  const found = statSync(join(dir, path), { throwIfNoEntry: false });
  return found !== undefined && (sizeBytes === undefined || found.size === sizeBytes);
}

function newBytes(dir: string, { pictures, db }: Frozen): number {
  let bytes = 0;
  for (const files of [pictures, listOriginals(db)])
    for (const file of files) if (!isShared(dir, file)) bytes += file.sizeBytes ?? 0;
  return bytes;
}

async function sharePicture(sharing: Sharing, picture: KeptFile): Promise<string | undefined> {
  if (!isShared(sharing.dir, picture)) return copy(sharing, picture);
  return hashFile(join(sharing.dir, picture.path), sharing.reader);
}

/** Copies a file of the library to the folder. Returns its hash; undefined when it is missing or damaged. */
async function copy(
  { settings, dir, reader, pool, changed, report, read, copied }: Sharing,
  { path, id, sha256: expected }: KeptFile,
): Promise<string | undefined> {
  const file = await openKept(settings, path);
  if (!file) {
    report({ kind: "missing", id, path, detail: "The file is missing from the library" });
    return undefined;
  }
  const target = join(dir, path);
  const partial = `${target}.partial`;
  makeFolder(dirname(target), changed);
  rmSync(partial, { force: true });
  const output = await createFile(partial);
  try {
    const kept = readable(reader.pieces(file), read);
    for await (const piece of kept.pieces()) await output.write(piece);
    await output.settled();
    const sha256 = output.sha256();
    if (kept.hasFailed() || (expected !== undefined && sha256 !== expected)) {
      report({ kind: "damaged", id, path, detail: kept.fault() });
      await output.abandon();
      rmSync(partial);
      return undefined;
    }
    await pool.add(async () => {
      await output.end();
      renameSync(partial, target);
      copied.add(path);
    });
    return sha256;
  } catch (error) {
    await output.abandon();
    throw error;
  } finally {
    await file.close();
  }
}

/** Makes a folder, and records every folder that gets a new entry. */
function makeFolder(folder: string, changed: Set<string>): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  changed.add(folder);
  if (first === undefined) return;
  for (let each = dirname(folder); each.length >= dirname(first).length; each = dirname(each))
    changed.add(each);
}
