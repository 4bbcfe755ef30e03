import { Database } from "bun:sqlite";
import { MINUTE_MS } from "../kernel/time.ts";

/**
 * Writes a copy of a database as of one moment and checks it. Others may write to the database meanwhile. It blocks
 * the thread, for about two seconds per gigabyte.
 *
 * @param target A file that is empty or does not exist.
 * @throws The database's error: `SQLITE_CORRUPT` when the source or the copy is damaged, `SQLITE_FULL` without room.
 */
export function copyDatabase(source: string, target: string): void {
  const database = new Database(source, { create: false, readwrite: true });
  try {
    database.run(`PRAGMA busy_timeout = ${MINUTE_MS}`);
    // This reads every table and index from its root to its leaves, so it finds damage in the source too.
    database.query("VACUUM INTO ?").run(target);
  } finally {
    database.close();
  }
  const findings = quickCheck(target);
  if (findings !== "ok") throw Object.assign(new Error(findings), { code: "SQLITE_CORRUPT" });
}

/** Returns what `PRAGMA quick_check` finds first: "ok" for a sound database. */
export function quickCheck(path: string): string {
  const copy = new Database(path, { readonly: true });
  try {
    return copy.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get()?.quick_check ?? "";
  } finally {
    copy.close();
  }
}
