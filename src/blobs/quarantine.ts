import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Db } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { toIso } from "../kernel/time.ts";
import type { DataDir } from "./paths.ts";

/** A folder inside the data folder whose files belong to database rows. */
export type Shelf = {
  /** Its name inside the data folder. */
  folder: string;
  /** True for the names that our files have. Any other file is not ours and stays where it is. */
  isOurs: (name: string) => boolean;
  /** True when a row names the file. */
  isNamed: (db: Db, name: string) => boolean;
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
 * Moves files back that a row names again, for example after the operator restored the right database. Call it
 * before anything looks for the files. Returns how many it moved.
 */
export function bringBack(
  { db, settings }: Pick<Deps, "db" | "settings">,
  shelves: readonly Shelf[],
): number {
  const root = quarantineDir(settings);
  if (!existsSync(root)) return 0;
  let moved = 0;
  // Newest first: of two files with the same name, the newest was in use last.
  for (const date of readdirSync(root).sort().reverse())
    for (const { folder, isOurs, isNamed } of shelves)
      for (const path of filesIn(join(root, date, folder))) {
        const home = join(settings.dataDir, relative(join(root, date), path));
        const name = basename(path);
        if (!isOurs(name) || !isNamed(db, name) || existsSync(home)) continue;
        move(path, home);
        moved++;
      }
  return moved;
}

function filesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Flushes nothing: after a power cut the file is at one of the two paths. */
function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
}
