import { Database } from "bun:sqlite";
import { MINUTE_MS } from "../kernel/time.ts";

/**
 * Writes a consistent copy of a database and checks it. Other processes may write meanwhile. It blocks the thread for
 * about two seconds per gigabyte.
 *
 * @param target A file that is empty or does not exist.
 * @throws The error of SQLite: `SQLITE_CORRUPT` when source or copy is damaged, `SQLITE_FULL` when the disk is full.
 */
export function copyDatabase(source: string, target: string): void {
  const database = new Database(source, { create: false, readwrite: true });
  try {
    database.run(`PRAGMA busy_timeout = ${MINUTE_MS}`);
    // VACUUM reads every table and index from root to leaves, so it also finds damage in the source.
    database.query("VACUUM INTO ?").run(target);
  } finally {
    database.close();
  }
  const findings = quickCheck(target);
  if (findings !== "ok") throw Object.assign(new Error(findings), { code: "SQLITE_CORRUPT" });
}

/** Returns the first finding of `PRAGMA quick_check`: "ok" for a sound database. */
export function quickCheck(path: string): string {
  const copy = new Database(path, { readonly: true });
  try {
    return copy.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get()?.quick_check ?? "";
  } finally {
    copy.close();
  }
}
