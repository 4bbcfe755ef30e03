import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

/** How many tracks each account has; an account without any has no row. */
export function countTracksByOwner(db: Db): Map<string, number> {
  const rows = db.$client
    .query<{ ownerId: LibraryId; tracks: number }, []>(
      "SELECT owner_id AS ownerId, tracks FROM library_totals",
    )
    .all();
  return new Map(rows.map(({ ownerId, tracks }) => [ownerId, tracks]));
}

/** Sums over the whole library. */
export type Sums = { versions: number; originalsBytes: number; renditionsBytes: number };

/** Returns how many versions there are and how large their files are. The same bytes count once. */
export function selectSums(db: Db): Sums {
  const row = db.$client
    .query<Sums, []>(
      `SELECT (SELECT count(*) FROM versions) AS versions,
         (SELECT ifnull(sum(size), 0) FROM (SELECT max(size_bytes) AS size FROM versions GROUP BY sha256))
           AS originalsBytes,
         (SELECT ifnull(sum(size_bytes), 0) FROM renditions) AS renditionsBytes`,
    )
    .get();
  return row ?? { versions: 0, originalsBytes: 0, renditionsBytes: 0 };
}

/** Returns how many jobs are in each state. */
export function countJobs(db: Db): Map<string, number> {
  const rows = db.$client
    .query<{ state: string; count: number }, []>("SELECT state, count(*) AS count FROM jobs GROUP BY state")
    .all();
  return new Map(rows.map(({ state, count }) => [state, count]));
}
