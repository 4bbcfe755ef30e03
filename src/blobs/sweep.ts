import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Db, prepared, transact } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { isAbandoned } from "../kernel/processes.ts";
import { audioDir, isSha256, temporaryDir } from "./paths.ts";
import { removeBlobIfUnreferenced } from "./store.ts";

/**
 * Deletes what a killed process may have left: stored files that no version has, and temporary files of processes
 * that no longer run. It walks beside everything else; only the removal of a file that nobody seems to need holds the
 * write lock, and looks again. Files that are not of the store's making are left alone.
 */
export async function sweepBlobs({
  db,
  settings,
}: Pick<Deps, "db" | "settings">): Promise<{ removed: number }> {
  let removed = 0;
  for await (const { name } of filesUnder(audioDir(settings))) {
    if (!isSha256(name) || isReferenced(db, name)) continue;
    transact(db, (tx) => removeBlobIfUnreferenced(tx, settings, name));
    removed++;
  }
  for await (const file of filesUnder(temporaryDir(settings))) {
    if (!(await isLeftover(file))) continue;
    await rm(file.path, { force: true });
    removed++;
  }
  return { removed };
}

const anyVersion = prepared((db) =>
  db.$client.prepare<{ id: string }, [string]>("SELECT id FROM versions WHERE sha256 = ? LIMIT 1"),
);

function isReferenced(db: Db, sha256: string): boolean {
  return anyVersion(db).get(sha256) !== null;
}

type FoundFile = { name: string; path: string };

async function* filesUnder(dir: string): AsyncGenerator<FoundFile> {
  for (const entry of await entriesOf(dir)) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else if (entry.isFile()) yield { name: entry.name, path };
  }
}

/** Entries of a folder; none when it is not there. */
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
