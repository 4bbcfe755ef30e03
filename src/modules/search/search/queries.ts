import type { Db } from "../../../../db/client.ts";
import type { LibraryId, searches } from "../../../../db/schema.ts";
import { fold } from "../../../kernel/text.ts";

/** Returns the lyrics of the owner's tracks by track number; tracks without lyrics are left out. */
export function selectLyrics(db: Db, ownerId: LibraryId, seqs: readonly number[]): Map<number, string> {
  const rows = db.$client
    .query<{ seq: number; lyrics: string }, [string, string]>(
      `SELECT seq, lyrics FROM json_each(?) list CROSS JOIN tracks ON seq = list.value
       WHERE owner_id = ? AND lyrics IS NOT NULL`,
    )
    .all(JSON.stringify(seqs), ownerId);
  return new Map(rows.map(({ seq, lyrics }) => [seq, lyrics]));
}

/** Returns true when a track of the owner has this title, or this name where it has no title. */
export function isTitle(db: Db, ownerId: LibraryId, text: string): boolean {
  return (
    db.$client
      .query<{ found: number }, [string, string]>(
        "SELECT 1 AS found FROM track_rows WHERE owner_id = ? AND title = ? LIMIT 1",
      )
      .get(ownerId, fold(text.trim())) !== null
  );
}

/** A track of the library, by its id and its number. */
export type OwnTrack = { id: string; seq: number };

/** Returns the tracks with these ids that belong to the owner, in the order given, without repetitions. */
export function selectOwn(db: Db, ownerId: LibraryId, ids: readonly string[]): OwnTrack[] {
  const rows = db.$client
    .query<OwnTrack, [string, string]>(
      `SELECT tracks.id, seq FROM json_each(?) list CROSS JOIN tracks ON tracks.id = list.value
       WHERE owner_id = ? AND deleted_at IS NULL`,
    )
    .all(JSON.stringify(ids), ownerId);
  const own = new Map(rows.map((track) => [track.id, track]));
  return [...new Set(ids)].flatMap((id) => own.get(id) ?? []);
}

/** What tracks are called. */
export type CalledRow = {
  id: string;
  seq: number;
  name: string;
  title: string | null;
  artist: string | null;
};

/** Returns what the owner's tracks are called, unordered. */
export function selectCalled(db: Db, ownerId: LibraryId, seqs: readonly number[]): CalledRow[] {
  return db.$client
    .query<CalledRow, [string, string]>(
      `SELECT tracks.id, seq, name, title, artist FROM json_each(?) list CROSS JOIN tracks ON seq = list.value
       WHERE owner_id = ? AND deleted_at IS NULL`,
    )
    .all(JSON.stringify(seqs), ownerId);
}

/**
 * The other reading of a track's tempo, over `tracks t` and `analyses a`: what the analysis names beside its own, or the
 * analysis's own where the track has the other. A tempo that is neither has no other reading.
 */
export const OTHER_BPM = `CASE WHEN abs(t.bpm / a.bpm - 1) < 0.02 THEN a.structure ->> '$.alternativeBpm'
  WHEN abs(t.bpm / (a.structure ->> '$.alternativeBpm') - 1) < 0.02 THEN a.bpm END`;

/** The values of a track that results show. */
export type HitRow = CalledRow & {
  bpm: number | null;
  /** The tempo by which others count it. */
  otherBpm: number | null;
  key: string | null;
  durationSec: number | null;
  createdAt: number;
  versions: number;
  /** Storage key of the cover. */
  cover: string | null;
  visible: 0 | 1;
  /** Whether a vocal tag or lyrics document its vocals. */
  isVoiceWritten: 0 | 1;
};

/** Returns what results show about the owner's tracks, unordered. */
export function selectHits(db: Db, ownerId: LibraryId, seqs: readonly number[]): HitRow[] {
  return db.$client
    .query<HitRow, [string, string]>(
      `SELECT t.id, t.seq, t.name, t.title, t.artist, t.bpm, ${OTHER_BPM} AS otherBpm, t.key,
              t.duration_sec AS durationSec, t.cover, t.created_at AS createdAt,
              (SELECT count(*) FROM versions v WHERE v.track_id = t.id) AS versions,
              EXISTS (SELECT 1 FROM versions v WHERE v.id = t.active_version_id AND v.visible) AS visible,
              trim(coalesce(t.lyrics, ''), char(9, 10, 13, 32)) <> '' OR EXISTS
                (SELECT 1 FROM track_tags g WHERE g.track_id = t.id AND g.category = 'vocals') AS isVoiceWritten
       FROM json_each(?) list CROSS JOIN tracks t ON t.seq = list.value
       LEFT JOIN analyses a ON a.version_id = t.analysis_version_id
       WHERE t.owner_id = ? AND t.deleted_at IS NULL`,
    )
    .all(JSON.stringify(seqs), ownerId);
}

/** Writes an entry of the history. Every search waits for it: a statement that is built each time takes as long again. */
export function insertSearch({ $client }: Db, search: typeof searches.$inferSelect): void {
  const { id, accountId, keyId, personId, query, creditsCharged, at } = search;
  $client
    .query<void, (string | number | null)[]>(
      `INSERT INTO searches (id, account_id, key_id, person_id, query, request, interpretation, result_ids,
         credits_charged, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ...[id, accountId, keyId, personId, query],
      ...[search.request, search.interpretation, search.resultIds].map((value) => JSON.stringify(value)),
      ...[creditsCharged, at],
    );
}
