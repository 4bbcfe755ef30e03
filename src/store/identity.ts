import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { type Db, transact } from "../../db/client.ts";
import { store } from "../../db/schema.ts";
import { forgetRemovals, restartRemovals } from "../blobs/bucket/removals.ts";
import { replaceFile } from "../blobs/move.ts";
import type { DataDir } from "../blobs/paths.ts";
import { addHold, endHolds } from "../blobs/removal.ts";
import { newId } from "../kernel/ids.ts";
import { secretCheck } from "../kernel/master-secret.ts";
import { toIso } from "../kernel/time.ts";
import { makeSecret, readSecret } from "./secret.ts";

/** A library's identity, as its database has it. */
export type StoreRow = typeof store.$inferSelect;

/** A library's identity, as `store.json` in its folder has it. */
export type Marker = { id: string; generation: number; createdAt: string };

const markerPath = ({ dataDir }: DataDir) => join(dataDir, "store.json");

/** Reads `store.json`. Returns undefined when the file is missing or damaged. */
export function readMarker(settings: DataDir): Marker | undefined {
  try {
    const { id, generation, createdAt } = JSON.parse(readFileSync(markerPath(settings), "utf8"));
    if (typeof id === "string" && Number.isSafeInteger(generation))
      return { id, generation, createdAt: String(createdAt) };
  } catch {
    // Missing or damaged: the database has the same values.
  }
  return undefined;
}

/** Writes `store.json`, whole or not at all. */
export function writeMarker(settings: DataDir, { id, generation, createdAt }: StoreRow): void {
  const marker: Marker = { id, generation, createdAt: toIso(createdAt) };
  replaceFile(markerPath(settings), `${JSON.stringify(marker)}\n`);
}

/** Returns a library's identity; undefined when it has none yet. */
export function findStore(db: Db): StoreRow | undefined {
  return db.select().from(store).get();
}

/**
 * Gives an open library an identity where it has none: a new one, with a new master secret where there is none, or
 * that of its folder for a database from before there were identities.
 */
export function establish(db: Db, settings: DataDir, at: number): void {
  if (findStore(db)) return;
  // The write lock keeps two simultaneous first starts from making two secrets.
  transact(db, (tx) => {
    const master = readSecret(settings) ?? makeSecret(settings);
    if (findStore(tx)) return;
    const id = readMarker(settings)?.id ?? newId("sto");
    const row = { one: 1, id, generation: 0, secretCheck: secretCheck(master, id), createdAt: at };
    const made = tx.insert(store).values(row).returning().get();
    if (!readMarker(settings)) writeMarker(settings, made);
  });
}

/** What a start learns by comparing the generations of the database and `store.json`. */
export type Beginning = { generation: number; isOlder: boolean; isMarkerNew: boolean };

/**
 * Counts a start of the server, first in the database and then in `store.json`, and records that the server runs. A
 * database that is behind its folder is an older copy. It holds removal until the operator accepts it, and `whenOlder` is called in
 * the same transaction.
 */
export function beginGeneration(
  db: Db,
  settings: DataDir,
  at: number,
  whenOlder: (tx: Db) => void = () => undefined,
): Beginning {
  const marker = readMarker(settings);
  const row = transact(db, (tx) => {
    const before = tx.select().from(store).get();
    const behind = { database: before?.generation ?? 0, folder: marker?.generation ?? 0 };
    if (behind.database < behind.folder) {
      addHold(tx, "older_database", behind, at);
      restartRemovals(tx, at);
      whenOlder(tx);
    }
    const generation = Math.max(behind.database, behind.folder) + 1;
    return { before, after: tx.update(store).set({ generation, isClean: false }).returning().get() };
  });
  writeMarker(settings, row.after);
  return {
    generation: row.after.generation,
    isOlder: (row.before?.generation ?? 0) < (marker?.generation ?? 0),
    isMarkerNew: marker === undefined,
  };
}

/**
 * Adds `step` to the generation of a restored library, so that an older database is always recognised, and writes its
 * `store.json`. Ends the holds that the backup brought along.
 */
export function moveOn(db: Db, settings: DataDir, step: number): StoreRow {
  const row = transact(db, (tx) => {
    endHolds(tx, ["older_database", "mass_removal"]);
    forgetRemovals(tx);
    const generation = sql`${store.generation} + ${step}`;
    return tx.update(store).set({ generation, isClean: true }).returning().get();
  });
  writeMarker(settings, row);
  return row;
}

/** Records that the server stopped cleanly. Call it last. */
export function endGeneration(db: Db): void {
  db.update(store).set({ isClean: true }).run();
}
