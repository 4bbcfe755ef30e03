import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { type Db, transact } from "../../db/client.ts";
import { store } from "../../db/schema.ts";
import { replaceFile } from "../blobs/move.ts";
import type { DataDir } from "../blobs/paths.ts";
import { addHold, endHolds } from "../blobs/removal.ts";
import { newId } from "../kernel/ids.ts";
import { secretCheck } from "../kernel/master-secret.ts";
import { toIso } from "../kernel/time.ts";
import { makeSecret, readSecret } from "./secret.ts";

/** Who a library is, as its database says. */
export type StoreRow = typeof store.$inferSelect;

/** Who the library is, as the folder says in `store.json`. */
export type Marker = { id: string; generation: number; createdAt: string };

const markerPath = ({ dataDir }: DataDir) => join(dataDir, "store.json");

/** Returns what `store.json` says; undefined without a file that can be understood. */
export function readMarker(settings: DataDir): Marker | undefined {
  try {
    const { id, generation, createdAt } = JSON.parse(readFileSync(markerPath(settings), "utf8"));
    if (typeof id === "string" && Number.isSafeInteger(generation))
      return { id, generation, createdAt: String(createdAt) };
  } catch {
    // Missing or damaged: the database knows the same.
  }
  return undefined;
}

/** Writes `store.json`, whole or not at all. */
export function writeMarker(settings: DataDir, { id, generation, createdAt }: StoreRow): void {
  const marker: Marker = { id, generation, createdAt: toIso(createdAt) };
  replaceFile(markerPath(settings), `${JSON.stringify(marker)}\n`);
}

/** Returns the row of a library; undefined when it has none yet. */
export function findStore(db: Db): StoreRow | undefined {
  return db.select().from(store).get();
}

/**
 * Gives an open library an identity where it has none: a new one, with a new master secret where there is none, or that
 * of its folder for a database from before there were identities.
 */
export function establish(db: Db, settings: DataDir, at: number): void {
  if (findStore(db)) return;
  // The write lock keeps two first starts from making two secrets.
  transact(db, (tx) => {
    const master = readSecret(settings) ?? makeSecret(settings);
    if (findStore(tx)) return;
    const id = readMarker(settings)?.id ?? newId("sto");
    const row = { one: 1, id, generation: 0, secretCheck: secretCheck(master, id), createdAt: at };
    const made = tx.insert(store).values(row).returning().get();
    if (!readMarker(settings)) writeMarker(settings, made);
  });
}

/** What a start learned about the database by its generation. */
export type Beginning = { generation: number; isOlder: boolean; isMarkerNew: boolean };

/**
 * Counts a start of the server, first in the database and then in `store.json`, and notes that the server runs. A
 * database that is behind its folder is an older copy: removal is then held until the operator accepts it.
 */
export function beginGeneration(db: Db, settings: DataDir, at: number): Beginning {
  const marker = readMarker(settings);
  const row = transact(db, (tx) => {
    const before = tx.select().from(store).get();
    const behind = { database: before?.generation ?? 0, folder: marker?.generation ?? 0 };
    if (behind.database < behind.folder) addHold(tx, "older_database", behind, at);
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
 * Moves a restored library's generation on by `step`, so that no older database can pass for it, and writes its
 * `store.json`. What held removal in the library that was backed up does not hold it here.
 */
export function moveOn(db: Db, settings: DataDir, step: number): StoreRow {
  const row = transact(db, (tx) => {
    endHolds(tx, ["older_database", "mass_removal"]);
    const generation = sql`${store.generation} + ${step}`;
    return tx.update(store).set({ generation, isClean: true }).returning().get();
  });
  writeMarker(settings, row);
  return row;
}

/** Notes that the server stopped in good order. Call it last. */
export function endGeneration(db: Db): void {
  db.update(store).set({ isClean: true }).run();
}
