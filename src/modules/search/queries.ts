import type { Db } from "../../../db/client.ts";

/** Returns each spelling of a key that the owner's tracks have. */
export function selectKeySpellings(db: Db, ownerId: string): string[] {
  return selectSpellings(db, "key", ownerId);
}

/** Returns each spelling of a language that the owner's tracks have. */
export function selectLanguageSpellings(db: Db, ownerId: string): string[] {
  return selectSpellings(db, "language", ownerId);
}

function selectSpellings(db: Db, column: "key" | "language", ownerId: string): string[] {
  return db.$client
    .query<{ text: string }, [string]>(
      `SELECT DISTINCT ${column} AS text FROM tracks WHERE owner_id = ? AND ${column} IS NOT NULL`,
    )
    .all(ownerId)
    .map(({ text }) => text);
}

/** Returns the lyrics of the owner's tracks whose language is not written. */
export function selectWordsWithoutLanguage(db: Db, ownerId: string): { id: string; lyrics: string }[] {
  return db.$client
    .query<{ id: string; lyrics: string }, [string]>(
      `SELECT id, lyrics FROM tracks
       WHERE owner_id = ? AND coalesce(language, '') = '' AND coalesce(lyrics, '') <> ''`,
    )
    .all(ownerId);
}

/** Returns those of the ids that are the owner's tracks, in the order given, without repetitions. */
export function selectOwnIds(db: Db, ownerId: string, ids: readonly string[]): string[] {
  const rows = db.$client
    .query<{ id: string }, [string, string]>(
      "SELECT id FROM tracks WHERE owner_id = ? AND id IN (SELECT value FROM json_each(?))",
    )
    .all(ownerId, JSON.stringify(ids));
  const own = new Set(rows.map(({ id }) => id));
  return [...new Set(ids)].filter((id) => own.has(id));
}

/** A track's display values. */
export type HitRow = {
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  bpm: number | null;
  key: string | null;
  durationSec: number | null;
};

/** Returns what results show of tracks, in no order. The ids must be those of tracks the caller may see. */
export function selectHits(db: Db, ids: readonly string[]): HitRow[] {
  return db.$client
    .query<HitRow, [string]>(
      `SELECT id, name, title, artist, bpm, key, duration_sec AS durationSec FROM tracks
       WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(ids));
}

/** Returns the credits of an account, null for unlimited. */
export function selectCredits(db: Db, accountId: string): number | null {
  const row = db.$client
    .query<{ credits: number | null }, [string]>("SELECT credits FROM accounts WHERE id = ?")
    .get(accountId);
  return row ? row.credits : 0;
}

/**
 * Takes one credit. Returns what is left (null for unlimited), or undefined when there was none to take. One
 * statement, so that the balance never goes below zero.
 */
export function takeCredit(tx: Db, accountId: string): number | null | undefined {
  const row = tx.$client
    .query<{ credits: number | null }, [string]>(
      "UPDATE accounts SET credits = credits - 1 WHERE id = ? AND (credits IS NULL OR credits > 0) RETURNING credits",
    )
    .get(accountId);
  return row ? row.credits : undefined;
}
