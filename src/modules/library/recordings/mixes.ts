import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

/** Another track that is a mix of the same song. */
export type Mix = {
  id: string;
  title: string | null;
  name: string;
  artist: string | null;
  createdAt: number;
  /** Of the sound, 0 to 1. */
  similarity: number;
  isSameMix: boolean;
};

/** Another track with the same recording. */
export type Copy = Pick<Mix, "id" | "title" | "name" | "artist" | "similarity"> & {
  /** True when the file is the same, byte for byte. */
  isSameFile: boolean;
};

const MAX_FOUND = 20;

/**
 * Returns the account's other tracks whose active version is a mix of the song that a track's active version is, the likest first:
 * it runs together with it from the first note to the last. At most 20. Empty before the analysis.
 */
export function listMixes(db: Db, ownerId: LibraryId, trackId: string): Mix[] {
  return selectMixes(db)
    .all({ ownerId, trackId })
    .map(({ isSameMix, isSameFile: _, ...mix }) => ({ ...mix, isSameMix: isSameMix === 1 }));
}

/**
 * Returns the account's tracks whose active version sounds as that of a track does: the same samples, or the same mix
 * encoded again, louder or trimmed. At most 20, the likest first. Empty before the analysis.
 */
export function listCopies(db: Db, ownerId: LibraryId, trackId: string): Copy[] {
  return selectCopies(db)
    .all({ ownerId, trackId })
    .map(({ id, title, name, artist, similarity, isSameFile }) => ({
      ...{ id, title, name, artist, similarity },
      isSameFile: isSameFile === 1,
    }));
}

type Row = Omit<Mix, "isSameMix"> & { isSameMix: number; isSameFile: number };

/** `near`: the recordings that are meant, each with `id`, `similarity` and `isSameMix`; `mine` is the track's own. */
const selecting = (near: string) =>
  prepared((db: Db) =>
    db.$client.prepare<Row, { ownerId: LibraryId; trackId: string }>(
      `WITH mine AS MATERIALIZED (
         SELECT v.recording_id AS id, t.cid FROM tracks t JOIN version_recordings v ON v.version_id = t.active_version_id
         WHERE t.id = $trackId AND t.owner_id = $ownerId),
       near AS MATERIALIZED (${near})
       SELECT t.id, t.title, t.name, t.artist, t.created_at AS createdAt, near.similarity, near.isSameMix,
         t.cid = (SELECT cid FROM mine) AS isSameFile
       FROM near CROSS JOIN version_recordings r ON r.recording_id = near.id
         CROSS JOIN versions v ON v.id = r.version_id
         CROSS JOIN tracks t ON t.id = v.track_id AND t.active_version_id = v.id
       WHERE t.owner_id = $ownerId AND t.id <> $trackId AND t.deleted_at IS NULL AND t.in_inbox = 0
       ORDER BY near.similarity DESC, t.created_at LIMIT ${MAX_FOUND}`,
    ),
  );

const COPIES = `SELECT id, 1.0 AS similarity, 1 AS isSameMix FROM mine
  UNION ALL SELECT later_id, similarity, 1 FROM recording_pairs WHERE earlier_id = (SELECT id FROM mine)
  UNION ALL SELECT earlier_id, similarity, 1 FROM recording_pairs WHERE later_id = (SELECT id FROM mine)`;

const selectCopies = selecting(COPIES);
const selectMixes = selecting(`${COPIES}
  UNION ALL SELECT later_id, similarity, 0 FROM recording_mixes WHERE earlier_id = (SELECT id FROM mine)
  UNION ALL SELECT earlier_id, similarity, 0 FROM recording_mixes WHERE later_id = (SELECT id FROM mine)`);
