import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { CommonField } from "./shapes.ts";

/** Columns of the fields that are compared; null and an empty text are the same. */
const COLUMNS: Readonly<Record<CommonField | "label", string>> = {
  artist: "t.artist",
  album: "t.album",
  album_artist: "t.album_artist",
  recordLabel: "t.record_label",
  year: "t.year",
  trackGenre: "t.track_genre",
  notes: "t.notes",
  cover: "t.cover",
  label: "v.label",
};

/** The first and last value of each field in the order of their bytes: the same when all tracks have one value. */
export type Bounds = Readonly<Record<string, string>>;
export type Numbers = {
  count: number;
  hidden: number;
  outdated: number;
  others: number;
  othersHidden: number;
};

const SQL = `SELECT count(*) AS count, sum(v.visible = 0) AS hidden,
    sum(v.version_order < (SELECT max(o.version_order) FROM versions o WHERE o.track_id = t.id)) AS outdated,
    sum((SELECT count(*) FROM versions o WHERE o.track_id = t.id AND o.id <> v.id)) AS others,
    sum((SELECT count(*) FROM versions o WHERE o.track_id = t.id AND o.id <> v.id AND o.visible = 0)) AS othersHidden,
    ${Object.entries(COLUMNS)
      .map(
        ([name, column]) =>
          `min(coalesce(${column}, '')) AS least_${name}, max(coalesce(${column}, '')) AS most_${name}`,
      )
      .join(",\n    ")}
  FROM json_each(?1) i CROSS JOIN tracks t ON t.id = i.value JOIN versions v ON v.id = t.active_version_id
  WHERE t.owner_id = ?2 AND t.deleted_at IS NULL`;

/** Reads those of `ids` that are the account's tracks. Returns undefined when none is. */
export function selectBounds(
  db: Db,
  ownerId: LibraryId,
  ids: readonly string[],
): (Numbers & Bounds) | undefined {
  const row = db.$client.query<Numbers & Bounds, [string, string]>(SQL).get(JSON.stringify(ids), ownerId);
  return row && row.count > 0 ? row : undefined;
}
