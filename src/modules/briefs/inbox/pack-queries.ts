import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PackOrder, TriageState } from "../../../../db/schema.ts";

/** A track that could go into a pack. */
export type Candidate = {
  trackId: string;
  name: string;
  title: string | null;
  artist: string | null;
  durationSec: number | null;
  bpm: number | null;
  key: string | null;
  /** Null for a track of the library that was not submitted. */
  state: TriageState | null;
  senderName: string | null;
  createdAt: number;
};

const TRACK = `t.id AS trackId, t.name, t.title, t.artist, t.duration_sec AS durationSec, t.bpm, t.key,
  t.created_at AS createdAt`;

/** Returns the owner's tracks that were shortlisted or kept for a brief, newest first. */
export function selectChosen(db: Db, ownerId: LibraryId, briefId: string): Candidate[] {
  return db.$client
    .query<Candidate, [string, string]>(
      `SELECT ${TRACK}, s.state, coalesce(s.submitter_name, r.name, nullif(r.email, '')) AS senderName
       FROM brief_submissions s CROSS JOIN tracks t ON t.id = s.track_id AND t.owner_id = ?1 AND t.deleted_at IS NULL
       LEFT JOIN brief_requests r ON r.id = s.request_id
       WHERE s.brief_id = ?2 AND s.state IN ('shortlisted', 'kept') GROUP BY t.id
       ORDER BY s.created_at DESC, s.id DESC`,
    )
    .all(ownerId, briefId);
}

/** Returns tracks of the owner among `ids` that were not submitted to a brief, in their order. */
export function selectLibrary(db: Db, ownerId: LibraryId, ids: readonly string[]): Candidate[] {
  return db.$client
    .query<Candidate, [string, string]>(
      `SELECT ${TRACK}, NULL AS state, NULL AS senderName
       FROM json_each(?2) i CROSS JOIN tracks t ON t.id = i.value
       WHERE t.owner_id = ?1 AND t.deleted_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM brief_submissions s WHERE s.track_id = t.id AND s.state <> 'kept')
       ORDER BY i.key`,
    )
    .all(ownerId, JSON.stringify(ids));
}

/** Returns how the pack of a brief was arranged by hand; null: as ranked. */
export function findOrder(db: Db, briefId: string): PackOrder | null {
  const row = db.$client
    .query<{ pack: string | null }, [string]>("SELECT pack FROM briefs WHERE id = ?")
    .get(briefId);
  return row?.pack ? (JSON.parse(row.pack) as PackOrder) : null;
}
