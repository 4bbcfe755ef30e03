import { Database } from "bun:sqlite";
import { join } from "node:path";
import { inArray } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { removalHolds } from "../../db/schema.ts";
import type { DataDir } from "./paths.ts";

/** Why no file may be removed until the operator says so. */
export type HoldReason = (typeof removalHolds.$inferSelect)["reason"];
export type Hold = typeof removalHolds.$inferSelect;

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Keeps all processes from deleting files of this library until `release`, so that a backup can read them. Moves to
 * the quarantine go on. It is a system lock on an SQLite file and ends with the process, however that ends.
 */
export function holdRemoval(settings: DataDir): { release: () => void } {
  const lock = openLock(settings);
  lock.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  lock.run("BEGIN");
  // The first read takes the shared lock, which the transaction keeps.
  lock.query("SELECT count(*) FROM sqlite_master").get();
  return { release: () => lock.close() };
}

/**
 * Runs `work`, which deletes files, unless a process holds removal by {@link holdRemoval}. Returns what `work`
 * returns, or undefined when it did not run. A promise is held for until it settles.
 */
export function whileNothingHeld<Result>(settings: DataDir, work: () => Result): Result | undefined {
  const lock = openLock(settings);
  let result: Result | undefined;
  try {
    try {
      lock.run("BEGIN EXCLUSIVE");
    } catch {
      return undefined;
    }
    result = work();
    return result instanceof Promise ? (result.finally(() => lock.close()) as Result) : result;
  } finally {
    if (!(result instanceof Promise)) lock.close();
  }
}

const openLock = ({ dataDir }: DataDir) => new Database(join(dataDir, "removal.lock"), { create: true });

/**
 * Holds all removal for a reason until {@link endHolds}. Returns false when it is already held for that reason; the
 * earlier time stays.
 */
export function addHold(db: Db, reason: HoldReason, detail: Record<string, unknown>, since: number): boolean {
  const row = { reason, since, detail };
  return db.insert(removalHolds).values(row).onConflictDoNothing().returning().all().length > 0;
}

/** Returns why removal is held; an empty list when it is not. */
export function listHolds(db: Db): Hold[] {
  return db.select().from(removalHolds).orderBy(removalHolds.reason).all();
}

/** Ends the holds for these reasons. Returns those that were in force. */
export function endHolds(db: Db, reasons: readonly HoldReason[]): Hold[] {
  return db.delete(removalHolds).where(inArray(removalHolds.reason, reasons)).returning().all();
}
