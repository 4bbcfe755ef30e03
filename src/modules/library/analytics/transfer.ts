import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

type Series = { ref: number; entity: string; metric: string };

/** Gives the activity on an account's tracks and playlists to another account, with every count. */
export function transferActivity(tx: Db, from: string, to: string): void {
  tx.$client.query("UPDATE activity_entities SET owner_id = ? WHERE owner_id = ?").run(to, from);
  const known = seriesOf(tx, to);
  for (const series of seriesOf(tx, from)) {
    const same = known.find(({ entity, metric }) => entity === series.entity && metric === series.metric);
    // The log may have millions of rows: those of the smaller series change.
    const isLarger = same !== undefined && sizeOf(tx, series.ref) > sizeOf(tx, same.ref);
    if (same && !isLarger) merge(tx, series.ref, same.ref);
    if (same && isLarger) merge(tx, same.ref, series.ref);
    if (!same || isLarger)
      tx.$client.query("UPDATE activity_series SET owner_id = ? WHERE ref = ?").run(to, series.ref);
  }
}

const seriesOf = (db: Db, ownerId: LibraryId): Series[] =>
  db.$client
    .query<Series, [string]>("SELECT ref, entity, metric FROM activity_series WHERE owner_id = ?")
    .all(ownerId);

const sizeOf = (db: Db, ref: number): number =>
  db.$client
    .query<{ n: number }, [number]>("SELECT count(*) AS n FROM activity WHERE series_ref = ?")
    .get(ref)?.n ?? 0;

/** Adds one series to another, and deletes it. */
function merge(tx: Db, gone: number, kept: number): void {
  tx.$client.query("UPDATE activity SET series_ref = ? WHERE series_ref = ?").run(kept, gone);
  tx.$client
    .query(
      `INSERT INTO activity_days (series_ref, day, count)
       SELECT ?2, day, count FROM activity_days WHERE series_ref = ?1
       ON CONFLICT (series_ref, day) DO UPDATE SET count = count + excluded.count`,
    )
    .run(gone, kept);
  // No track or playlist is counted in both: it has one owner.
  tx.$client.query("UPDATE activity_counts SET series_ref = ? WHERE series_ref = ?").run(kept, gone);
  tx.$client.query("DELETE FROM activity_series WHERE ref = ?").run(gone);
}
