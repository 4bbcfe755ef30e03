import { statSync } from "node:fs";
import { isReplicated, keepLog } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";

/** Litestream merges its log every 4 MB. A log of this size was left to itself. */
const MAX_LOG_BYTES = 64 * 1024 ** 2;

/**
 * Keeps the write-ahead log of a replicated library from growing without end while Litestream is not running. Cutting
 * it to nothing is the one checkpoint that Litestream recognises when it starts again; while it runs, SQLite refuses it.
 */
export function limitLog({ db: { $client }, log }: Pick<Deps, "db" | "log">): void {
  if (!isReplicated($client)) return;
  keepLog($client);
  const bytes = statSync(`${$client.filename}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes < MAX_LOG_BYTES) return;
  const { timeout = 0 } = $client.query<{ timeout: number }, []>("PRAGMA busy_timeout").get() ?? {};
  $client.run("PRAGMA busy_timeout = 0");
  try {
    const { busy } = $client.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get() ?? {};
    log("warn", "Litestream has left the database's log to grow: is it running?", {
      bytes,
      isCut: busy === 0,
    });
  } finally {
    $client.run(`PRAGMA busy_timeout = ${timeout}`);
  }
}
