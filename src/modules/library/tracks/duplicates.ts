import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { toIso } from "../../../kernel/time.ts";
import { areOneFamily } from "../families/service.ts";
import { listRecordingGroups } from "../recordings/service.ts";
import type { Duplicates, DuplicatesQuery } from "./duplicates-shapes.ts";

/**
 * Finds tracks with the same bytes, whatever their names: the largest groups first, then by hash. The counts cover the
 * whole library. Index `tracks_by_owner_cid` holds all the columns that grouping needs. Groups by sound are paged in
 * the same way.
 */
export function listDuplicates(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  { limit, offset }: DuplicatesQuery,
): Duplicates {
  const row = selectGroups(db).get({ ownerId, limit, offset });
  if (!row) throw new Error("Counting gave no row");
  const { page, ...totals } = row;
  const groups: [cid: string, count: number][] = JSON.parse(page);
  const tracks = selectTracks(db).all({ ownerId, cids: JSON.stringify(groups.map(([cid]) => cid)) });
  const byHash = Map.groupBy(tracks, ({ cid }) => cid);
  return {
    groups: groups.map(([cid, count]) => ({
      cid,
      count,
      ...groupOf(db, (byHash.get(cid) ?? []).map(toTrack)),
    })),
    ...totals,
    ...recordingGroups(db, ownerId, { limit, offset }),
    paging: { limit, offset },
  };
}

function recordingGroups(db: Db, ownerId: LibraryId, { limit, offset }: DuplicatesQuery) {
  const { sameAudio, similar } = listRecordingGroups(db, ownerId);
  const page = {
    sameAudio: sameAudio.slice(offset, offset + limit),
    similar: similar.slice(offset, offset + limit),
  };
  const ids = [...page.sameAudio, ...page.similar].flatMap(({ trackIds }) => trackIds);
  const rows = selectNamed(db).all({ ids: JSON.stringify(ids) });
  const byId = new Map(rows.map((row) => [row.id, toTrack(row)]));
  const group = (trackIds: readonly string[]) => ({
    count: trackIds.length,
    ...groupOf(
      db,
      trackIds.flatMap((id) => byId.get(id) ?? []),
    ),
  });
  return {
    sameAudio: page.sameAudio.map(({ trackIds }) => group(trackIds)),
    totalSameAudio: sameAudio.length,
    similar: page.similar.map(({ trackIds, similarity }) => ({ similarity, ...group(trackIds) })),
    totalSimilar: similar.length,
  };
}

/** Says of tracks that are kept together as one song that they are: they are not to be deleted as copies. */
function groupOf(db: Db, tracks: Duplicates["groups"][number]["tracks"]) {
  const isOne = areOneFamily(
    db,
    tracks.map(({ id }) => id),
  );
  return { tracks, ...(isOne && { sameFamily: true as const }) };
}

const toTrack = ({ id, name, createdAt }: Omit<TrackRow, "cid">) => ({
  id,
  name,
  createdAt: toIso(createdAt),
});

type Totals = Pick<Duplicates, "totalGroups" | "duplicateTrackCount" | "missingCid" | "scannedTracks">;
/** `page`: JSON array of `[cid, count]`, in order. */
type GroupsRow = Totals & { page: string };

/** Finds the groups once, for both the page and the counts. */
const selectGroups = prepared((db: Db) =>
  db.$client.prepare<GroupsRow, { ownerId: LibraryId } & DuplicatesQuery>(
    `WITH sames AS MATERIALIZED (
       SELECT cid, count(*) AS count FROM tracks INDEXED BY tracks_by_owner_cid
       WHERE owner_id = $ownerId AND cid > '' AND deleted_at IS NULL AND in_inbox = 0 GROUP BY cid HAVING count(*) > 1)
     SELECT (SELECT count(*) FROM sames) AS totalGroups,
       (SELECT coalesce(sum(count), 0) FROM sames) AS duplicateTrackCount,
       (SELECT count(*) FROM tracks INDEXED BY tracks_by_owner_cid
        WHERE owner_id = $ownerId AND cid = '' AND deleted_at IS NULL AND in_inbox = 0) AS missingCid,
       (SELECT count(*) FROM tracks INDEXED BY tracks_by_owner_cid
        WHERE owner_id = $ownerId AND deleted_at IS NULL AND in_inbox = 0) AS scannedTracks,
       (SELECT json_group_array(json_array(cid, count) ORDER BY count DESC, cid)
        FROM (SELECT * FROM sames ORDER BY count DESC, cid LIMIT $limit OFFSET $offset)) AS page`,
  ),
);

type TrackRow = { cid: string; id: string; name: string; createdAt: number };

const selectTracks = prepared((db: Db) =>
  db.$client.prepare<TrackRow, { ownerId: LibraryId; cids: string }>(
    `SELECT cid, id, name, created_at AS createdAt FROM tracks INDEXED BY tracks_by_owner_cid
     WHERE owner_id = $ownerId AND cid IN (SELECT value FROM json_each($cids)) AND deleted_at IS NULL AND in_inbox = 0
     ORDER BY created_at, id`,
  ),
);

const selectNamed = prepared((db: Db) =>
  db.$client.prepare<Omit<TrackRow, "cid">, { ids: string }>(
    `SELECT id, name, created_at AS createdAt FROM tracks WHERE id IN (SELECT value FROM json_each($ids))`,
  ),
);
