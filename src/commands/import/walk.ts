import type { Stats } from "node:fs";
import { readdir, stat as readStat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A path found while walking. `leftOut` says why it is not read, `error` why it cannot be read. */
export type Found = {
  path: string;
  /** The folder that it was found under. */
  root: string;
  isNamed?: boolean;
  seen?: Stats;
  leftOut?: string;
  error?: string;
};

/** Returns every file at or under the named paths, in name order; links are followed. */
export async function* walk(paths: readonly string[]): AsyncGenerator<Found> {
  for (const path of paths) {
    const seen = await statOrError(path);
    if (seen instanceof Error) yield { path, root: path, isNamed: true, error: sentenceOf(seen) };
    else if (seen.isDirectory()) yield* filesIn(path, path, []);
    else yield { path, root: dirname(path), isNamed: true, seen };
  }
}

/** @param trail The folders above, by device and inode: a link that leads back into one of them would never end. */
async function* filesIn(folder: string, root: string, trail: readonly string[]): AsyncGenerator<Found> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => error);
  if (names instanceof Error) return yield { path: folder, root, error: sentenceOf(names) };
  const { dev, ino } = await readStat(folder);
  const own = `${dev}:${ino}`;
  if (trail.includes(own))
    return yield { path: folder, root, leftOut: "a link to a folder that contains it" };

  for (const name of names.sort((a, b) => a.localeCompare(b))) {
    const path = join(folder, name);
    const seen = await statOrError(path);
    if (name.startsWith(".")) yield { path, root, leftOut: "hidden" };
    else if (seen instanceof Error) yield unreadable(path, root, seen);
    else if (seen.isDirectory()) yield* filesIn(path, root, [...trail, own]);
    else if (seen.isFile()) yield { path, root, seen };
    else yield { path, root, leftOut: "neither a file nor a folder" };
  }
}

function unreadable(path: string, root: string, error: NodeJS.ErrnoException): Found {
  const isBrokenLink = ["ENOENT", "ELOOP"].includes(error.code ?? "");
  return isBrokenLink
    ? { path, root, leftOut: "a link that leads nowhere" }
    : { path, root, error: sentenceOf(error) };
}

function statOrError(path: string): Promise<Stats | NodeJS.ErrnoException> {
  return readStat(path).catch((error: NodeJS.ErrnoException) => error);
}

function sentenceOf(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "There is no such file or folder";
  return error.code === "EACCES" ? "This user may not read it" : error.message;
}
