import type { Db } from "../../db/client.ts";
import { store } from "../../db/schema.ts";
import { originalsOf, type StoreSettings } from "../blobs/store.ts";
import type { Deps } from "../kernel/deps.ts";
import { LibraryError } from "../kernel/errors.ts";
import { damagedDatabase } from "./check.ts";
import { beginGeneration, findStore } from "./identity.ts";
import { isSound } from "./pages.ts";

const SAMPLE_FILES = 50;

/**
 * Makes the last checks before a library is served, and counts the start. Only the library's one server may call
 * this.
 *
 * @param whenOlder Called in the transaction that finds the database to be an older copy than its folder.
 * @throws LibraryError when the originals are missing, or when the last server did not stop cleanly and the
 *   database is damaged.
 */
export function beginServing(
  { db, now, log, settings }: Pick<Deps, "db" | "now" | "log" | "settings">,
  whenOlder?: (tx: Db) => void,
): void {
  checkAudio(db, settings);
  if (!findStore(db)?.isClean && !isSound(db.$client)) throw damagedDatabase(settings);
  noteAudio(db, settings);
  const { generation, isOlder, isMarkerNew } = beginGeneration(db, settings, now(), whenOlder);
  if (isMarkerNew) log("warn", "store.json was missing and has been written again");
  if (isOlder)
    log(
      "warn",
      "dubplate.db is an older copy than its folder: no file is removed until this is accepted: dubplate quarantine accept",
      { generation },
    );
}

/** 8: a library that had originals still has at least one of a sample. */
function checkAudio(db: Db, settings: StoreSettings): void {
  if (!findStore(db)?.hasAudio || findsAudio(db, settings) !== false) return;
  const { count } = db.$client
    .query<{ count: number }, []>("SELECT count(DISTINCT sha256) AS count FROM versions")
    .get() ?? { count: 0 };
  throw new LibraryError(
    `The audio folder in DATA_DIR (${settings.dataDir}) has none of the library's ${withCommas(count)} files: ` +
      "is its disk mounted? If they are gone for good: dubplate quarantine accept",
  );
}

/**
 * Looks for originals at a few random places. Returns whether one is there; undefined when the library names none, or
 * they are not on this machine.
 */
function findsAudio(db: Db, settings: StoreSettings): boolean | undefined {
  const last = db.$client
    .query<{ rowid: number | null }, []>("SELECT max(rowid) AS rowid FROM versions")
    .get();
  if (!last?.rowid) return undefined;
  const at = db.$client.query<{ sha256: string }, [number]>(
    "SELECT sha256 FROM versions WHERE rowid >= ? ORDER BY rowid LIMIT 1",
  );
  let isElsewhere = false;
  for (let look = 0; look < SAMPLE_FILES; look++) {
    const found = at.get(1 + Math.floor(Math.random() * last.rowid));
    const place = found && originalsOf(settings).locate(found.sha256);
    if (typeof place === "string") return true;
    isElsewhere ||= place !== undefined;
  }
  return isElsewhere ? undefined : false;
}

/** Records that the library has originals, so that a later start notices when they are missing. */
export function noteAudio(db: Db, settings: StoreSettings): void {
  if (findStore(db)?.hasAudio === false && findsAudio(db, settings))
    db.update(store).set({ hasAudio: true }).run();
}

/** Records that the operator accepts the loss of the originals. Returns false when they are there. */
export function acceptLostAudio(db: Db, settings: StoreSettings): boolean {
  if (findsAudio(db, settings) !== false) return false;
  return db.update(store).set({ hasAudio: false }).returning().all().length > 0;
}

const withCommas = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
