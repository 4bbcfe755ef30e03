import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { flush } from "../blobs/move.ts";
import { temporaryDir } from "../blobs/paths.ts";
import { LibraryError } from "../kernel/errors.ts";
import { SECOND_MS } from "../kernel/time.ts";
import { asRefusal } from "./errors.ts";
import type { Finding } from "./finding.ts";
import { type BackupDeps, type Frozen, withFrozenLibrary } from "./freeze.ts";
import { SECRET } from "./manifest.ts";
import { isFolder } from "./open-backup.ts";
import { createFile, type Output, standardOutput } from "./output.ts";
import type { Progress } from "./progress.ts";
import { writeWhole } from "./write-backup.ts";

/** The result of a backup. */
export type Backup = {
  /** Where it is; `-` for standard output. */
  file: string;
  /** How many bytes were written. */
  bytes: number;
  /** How many of the library's files it holds. */
  files: number;
  /** Hash of the archive, lower-case hex. */
  sha256: string;
  seconds: number;
};

/** A backup, and the files of the library that were missing or damaged. */
export type Outcome = { backup: Backup; faults: Finding[] };

/** Starts the progress display for this many bytes. */
export type StartProgress = (totalBytes: number) => Progress;

/**
 * Backs the library up to a new file. Until it is whole and flushed, it is called `FILE.partial`. If a file of the
 * library is missing or damaged, the backup holds the rest and is called `FILE.damaged`.
 *
 * @throws LibraryError when the file exists or cannot be written.
 */
export async function backUpToFile(deps: BackupDeps, path: string, start: StartProgress): Promise<Outcome> {
  const startedAt = performance.now();
  const [damaged, partial, databasePath] = [`${path}.damaged`, `${path}.partial`, `${path}.partial.db`];
  for (const taken of [path, damaged]) refuseExisting(taken);
  if (!isFolder(dirname(path))) throw new LibraryError(`There is no folder ${dirname(path)}`);
  try {
    for (const leftover of [partial, databasePath]) rmSync(leftover, { force: true });
    return await withFrozenLibrary(deps, { databasePath, kind: "whole", at: deps.now() }, async (frozen) => {
      const { files, faults, bytes, sha256 } = await write(deps, frozen, await createFile(partial), start);
      const file = faults.length > 0 ? damaged : path;
      refuseExisting(file);
      renameSync(partial, file);
      flush(dirname(path));
      if (faults.length === 0) forgetFormerSecret(deps);
      return { backup: { file, bytes, files, sha256, seconds: secondsSince(startedAt) }, faults };
    });
  } catch (error) {
    // On a read-only disk, `rmSync` throws even for a missing file, and would hide the first error.
    if (existsSync(partial)) rmSync(partial);
    throw asRefusal(error, path);
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new LibraryError(`${path} exists: choose another name, or move it away`);
}

/** Deletes the master secret that the last rotation replaced: a backup now holds the new one. */
export function forgetFormerSecret({ settings }: Pick<BackupDeps, "settings">): void {
  rmSync(join(settings.dataDir, `${SECRET}.old`), { force: true });
}

/** Backs the library up to standard output. */
export async function backUpToOutput(deps: BackupDeps, start: StartProgress): Promise<Outcome> {
  const startedAt = performance.now();
  const dir = temporaryDir(deps.settings);
  const databasePath = join(dir, `${process.pid}-${crypto.randomUUID()}.part`);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return await withFrozenLibrary(deps, { databasePath, kind: "whole", at: deps.now() }, async (frozen) => {
      const { files, faults, bytes, sha256 } = await write(deps, frozen, standardOutput(), start);
      return { backup: { file: "-", bytes, files, sha256, seconds: secondsSince(startedAt) }, faults };
    });
  } catch (error) {
    throw asRefusal(error, dir);
  }
}

async function write({ settings }: BackupDeps, frozen: Frozen, output: Output, start: StartProgress) {
  const faults: Finding[] = [];
  const { database, artwork, audio } = frozen.manifest.bytes;
  const progress = start(database + artwork + audio);
  const watch = { report: (finding: Finding) => void faults.push(finding), wrote: progress.add };
  try {
    const files = await writeWhole(settings, frozen, output, watch);
    return { files, faults, ...(await output.end()) };
  } catch (error) {
    await output.abandon();
    throw error;
  } finally {
    progress.end();
  }
}

/** Returns the time since a value of `performance.now`, in seconds, rounded to milliseconds. */
export function secondsSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt) / SECOND_MS;
}
