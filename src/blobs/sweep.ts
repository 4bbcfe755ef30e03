import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Db, transact } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import { isAbandoned } from "../kernel/processes.ts";
import { audioDir, isSha256, temporaryDir } from "./paths.ts";

/**
 * Deletes what a killed process may have left: stored files that no version has, and temporary files of processes
 * that no longer run. Holds the write lock, so that no file is placed meanwhile. Files that are not of the store's
 * making are left alone.
 */
export function sweepBlobs({ db, settings }: Pick<Deps, "db" | "settings">): { removed: number } {
  return transact(db, (tx) => {
    const known = knownBlobs(tx);
    const orphans = filesUnder(audioDir(settings)).filter(({ name }) => isSha256(name) && !known.has(name));
    const leftovers = filesUnder(temporaryDir(settings)).filter(isLeftover);
    for (const { path } of [...orphans, ...leftovers]) rmSync(path, { force: true });
    return { removed: orphans.length + leftovers.length };
  });
}

function knownBlobs(tx: Db): Set<string> {
  const rows = tx.$client.query<{ sha256: string }, []>("SELECT DISTINCT sha256 FROM versions").all();
  return new Set(rows.map(({ sha256 }) => sha256));
}

type FoundFile = { name: string; path: string };

function filesUnder(dir: string): FoundFile[] {
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(dir);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    return entry.isFile() ? [{ name: entry.name, path }] : [];
  });
}

const readEntries = (dir: string) => readdirSync(dir, { withFileTypes: true });

/** True for a temporary file whose process is gone. */
function isLeftover({ name, path }: FoundFile): boolean {
  const pid = Number(/^(\d+)-[0-9a-f-]{36}\.part$/.exec(name)?.[1] ?? Number.NaN);
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return !Number.isNaN(pid) && changedAt !== undefined && isAbandoned(pid, changedAt);
}
