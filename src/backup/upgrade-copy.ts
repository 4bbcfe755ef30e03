import { Database } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { openReadOnly } from "../../db/client.ts";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { flush } from "../blobs/move.ts";
import type { DataDir } from "../blobs/paths.ts";
import { LibraryError } from "../kernel/errors.ts";
import { isAbandoned } from "../kernel/processes.ts";
import { MINUTE_MS } from "../kernel/time.ts";
import { isBusy, isFullDisk } from "../kernel/trouble.ts";
import { findSuspects } from "./compare-rows.ts";
import { copyDatabase, quickCheck } from "./copy-database.ts";
import { DATABASE } from "./manifest.ts";
import { inWords } from "./progress.ts";
import { copyPath, earlierCopyPath, listCopies, servedPath, upgradeFolder } from "./upgrade-copies.ts";

const PARTIAL = /^schema-\d+\.db\.(\d+)\.partial$/;

/**
 * Copies the database to `before-upgrade/schema-<n>.db` before it is migrated, and checks the copy. A later attempt
 * keeps the copy if it has the same rows. It deletes nothing: {@link countServing} does, a day after an upgrade.
 *
 * @returns The copy of the schema that last ran, which is the way back if the upgrade fails; undefined when there is
 *   nothing to migrate.
 * @throws LibraryError when the disk has no room for it; the error of SQLite when the database is damaged.
 */
export function copyBeforeUpgrade(settings: DataDir): string | undefined {
  const source = join(settings.dataDir, DATABASE);
  const schema = existsSync(source) ? schemaOf(source) : 0;
  if (schema === 0 || schema >= SCHEMA_VERSION) return undefined;
  const folder = upgradeFolder(settings);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeLeftovers(folder);
  rmSync(servedPath(settings), { force: true }); // A server before this upgrade proves nothing.
  const copy = copyPath(settings, schema);
  if (!(existsSync(copy) && isUnchanged(source, copy)) && !makeCopy(settings, source, schema))
    return undefined;
  return copyOfLastRun(settings, source, schema);
}

/** Returns false when another process has migrated the database meanwhile. It has then made the copy. */
function makeCopy(settings: DataDir, source: string, schema: number): boolean {
  const folder = upgradeFolder(settings);
  refuseWithoutRoom(source, folder);
  const copy = copyPath(settings, schema);
  const partial = `${copy}.${process.pid}.partial`;
  try {
    closeSync(openSync(partial, "wx", 0o600));
    copyDatabase(source, partial);
    if (schemaOf(partial) !== schema) return false;
    flush(partial);
    // The library was used since the last attempt, or changed by hand. What it was at first stays too.
    const earlier = earlierCopyPath(settings, schema);
    if (existsSync(copy) && !existsSync(earlier)) renameSync(copy, earlier);
    renameSync(partial, copy);
    flush(folder);
    return true;
  } catch (error) {
    if (isFullDisk(error)) throw noRoom(statSync(source).size);
    throw error;
  } finally {
    rmSync(partial, { force: true });
  }
}

/** True when a copy is sound and has the tables and rows of the database. It needs no room on the disk. */
function isUnchanged(source: string, copy: string): boolean {
  const library = openReadOnly(source);
  try {
    library.$client.run("BEGIN"); // Others may write meanwhile.
    if (quickCheck(copy) !== "ok" || findSuspects(library, copy).length > 0) return false;
    const differing = library.$client.query(
      `SELECT 1 FROM main.sqlite_master m
       FULL JOIN replica.sqlite_master r USING (type, name, tbl_name)
       WHERE m.sql IS NOT r.sql OR m.name IS NULL OR r.name IS NULL`,
    );
    return differing.get() === null;
  } catch {
    return false; // A copy that cannot be compared is made again, which also finds a damaged database.
  } finally {
    library.$client.close();
  }
}

/**
 * Returns the copy of the schema that last ran. Versions up to 0.9 upgraded in many transactions, and one that was
 * killed left a schema that never ran: then no start was counted since an older copy was made, and that copy is it.
 */
function copyOfLastRun(settings: DataDir, source: string, schema: number): string {
  const starts = startsOf(source);
  let lastRun = copyPath(settings, schema);
  for (const { path, schema: older, isEarlier } of listCopies(settings)) {
    if (older >= schema || isEarlier) continue;
    if (startsOf(path) !== starts) break;
    lastRun = path;
  }
  return lastRun;
}

/** Returns the refusal for an upgrade that failed. Nothing has changed then. */
export function upgradeFailed(cause: unknown, copy: string, { dataDir }: DataDir): LibraryError {
  if (isBusy(cause))
    return new LibraryError(
      `Another process keeps ${DATABASE} in DATA_DIR (${dataDir}) from being upgraded: stop it, then start again`,
      { cause },
    );
  return new LibraryError(
    `The upgrade of the database failed (${(cause as Error).message}): install the earlier version again; if it does not start, put ${copy} in place of ${DATABASE}`,
    { cause },
  );
}

function schemaOf(path: string): number {
  return readOne(path, "PRAGMA user_version") ?? 0;
}

/** Returns how many starts of a server a database has counted; undefined before any program did so. */
function startsOf(path: string): number | undefined {
  const hasStore = readOne(path, "SELECT count(*) FROM sqlite_master WHERE name = 'store'");
  return hasStore === 1 ? readOne(path, "SELECT generation FROM store") : undefined;
}

function readOne(path: string, sql: string): number | undefined {
  const database = new Database(path, { readonly: true });
  try {
    database.run(`PRAGMA busy_timeout = ${MINUTE_MS}`);
    return database.query<Record<string, number>, []>(sql).values()[0]?.[0] as number | undefined;
  } finally {
    database.close();
  }
}

function refuseWithoutRoom(source: string, folder: string): void {
  const log = statSync(`${source}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const needed = statSync(source).size + log;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < needed) throw noRoom(needed);
}

const noRoom = (bytes: number) =>
  new LibraryError(
    `There is no room for a copy of the database, which is made before an upgrade: free ${inWords(bytes)}, then start again`,
  );

function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(PARTIAL.exec(name)?.[1] ?? Number.NaN);
    const path = join(folder, name);
    if (!Number.isNaN(pid) && isAbandoned(pid, statSync(path).mtimeMs)) rmSync(path);
  }
}
