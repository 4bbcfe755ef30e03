import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Db, transact } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { isAbandoned } from "../kernel/processes.ts";
import { type DataDir, temporaryDir } from "./paths.ts";
import { type Shelf, setAside } from "./quarantine.ts";

/** Beyond both limits, missing rows mean a damaged database rather than files that a crash left behind. */
const MAX_UNNAMED_FILES = 20;
const MAX_UNNAMED_SHARE = 0.05;

/** What a sweep found and did. */
export type Sweep = {
  /** True when nothing was moved because too many files have no row. */
  isHeld: boolean;
  moved: number;
  /** Per folder: the number of files, and how many of them no row names. */
  folders: Record<string, { files: number; unnamed: number }>;
};

/**
 * Sets aside files that no row names, such as those of a process that was killed before its commit. Moves nothing
 * when such files are more than 20 and more than 5 % of the files on a shelf, or when the database has no versions:
 * then it is probably the wrong database. Deletes nothing. The search runs beside other work. Only a move takes the
 * write lock, and checks again.
 */
export async function sweepUnnamed(
  { db, now, settings }: Pick<Deps, "db" | "now" | "settings">,
  shelves: readonly Shelf[],
): Promise<Sweep> {
  const walks = await Promise.all(shelves.map((shelf) => walk(db, settings, shelf)));
  const folders = Object.fromEntries(
    walks.map(({ shelf, files, unnamed }) => [shelf.folder, { files, unnamed: unnamed.length }]),
  );
  const isHeld =
    walks.some(({ unnamed }) => unnamed.length > 0) && (!hasVersions(db) || walks.some(isTooMuch));
  let moved = 0;
  if (!isHeld)
    for (const { shelf, unnamed } of walks)
      for (const { name, path } of unnamed)
        transact(db, (tx) => {
          if (!shelf.isNamed(tx, name) && setAside(settings, path, now())) moved++;
        });
  return { isHeld, moved, folders };
}

/** Deletes temporary files of processes that no longer run. Returns how many it deleted. */
export async function sweepTemporary({ settings }: Pick<Deps, "settings">): Promise<number> {
  let removed = 0;
  for await (const file of filesUnder(temporaryDir(settings))) {
    if (!(await isLeftover(file))) continue;
    await rm(file.path, { force: true });
    removed++;
  }
  return removed;
}

type FoundFile = { name: string; path: string };
type Walk = { shelf: Shelf; files: number; unnamed: FoundFile[] };

async function walk(db: Db, { dataDir }: DataDir, shelf: Shelf): Promise<Walk> {
  const unnamed: FoundFile[] = [];
  let files = 0;
  for await (const file of filesUnder(join(dataDir, shelf.folder))) {
    if (!shelf.isOurs(file.name)) continue;
    files++;
    if (!shelf.isNamed(db, file.name)) unnamed.push(file);
  }
  return { shelf, files, unnamed };
}

const isTooMuch = ({ files, unnamed }: Walk): boolean =>
  unnamed.length > MAX_UNNAMED_FILES && unnamed.length > files * MAX_UNNAMED_SHARE;

function hasVersions(db: Db): boolean {
  return db.$client.query("SELECT 1 FROM versions LIMIT 1").get() !== null;
}

async function* filesUnder(dir: string): AsyncGenerator<FoundFile> {
  for (const entry of await entriesOf(dir)) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile()) yield { name: entry.name, path };
  }
}

/** Returns the entries of a folder; an empty list when the folder does not exist. */
async function entriesOf(dir: string) {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** True for a temporary file whose process is gone. */
async function isLeftover({ name, path }: FoundFile): Promise<boolean> {
  const pid = Number(/^(\d+)-[0-9a-f-]{36}\.part$/.exec(name)?.[1] ?? Number.NaN);
  const changedAt = (await stat(path).catch(() => undefined))?.mtimeMs;
  return !Number.isNaN(pid) && changedAt !== undefined && isAbandoned(pid, changedAt);
}
