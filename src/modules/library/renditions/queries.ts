import { and, eq, sql } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import { renditions, versions } from "../../../../db/schema.ts";
import type { Sound } from "./need.ts";

export type RenditionRow = typeof renditions.$inferSelect;

type Key = Pick<RenditionRow, "sha256" | "encoding">;

/** The original of an active version; `isAnalysed` is false until its sound has been measured. */
export type Original = Sound & {
  sha256: string;
  isAnalysed: boolean;
  /** Null until it has been measured. */
  durationSec: number | null;
  /** The encodings of its recorded renditions. */
  encodings: readonly RenditionRow["encoding"][];
};

type OriginalRow = {
  sha256: string;
  container: string;
  codec: string | null;
  lossless: 0 | 1 | null;
  bitrateBps: number | null;
  durationSec: number | null;
  isAnalysed: 0 | 1;
  encodings: string | null;
};

const ORIGINALS = `
  SELECT v.sha256, v.container, a.codec, a.lossless, v.size_bytes * 8 / nullif(a.duration_sec, 0) AS bitrateBps,
    a.duration_sec AS durationSec, a.version_id IS NOT NULL AS isAnalysed,
    (SELECT group_concat(r.encoding) FROM renditions r WHERE r.sha256 = v.sha256) AS encodings
  FROM versions v
  JOIN tracks t ON t.id = v.track_id
  LEFT JOIN analyses a ON a.version_id = v.id`;

const bySha256 = prepared((db) =>
  db
    .select()
    .from(renditions)
    .where(eq(renditions.sha256, sql.placeholder("sha256")))
    .prepare(),
);

/** Returns the rows of an original's renditions. */
export function listRowsOf(db: Db, sha256: string): RenditionRow[] {
  return bySha256(db).all({ sha256 });
}

const amongSha256 = prepared((db) =>
  db.$client.prepare<RenditionRow, [string]>(
    `SELECT r.sha256, r.encoding, r.size_bytes AS sizeBytes, r.created_at AS createdAt
     FROM json_each(?1) i CROSS JOIN renditions r ON r.sha256 = i.value`,
  ),
);

/** Returns the rows of the renditions of many originals, by original. */
export function rowsByOriginal(db: Db, sha256s: readonly string[]): Map<string, RenditionRow[]> {
  return Map.groupBy(amongSha256(db).all(JSON.stringify([...new Set(sha256s)])), ({ sha256 }) => sha256);
}

/**
 * Returns an original if a version has it, otherwise undefined. Served by `versions_by_blob`. A version that was replaced while its
 * renditions waited to be made is still compared with the one that plays.
 */
export function findOriginal(db: Db, sha256: string): Original | undefined {
  const row = db.$client
    .query<OriginalRow, [string]>(`${ORIGINALS} WHERE v.sha256 = ? ORDER BY isAnalysed DESC LIMIT 1`)
    .get(sha256);
  return row ? toOriginal(row) : undefined;
}

const soundOf = prepared((db) =>
  db.$client.prepare<Pick<OriginalRow, keyof Sound>, [string]>(
    `SELECT v.container, a.codec, a.lossless, v.size_bytes * 8 / nullif(a.duration_sec, 0) AS bitrateBps
     FROM versions v LEFT JOIN analyses a ON a.version_id = v.id
     WHERE v.sha256 = ? ORDER BY a.version_id IS NULL LIMIT 1`,
  ),
);

/** Returns what is known of an original that a version has, active or not. */
export function findSound(db: Db, sha256: string): Sound | undefined {
  const row = soundOf(db).get(sha256);
  return row ? { ...row, lossless: row.lossless === null ? null : row.lossless === 1 } : undefined;
}

const waitingFor = prepared((db) =>
  db.$client.prepare<{ found: 1 }, [string, string]>(
    "SELECT 1 AS found FROM jobs WHERE name = ?1 AND unique_key = ?2 AND state IN ('waiting', 'running')",
  ),
);

/** True while a job for an original has not ended. */
export function hasJob(db: Db, name: string, sha256: string): boolean {
  return waitingFor(db).get(name, sha256) !== null;
}

/** Returns the analysed originals that tracks now play whose sequence numbers are above `after`, up to `last`. */
export function listOriginals(db: Db, after: number, last: number): Original[] {
  return db.$client
    .query<OriginalRow, [number, number]>(
      `${ORIGINALS} WHERE t.active_version_id = v.id AND a.version_id IS NOT NULL AND t.seq > ? AND t.seq <= ?`,
    )
    .all(after, last)
    .map(toOriginal);
}

/** Returns the newest track's sequence number; 0 without tracks. */
export function lastSeq(db: Db): number {
  return db.$client.query<{ seq: number | null }, []>("SELECT max(seq) AS seq FROM tracks").get()?.seq ?? 0;
}

function toOriginal({ lossless, isAnalysed, encodings, ...row }: OriginalRow): Original {
  return {
    ...row,
    lossless: lossless === null ? null : lossless === 1,
    isAnalysed: isAnalysed === 1,
    // A constraint of the table allows only these two values.
    encodings: (encodings?.split(",") ?? []) as Original["encodings"],
  };
}

/** True while a version, active or not, has these bytes. */
export function isUsed(tx: Db, sha256: string): boolean {
  return tx.select({ id: versions.id }).from(versions).where(eq(versions.sha256, sha256)).get() !== undefined;
}

/** Stores a rendition's row, replacing an earlier one of the same original. */
export function putRow(tx: Db, row: RenditionRow): void {
  const target = [renditions.sha256, renditions.encoding];
  tx.insert(renditions).values(row).onConflictDoUpdate({ target, set: row }).run();
}

/** Deletes a rendition's row. */
export function deleteRow(tx: Db, { sha256, encoding }: Key): void {
  tx.delete(renditions)
    .where(and(eq(renditions.sha256, sha256), eq(renditions.encoding, encoding)))
    .run();
}

const FIRST: Key = { sha256: "", encoding: "opus" };

/** Returns at most `limit` rows of renditions, in the order of their keys, after the row `after`. */
export function listRows(db: Db, after: Key | undefined, limit: number): RenditionRow[] {
  const { sha256, encoding } = after ?? FIRST;
  return db
    .select()
    .from(renditions)
    .where(sql`(${renditions.sha256}, ${renditions.encoding}) > (${sha256}, ${encoding})`)
    .orderBy(renditions.sha256, renditions.encoding)
    .limit(limit)
    .all();
}
