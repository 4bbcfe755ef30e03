import { type Db, prepared } from "../../../../db/client.ts";

/** Another track with the same recording. */
export type Copy = {
  id: string;
  title: string | null;
  name: string;
  artist: string | null;
  /** Of the sound, 0 to 1; 1: the same samples. */
  similarity: number;
  /** True when the file is the same, byte for byte. */
  isSameFile: boolean;
};

const MAX_COPIES = 20;

/**
 * Returns the account's tracks whose active version sounds as that of a track does: the same samples, or the same mix
 * encoded again, louder or trimmed. At most 20, the likest first. Empty before the analysis.
 */
export function listCopies(db: Db, ownerId: string, trackId: string): Copy[] {
  return selectCopies(db)
    .all({ ownerId, trackId })
    .map(({ isSameFile, ...copy }) => ({ ...copy, isSameFile: isSameFile === 1 }));
}

const selectCopies = prepared((db: Db) =>
  db.$client.prepare<Omit<Copy, "isSameFile"> & { isSameFile: number }, { ownerId: string; trackId: string }>(
    `WITH mine AS MATERIALIZED (
       SELECT v.recording_id AS id, t.cid FROM tracks t JOIN version_recordings v ON v.version_id = t.active_version_id
       WHERE t.id = $trackId AND t.owner_id = $ownerId),
     near AS MATERIALIZED (
       SELECT id, 1.0 AS similarity FROM mine
       UNION ALL SELECT later_id, similarity FROM recording_pairs WHERE earlier_id = (SELECT id FROM mine)
       UNION ALL SELECT earlier_id, similarity FROM recording_pairs WHERE later_id = (SELECT id FROM mine))
     SELECT t.id, t.title, t.name, t.artist, near.similarity, t.cid = (SELECT cid FROM mine) AS isSameFile
     FROM near CROSS JOIN version_recordings r ON r.recording_id = near.id
       CROSS JOIN versions v ON v.id = r.version_id CROSS JOIN tracks t ON t.id = v.track_id AND t.active_version_id = v.id
     WHERE t.owner_id = $ownerId AND t.id <> $trackId AND t.deleted_at IS NULL AND t.in_inbox = 0
     ORDER BY near.similarity DESC, t.created_at LIMIT ${MAX_COPIES}`,
  ),
);
