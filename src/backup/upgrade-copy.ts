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
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { flush } from "../blobs/move.ts";
import type { DataDir } from "../blobs/paths.ts";
import { LibraryError } from "../kernel/errors.ts";
import { isAbandoned } from "../kernel/processes.ts";
import { MINUTE_MS } from "../kernel/time.ts";
import { isFullDisk } from "../kernel/trouble.ts";
import { copyDatabase } from "./copy-database.ts";
import { DATABASE } from "./manifest.ts";
import { inWords } from "./progress.ts";

const FOLDER = "before-upgrade";
const KEPT = 2;
const COPY = /^schema-(\d+)\.db$/;
const PARTIAL = /^schema-\d+\.db\.(\d+)\.partial$/;

/**
 * Copies the database to `before-upgrade/schema-<n>.db` before it is migrated, and checks the copy. Keeps the two
 * newest copies.
 *
 * @returns The path of the copy; undefined when there is nothing to migrate.
 * @throws LibraryError when the disk has no room for it; the error of SQLite when the database is damaged.
 */
export function copyBeforeUpgrade({ dataDir }: DataDir): string | undefined {
  const source = join(dataDir, DATABASE);
  const schema = existsSync(source) ? schemaOf(source) : 0;
  if (schema === 0 || schema >= SCHEMA_VERSION) return undefined;
  const folder = join(dataDir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeLeftovers(folder);
  refuseWithoutRoom(source, folder);
  const copy = join(folder, `schema-${schema}.db`);
  const partial = `${copy}.${process.pid}.partial`;
  try {
    closeSync(openSync(partial, "wx", 0o600));
    copyDatabase(source, partial);
    // Another process that starts now may have migrated the database already. It has then made this copy.
    if (schemaOf(partial) !== schema) return undefined;
    flush(partial);
    renameSync(partial, copy);
    flush(folder);
    removeOld(folder);
    return copy;
  } catch (error) {
    if (isFullDisk(error)) throw noRoom(statSync(source).size);
    throw error;
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Returns the refusal for an upgrade that failed. */
export function upgradeFailed(cause: unknown, copy: string): LibraryError {
  return new LibraryError(
    `The upgrade of the database failed (${(cause as Error).message}): install the earlier version again; if it does not start, put ${copy} in the place of ${DATABASE}`,
    { cause },
  );
}

function schemaOf(path: string): number {
  const database = new Database(path, { readonly: true });
  try {
    database.run(`PRAGMA busy_timeout = ${MINUTE_MS}`);
    return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
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

function removeOld(folder: string): void {
  const copies = readdirSync(folder)
    .flatMap((name) => ({ name, schema: Number(COPY.exec(name)?.[1] ?? Number.NaN) }))
    .filter(({ schema }) => !Number.isNaN(schema))
    .sort((a, b) => b.schema - a.schema);
  for (const { name } of copies.slice(KEPT)) rmSync(join(folder, name));
}
