import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Db, transact } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { isAbandoned } from "../kernel/processes.ts";
import { isNamed } from "./named.ts";
import type { Originals } from "./originals.ts";
import { type DataDir, temporaryDir } from "./paths.ts";
import { type Shelf, setAside } from "./quarantine.ts";
import { addHold, endHolds, type HoldReason, listHolds } from "./removal.ts";
import { originalsOf } from "./store.ts";

/** Above this number and either share, the likely cause is missing rows in a damaged database, not a crash. */
const MAX_UNNAMED_FILES = 20;
const MAX_UNNAMED_SHARE = 0.05;

/** Why a sweep moves nothing. `new_database`: it has no versions yet. */
type HeldBy = HoldReason | "new_database";

/** Counts for one shelf: all its files, and those that no row names. */
export type ShelfCount = { files: number; bytes: number; unnamed: number; unnamedBytes: number };

/** The result of a sweep. */
export type Sweep = {
  /** Undefined when removal is not held. */
  heldBy: HeldBy | undefined;
  /** True when this sweep is the one that found a reason to hold removal. */
  isNewHold: boolean;
  moved: number;
  folders: Record<string, ShelfCount>;
};

/**
 * Sets aside files that no row names, such as those of a process that was killed before its commit. Deletes nothing.
 * The search runs beside other work. Only a move takes the write lock, after a second check.
 *
 * It moves nothing while removal is held, when the database has no versions, or when such files are more than 20 and
 * more than 5 % of the files or bytes of a shelf: then it is probably the wrong database. In that last case it holds
 * removal until a sweep finds fewer or the operator accepts.
 *
 * @param options `isAccepted`: the operator has looked, so move them all.
 */
export async function sweepUnnamed(
  deps: Pick<Deps, "db" | "now" | "settings">,
  shelves: readonly Shelf[],
  { isAccepted = false }: { isAccepted?: boolean } = {},
): Promise<Sweep> {
  const walks = await Promise.all([
    ...shelves.map((shelf) => walk(deps.db, deps.settings, shelf)),
    walkRemote(deps.db, originalsOf(deps.settings)),
  ]).then((all) => all.filter(({ name, count }) => name !== REMOTE || count.files > 0));
  const folders = Object.fromEntries(walks.map(({ name, count }) => [name, count]));
  const { heldBy, isNewHold } = isAccepted
    ? { heldBy: undefined, isNewHold: false }
    : holdOrNot(deps, walks, folders);
  return { heldBy, isNewHold, moved: heldBy ? 0 : moveAll(deps, walks), folders };
}

/** Decides whether removal is held, and records that it is or no longer is. */
function holdOrNot(
  { db, now }: Pick<Deps, "db" | "now">,
  walks: readonly Walk[],
  folders: Sweep["folders"],
): { heldBy: HeldBy | undefined; isNewHold: boolean } {
  const known = listHolds(db).find(({ reason }) => reason === "older_database");
  if (known) return { heldBy: known.reason, isNewHold: false };
  if (walks.every(({ unnamed }) => unnamed.length === 0) || hasVersions(db)) {
    if (walks.some(isTooMuch))
      return { heldBy: "mass_removal", isNewHold: addHold(db, "mass_removal", folders, now()) };
    endHolds(db, ["mass_removal"]);
    return { heldBy: undefined, isNewHold: false };
  }
  return { heldBy: "new_database", isNewHold: true };
}

function moveAll({ db, now }: Pick<Deps, "db" | "now">, walks: readonly Walk[]): number {
  let moved = 0;
  for (const { unnamed, remove } of walks)
    for (const file of unnamed)
      transact(db, (tx) => {
        if (remove(tx, file, now())) moved++;
      });
  return moved;
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

/** Name of the originals that are not in the data folder. */
const REMOTE = "bucket";

type FoundFile = { name: string; path: string };
type Walk = {
  name: string;
  count: ShelfCount;
  unnamed: FoundFile[];
  /** Sets a file aside unless a row names it by now. Returns whether it did. */
  remove: (tx: Db, file: FoundFile, at: number) => boolean;
};

async function walk(db: Db, settings: DataDir, shelf: Shelf): Promise<Walk> {
  const unnamed: FoundFile[] = [];
  const count = { files: 0, bytes: 0, unnamed: 0, unnamedBytes: 0 };
  const remove: Walk["remove"] = (tx, { name, path }, at) =>
    !shelf.isNamed(tx, name) && setAside(settings, path, at);
  for await (const file of filesUnder(join(settings.dataDir, shelf.folder))) {
    if (!shelf.isOurs(file.name)) continue;
    const bytes = (await stat(file.path).catch(() => undefined))?.size ?? 0;
    count.files++;
    count.bytes += bytes;
    if (shelf.isNamed(db, file.name)) continue;
    count.unnamed++;
    count.unnamedBytes += bytes;
    unnamed.push(file);
  }
  return { name: shelf.folder, count, unnamed, remove };
}

/** Objects that wait to be deleted have their time already. One that is being uploaded is among them. */
async function walkRemote(db: Db, originals: Originals): Promise<Walk> {
  const unnamed: FoundFile[] = [];
  const count = { files: 0, bytes: 0, unnamed: 0, unnamedBytes: 0 };
  const remove: Walk["remove"] = (tx, { name }, at) => !isNamed(tx, name) && originals.leave(tx, name, at);
  for await (const { sha256, sizeBytes } of originals.listRemote()) {
    count.files++;
    count.bytes += sizeBytes;
    if (isNamed(db, sha256) || originals.isLeaving(db, sha256)) continue;
    count.unnamed++;
    count.unnamedBytes += sizeBytes;
    unnamed.push({ name: sha256, path: sha256 });
  }
  return { name: REMOTE, count, unnamed, remove };
}

const isTooMuch = ({ count: { files, bytes, unnamed, unnamedBytes } }: Walk): boolean =>
  unnamed > MAX_UNNAMED_FILES &&
  (unnamed > files * MAX_UNNAMED_SHARE || unnamedBytes > bytes * MAX_UNNAMED_SHARE);

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
