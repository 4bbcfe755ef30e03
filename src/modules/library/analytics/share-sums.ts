import { type Db, prepared } from "../../../../db/client.ts";
import { IS_LISTEN } from "./listened.ts";

/** How often what a link leads to was played through it, and when it was last listened to, even if too short for a play. */
export type ShareSums = { plays: number; lastHeardAt: number | null };

const sums = prepared((db) =>
  db.$client.prepare<ShareSums & { shareId: string }, [string]>(
    `SELECT a.share_id AS shareId, count(*) FILTER (WHERE a.left_out IS NULL) AS plays, max(a.at) AS lastHeardAt
     FROM json_each(?1) i CROSS JOIN activity a INDEXED BY activity_by_share ON a.share_id = i.value
       JOIN activity_series s ON s.ref = a.series_ref
     WHERE ${IS_LISTEN} GROUP BY a.share_id`,
  ),
);

/** Returns the counted plays through links and the last listen, by link; a link that was never heard has no entry. */
export function sumShares(db: Db, shareIds: readonly string[]): Map<string, ShareSums> {
  const rows = sums(db).all(JSON.stringify(shareIds));
  return new Map(rows.map(({ shareId, ...each }) => [shareId, each]));
}
