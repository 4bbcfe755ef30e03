import { type Db, prepared } from "../../../../db/client.ts";

type FactsRow = { id: string; title: string | null; durationSec: number | null };

const facts = prepared((db) =>
  db.$client.prepare<FactsRow, [string]>(
    `SELECT t.id, t.title, coalesce(a.duration_sec, t.duration_sec) AS durationSec
     FROM json_each(?1) i CROSS JOIN tracks t ON t.id = i.value AND t.deleted_at IS NULL
       LEFT JOIN analyses a ON a.version_id = t.active_version_id`,
  ),
);

/** Returns the titles and lengths of tracks, by id. */
export function selectFacts(db: Db, ids: readonly string[]): Map<string, FactsRow> {
  return new Map(
    facts(db)
      .all(JSON.stringify(ids))
      .map((row) => [row.id, row]),
  );
}
