import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../blobs/move.ts";
import type { Keep, KeepPeriod } from "../kernel/settings.ts";
import { DAY_MS, toIso } from "../kernel/time.ts";
import { listDamaged, listSnapshots, readSums, type Snapshot } from "./snapshots.ts";

/** How long a file stays that no snapshot needs. */
const GRACE_MS = 7 * DAY_MS;
/** Lists files that no kept snapshot names, with the time since when. */
const RETIRED_FILE = "retired.json";
/** The names of files that backups write. Only these are ever deleted. */
const OURS: readonly RegExp[] = [
  /^audio\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}$/,
  /^artwork\/[0-9a-f]{32}(\.thumb)?\.(jpg|webp)$/,
  /^artwork-originals\/[0-9a-f]{32}\.(jpg|png|webp|gif)$/,
];
const isOurs = (path: string) => OURS.some((name) => name.test(path));
/** 1 January 1970 was a Thursday. */
const MONDAY_OFFSET_DAYS = 3;

/** Returns the period of a moment, in UTC. */
const PERIODS: Readonly<Record<KeepPeriod, (at: number) => string | number>> = {
  hourly: (at) => toIso(at).slice(0, 13),
  daily: (at) => toIso(at).slice(0, 10),
  weekly: (at) => Math.floor((Math.floor(at / DAY_MS) + MONDAY_OFFSET_DAYS) / 7),
  monthly: (at) => toIso(at).slice(0, 7),
  yearly: (at) => toIso(at).slice(0, 4),
};

/**
 * Chooses the snapshots to keep: the last one of each of the newest periods, for as many periods as `keep` says, and
 * always the newest of all.
 *
 * @param snapshots Oldest first.
 */
export function chooseKept(snapshots: readonly Snapshot[], keep: Keep): Set<Snapshot> {
  const kept = new Set(snapshots.slice(-1));
  for (const [period, count] of Object.entries(keep) as [KeepPeriod, number][]) {
    const last = new Map(snapshots.map((snapshot) => [PERIODS[period](snapshot.at), snapshot]));
    for (const snapshot of [...last.values()].slice(-count)) if (count > 0) kept.add(snapshot);
  }
  return kept;
}

/** How much was removed. */
export type Cleared = { snapshots: number; files: number };

/**
 * Removes expired snapshots, and files that no snapshot has needed for a week. Touches only files that a backup wrote.
 * Call it while no other process writes to the folder.
 */
export async function clearFolder(dir: string, keep: Keep, at: number): Promise<Cleared> {
  const snapshots = listSnapshots(dir);
  const kept = chooseKept(snapshots, keep);
  const leaving = snapshots.filter((snapshot) => !kept.has(snapshot));
  const retired = readRetired(dir);
  for (const path of await filesNamedBy(leaving)) if (!retired.has(path)) retired.set(path, at);
  if (retired.size > 0) for (const path of await filesNamedBy(kept)) retired.delete(path);

  // The list of retired files is on the disk before the snapshots that name them are removed.
  writeRetired(dir, retired);
  const damaged = listDamaged(dir).filter((snapshot) => at - snapshot.at >= GRACE_MS);
  for (const { path } of [...leaving, ...damaged]) rmSync(path);
  const over = [...retired].filter(([, since]) => at - since >= GRACE_MS).map(([path]) => path);
  const files = over.filter((path) => removeFile(join(dir, path))).length;
  for (const path of over) retired.delete(path);
  writeRetired(dir, retired);
  return { snapshots: leaving.length, files };
}

async function filesNamedBy(snapshots: Iterable<Snapshot>): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const { path } of snapshots)
    for await (const sum of readSums(path)) if (isOurs(sum.path)) paths.add(sum.path);
  return paths;
}

/** Returns false when there is no such file. */
function removeFile(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  rmSync(path);
  return true;
}

function readRetired(dir: string): Map<string, number> {
  try {
    const entries = Object.entries(JSON.parse(readFileSync(join(dir, RETIRED_FILE), "utf8")));
    return new Map(
      entries.filter((entry): entry is [string, number] => isOurs(entry[0]) && Number.isFinite(entry[1])),
    );
  } catch {
    return new Map();
  }
}

function writeRetired(dir: string, retired: ReadonlyMap<string, number>): void {
  const path = join(dir, RETIRED_FILE);
  if (retired.size > 0) replaceFile(path, `${JSON.stringify(Object.fromEntries(retired))}\n`);
  else if (existsSync(path)) rmSync(path);
}
