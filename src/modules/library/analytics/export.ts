import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  activity: activityOf,
};

/** Plays, views and other events, read row by row: there may be millions. */
function* activityOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const rows = db.$client
    .query<Plain, [string]>(
      `SELECT a.id, a.at, e.entity, e.entity_id AS entityId, s.metric, a.actor_type AS actorType,
         a.actor_name AS actorName, a.share_id AS shareId, a.left_out AS leftOut, a.visit, a.heard_sec AS heardSec, a.heard, a.stopped_sec AS stoppedSec,
         p.entity_id AS playlistId
       FROM activity_entities e JOIN activity a ON a.entity_ref = e.ref
       JOIN activity_series s ON s.ref = a.series_ref LEFT JOIN activity_entities p ON p.ref = a.playlist_ref
       WHERE e.owner_id = ? ORDER BY a.seq`,
    )
    .iterate(accountId);
  for (const row of rows) yield plain(row);
}
