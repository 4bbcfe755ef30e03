import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Db } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { parseUtcDay, toIso } from "../kernel/time.ts";
import { move } from "./move.ts";
import type { DataDir } from "./paths.ts";

/** A folder inside the data folder whose files belong to database rows. */
export type Shelf = {
  /** Its name inside the data folder. */
  folder: string;
  /** True for the names of our own files. Any other file stays where it is. */
  isOurs: (name: string) => boolean;
  /** True when a row names the file. */
  isNamed: (db: Db, name: string) => boolean;
};

/** A file in the quarantine. */
export type SetAside = {
  /** Where it is. */
  path: string;
  /** Where it came from. */
  home: string;
  /** The day on which it was set aside: `yyyy-mm-dd`, in UTC. */
  date: string;
  shelf: Shelf;
};

const quarantineDir = ({ dataDir }: DataDir) => join(dataDir, "quarantine");

/**
 * Moves a file that no row names to `quarantine/<yyyy-mm-dd>/`, under the path that it had in the data folder. Call
 * it inside `transact`: the write lock ensures that no row names the file meanwhile. It skips a missing file, and a
 * file whose path in the quarantine is taken. Returns true when it moved the file.
 */
export function setAside(settings: DataDir, path: string, at: number): boolean {
  const target = join(quarantineDir(settings), toIso(at).slice(0, 10), relative(settings.dataDir, path));
  const found = statSync(path, { throwIfNoEntry: false });
  const taken = statSync(target, { throwIfNoEntry: false });
  if (!found || (taken && taken.size !== found.size)) return false;
  move(path, target);
  return true;
}

/**
 * Returns the quarantine path of the file that was at `home`; of several, the newest. With `sizeBytes`, only a file of
 * that size counts.
 */
export function locateSetAside(settings: DataDir, home: string, sizeBytes?: number): string | undefined {
  const within = relative(settings.dataDir, home);
  for (const date of datesOf(settings)) {
    const path = join(quarantineDir(settings), date, within);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() && (sizeBytes === undefined || found.size === sizeBytes)) return path;
  }
  return undefined;
}

/**
 * Moves the file that was at `home` back there, if the quarantine has it. Call it for a file that a row names.
 * `sizeBytes` works as in {@link locateSetAside}. Returns false when there is no such file, or the disk refuses.
 */
export function takeOut(settings: DataDir, home: string, sizeBytes?: number): boolean {
  const path = locateSetAside(settings, home, sizeBytes);
  if (path === undefined) return false;
  try {
    move(path, home);
    return true;
  } catch {
    return false;
  }
}

/** Deletes a file and all its copies in the quarantine, for an erased account. */
export function erase(settings: DataDir, home: string): void {
  rmSync(home, { force: true });
  const within = relative(settings.dataDir, home);
  for (const date of datesOf(settings)) rmSync(join(quarantineDir(settings), date, within), { force: true });
}

/**
 * Moves files back that a row names again, for example after the operator restored the right database. Call it
 * before anything looks for the files. Returns how many it moved.
 */
export function bringBack(
  { db, settings }: Pick<Deps, "db" | "settings">,
  shelves: readonly Shelf[],
): number {
  let moved = 0;
  for (const { path, home, shelf } of listSetAside(settings, shelves)) {
    if (existsSync(home) || !shelf.isNamed(db, basename(home))) continue;
    move(path, home);
    moved++;
  }
  return moved;
}

/**
 * Returns all of our files in the quarantine, newest day first: of two files with the same name, the newer one was in
 * use last.
 */
export function listSetAside(settings: DataDir, shelves: readonly Shelf[]): SetAside[] {
  return datesOf(settings).flatMap((date) =>
    shelves.flatMap((shelf) => {
      const root = join(quarantineDir(settings), date);
      return filesIn(join(root, shelf.folder))
        .filter((path) => shelf.isOurs(basename(path)))
        .map((path) => ({ path, home: join(settings.dataDir, relative(root, path)), date, shelf }));
    }),
  );
}

/** Removes the empty folders above a file, up to the quarantine itself. */
export function removeEmptyFolders(settings: DataDir, path: string): void {
  const root = quarantineDir(settings);
  for (let dir = dirname(path); dir.startsWith(root + sep); dir = dirname(dir))
    try {
      rmdirSync(dir);
    } catch {
      return;
    }
}

/** Returns the days that have a folder in the quarantine, newest first. Skips folders with other names. */
function datesOf(settings: DataDir): string[] {
  const root = quarantineDir(settings);
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => parseUtcDay(name) !== undefined)
    .sort()
    .reverse();
}

function filesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
