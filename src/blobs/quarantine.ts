import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Db } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { toIso } from "../kernel/time.ts";
import type { DataDir } from "./paths.ts";

/** A folder of the data folder whose files are named by rows. */
export type Shelf = {
  /** Its name in the data folder. */
  folder: string;
  /** True for a name that our files have. Any other file is somebody else's and stays where it is. */
  isOurs: (name: string) => boolean;
  /** True when a row names the file. */
  isNamed: (db: Db, name: string) => boolean;
};

const quarantineDir = ({ dataDir }: DataDir) => join(dataDir, "quarantine");

/**
 * Moves a file that no row names to `quarantine/<yyyy-mm-dd>/`, under the path that it had in the data folder. Call it
 * inside `transact`: the write lock keeps a row from naming the file meanwhile. A file that is not there is left out, as
 * is one whose place in the quarantine is taken by other bytes. Returns true when it was moved.
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
 * Moves files back that a row names again, as after the right database was put back. Call it before anything looks for
 * them. Returns how many were moved.
 */
export function bringBack(
  { db, settings }: Pick<Deps, "db" | "settings">,
  shelves: readonly Shelf[],
): number {
  const root = quarantineDir(settings);
  if (!existsSync(root)) return 0;
  let moved = 0;
  // The newest first: of two files with one name, that is the one that was in use last.
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

/** After a power cut the file is at one of the two paths: nothing needs to be flushed. */
function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
}
