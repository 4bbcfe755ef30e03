import { SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Db, openReadOnly } from "../../db/client.ts";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { LibraryError } from "../kernel/errors.ts";
import { findMasterSecret } from "../kernel/master-secret.ts";
import { findStore, readMarker } from "../store/identity.ts";
import type { Report } from "./finding.ts";
import { DATABASE } from "./manifest.ts";
import { attemptCheck, verifyDatabase } from "./verify-database.ts";
import { type Checked, type FileCheck, verifyFiles } from "./verify-files.ts";
import { readSecret, verifySecrets } from "./verify-secrets.ts";

/**
 * Checks a library: its database, its secrets and every file. It changes nothing. It works beside a server, and on a
 * library that no longer starts.
 *
 * @throws LibraryError when there is no library, or another version of the program wrote it.
 */
export async function verifyLibrary(check: Omit<FileCheck, "db">): Promise<Checked> {
  const { dataDir, report } = check;
  if (!existsSync(dataDir)) throw new LibraryError(`There is no library in ${dataDir}: set DATA_DIR`);
  const db = openToCheck(dataDir, report);
  try {
    if (db) {
      verifyDatabase(db, report);
      attemptCheck(report, "its secrets", () => checkSecrets(db, dataDir, report));
      attemptCheck(report, "its identity", () => checkMarker(db, dataDir, report));
    }
    return await verifyFilesAnyway({ ...check, db });
  } finally {
    db?.$client.close();
  }
}

/** One transaction, so that a rotation of the master secret is seen before it or after it. */
function checkSecrets(db: Db, dataDir: string, report: Report): void {
  const check = db.$client.transaction(() => {
    const row = findStore(db);
    verifySecrets(db, (row && findMasterSecret({ dataDir }, row)) ?? readSecret(dataDir), report);
  });
  check.deferred();
}

function openToCheck(dataDir: string, report: Report): Db | undefined {
  const path = join(dataDir, DATABASE);
  if (!existsSync(path)) {
    report({ kind: "missing", id: DATABASE, path: DATABASE, detail: "The database is missing" });
    return undefined;
  }
  let db: Db | undefined;
  try {
    db = openReadOnly(path);
    const sql = "PRAGMA user_version";
    refuseOtherSchema(db.$client.query<{ user_version: number }, []>(sql).get()?.user_version ?? 0);
    return db;
  } catch (error) {
    db?.$client.close();
    if (error instanceof LibraryError) throw error;
    const detail = `The database cannot be read: ${(error as Error).message}`;
    report({ kind: "damaged", id: DATABASE, path: DATABASE, detail });
    return undefined;
  }
}

function refuseOtherSchema(schema: number): void {
  const known = `schema ${schema}, this one knows ${SCHEMA_VERSION}`;
  if (schema > SCHEMA_VERSION)
    throw new LibraryError(`This library was written by a newer Dubplate (${known}): install that version`);
  if (schema < SCHEMA_VERSION)
    throw new LibraryError(`This library was written by an older Dubplate (${known}): start the server once`);
}

/** Checks that `store.json` names the same library as the database. */
function checkMarker(db: Db, dataDir: string, report: Report): void {
  const marker = readMarker({ dataDir });
  const identity = findStore(db);
  if (!identity || !marker || marker.id === identity.id) return;
  const detail = "The folder belongs to another library than the database";
  report({ kind: "damaged", id: "store.json", path: "store.json", detail });
}

/** Checks the files even if the database is too damaged to name them. */
async function verifyFilesAnyway(check: FileCheck): Promise<Checked> {
  try {
    return await verifyFiles(check);
  } catch (error) {
    if (!check.db || !isDamage(error)) throw error;
    const detail = `The database is too damaged to check its files: ${(error as Error).message}`;
    check.report({ kind: "damaged", id: DATABASE, path: DATABASE, detail });
    return verifyFiles({ ...check, db: undefined });
  }
}

const isDamage = (error: unknown) =>
  error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? "");
