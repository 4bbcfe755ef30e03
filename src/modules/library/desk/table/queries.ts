import { type Db, prepared } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { SortName } from "./shapes.ts";

/** An order of the table: the column of `track_rows`, its index, and whether rows may lack a value. */
type Order = { column: string; index: string; isText?: true; hasUnknown?: true };

const ORDERS: Readonly<Record<string, Order>> = {
  created_at: { column: "r.created_at", index: "track_rows_by_created" },
  name: { column: "r.title", index: "track_rows_by_title", isText: true },
  artist: { column: "r.artist", index: "track_rows_by_artist", isText: true, hasUnknown: true },
  bpm: { column: "r.bpm", index: "track_rows_by_bpm", hasUnknown: true },
  key: { column: "r.key", index: "track_rows_by_key", isText: true, hasUnknown: true },
  duration: { column: "r.duration_sec", index: "track_rows_by_duration", hasUnknown: true },
  plays: { column: "r.plays", index: "track_rows_by_plays" },
  updated_at: { column: "r.updated_at", index: "track_rows_by_updated" },
  versions: { column: "r.versions", index: "track_rows_by_versions" },
  tags: { column: "r.tag", index: "track_rows_by_tag", isText: true, hasUnknown: true },
};

/** SQLite sorts blobs behind all text. */
const BEHIND_EVERY_TEXT = new Uint8Array([0]);

const taggedWith = (list: string) => `SELECT g.track_id FROM track_tags g
  WHERE g.owner_id = $ownerId AND g.name_fold IN (SELECT value FROM json_each(${list}))`;

/** The tracks on albums that are not in the bin. */
const ALBUM_PLACES = `SELECT x.track_id FROM playlists a INDEXED BY playlists_by_kind
  CROSS JOIN playlist_tracks x ON x.playlist_id = a.id
  WHERE a.owner_id = $ownerId AND a.kind = 'album' AND a.deleted_at IS NULL`;

/** The main mix of a row's set, or the oldest whole song while that is in the bin; null without a set. */
const FIRST_OF_SET = `(SELECT x.track_id FROM family_members o CROSS JOIN families f ON f.id = o.family_id
  CROSS JOIN family_members x ON x.family_id = o.family_id CROSS JOIN tracks t ON t.id = x.track_id
  WHERE o.track_id = r.id AND t.deleted_at IS NULL AND t.in_inbox = 0
  ORDER BY x.track_id <> f.main_track_id, x.edit_sec IS NOT NULL OR x.kind = 'stem', x.joined_at, x.track_id LIMIT 1)`;

/** What each condition adds to a statement. It reads the parameter of its own name. */
const CONDITIONS = {
  text: "instr(r.words, $text) > 0",
  anyTag: `r.id IN (${taggedWith("$anyTag")})`,
  allTags: `r.id IN (${taggedWith("$allTags")}
    GROUP BY g.track_id HAVING count(DISTINCT g.name_fold) = json_array_length($allTags))`,
  untagged: "(r.tags = 0) = $untagged",
  createdFrom: "r.created_at >= $createdFrom",
  createdTo: "r.created_at <= $createdTo",
  status: "r.status IN (SELECT value FROM json_each($status))",
  visible: "r.visible = $visible",
  key: "r.key IN (SELECT value FROM json_each($key))",
  bpmMin: "r.bpm >= $bpmMin",
  bpmMax: "r.bpm <= $bpmMax",
  durationMin: "r.duration_sec >= $durationMin",
  durationMax: "r.duration_sec <= $durationMax",
  albumId: `r.id IN (${ALBUM_PLACES} AND a.id = $albumId)`,
  albumName: `r.id IN (${ALBUM_PLACES} AND lower(a.name) = lower($albumName)
    UNION SELECT t.id FROM tracks t INDEXED BY tracks_by_album
    WHERE t.owner_id = $ownerId AND t.album IS NOT NULL AND lower(t.album) = lower($albumName))`,
  onAlbum: `(r.id IN (${ALBUM_PLACES})) = $onAlbum`,
  onePerSong: `($onePerSong = 0 OR coalesce(${FIRST_OF_SET}, r.id) = r.id)`,
} as const;
export type Condition = keyof typeof CONDITIONS;

/** The conditions of a list and the parameters that they read. */
export type Filter = {
  /** The tracks that wait in the Inbox, instead of the library. */
  isInbox?: boolean;
  conditions: readonly Condition[];
  values: Readonly<Record<string, string | number>>;
};

const whereOf = (conditions: readonly Condition[]) =>
  conditions.map((condition) => ` AND ${CONDITIONS[condition]}`).join("");

/** What says whose tracks a list has, and which: `track_rows` has those in the Inbox under an owner of their own. */
const ownerOf = (ownerId: LibraryId, { isInbox }: Filter) => ({
  ownerId,
  list: isInbox ? `inbox ${ownerId}` : ownerId,
});

/** A row that has a place in an order. `key` is null where the row has no value to sort by. */
export type Place = { key: string | number | null; seq: number };

/** A part of an order: the rows with a value, or those without one, which follow. */
type Part = "known" | "unknown";

/** Returns the parts of an order, in the order in which they are read. */
export function partsOf(sort: SortName): readonly Part[] {
  return orderOf(sort).hasUnknown ? ["known", "unknown"] : ["known"];
}

/**
 * Returns the statement for a stretch of one part of an order. It names the index, which gives order and place: after a
 * cursor nothing is skipped, and the rows that an offset skips are read from the index alone.
 */
export function placesSql(sort: SortName, part: Part, conditions: readonly Condition[]): string {
  const { column, index } = orderOf(sort);
  const isDown = sort.startsWith("-");
  const [next, direction] = isDown ? ["<", "DESC"] : [">", "ASC"];
  const [from, by] =
    part === "known"
      ? [`(${column}, r.seq) ${next} ($afterKey, $afterSeq)`, `${column} ${direction}, r.seq ${direction}`]
      : [`${column} IS NULL AND r.seq ${next} $afterSeq`, `r.seq ${direction}`];
  return `SELECT r.seq, ${column} AS key FROM track_rows r INDEXED BY ${index}
    WHERE r.owner_id = $list AND ${from}${whereOf(conditions)} ORDER BY ${by} LIMIT $limit OFFSET $offset`;
}

type Values = Record<string, string | number | Uint8Array>;
const placesStatement = (db: Db, sql: string) => db.$client.prepare<Place, [Values]>(sql);
const statements = prepared(() => new Map<string, ReturnType<typeof placesStatement>>());

function statementOf(db: Db, sql: string) {
  const known = statements(db).get(sql);
  if (known) return known;
  const made = placesStatement(db, sql);
  statements(db).set(sql, made);
  return made;
}

/** What a stretch of a list is: how many rows, after a place or from a position on. */
export type Stretch = { after?: Place; position: number; limit: number };

/** Returns at most `limit` rows in the order of a sort; those without a value come last in either direction. */
export function selectPlaces(
  db: Db,
  ownerId: LibraryId,
  sort: SortName,
  filter: Filter,
  { after, position, limit }: Stretch,
): Place[] {
  const read = (part: Part, from: Values, count: number, offset: number): Place[] =>
    statementOf(db, placesSql(sort, part, filter.conditions)).all({
      ...filter.values,
      ...ownerOf(ownerId, filter),
      ...from,
      limit: count,
      offset,
    } as Values);
  const start = beginningOf(sort);
  if (after?.key === null) return read("unknown", { afterSeq: after.seq }, limit, 0);

  const from = after ? { afterKey: after.key, afterSeq: after.seq } : start;
  const known = read("known", from, limit, position);
  if (known.length === limit || !orderOf(sort).hasUnknown) return known;
  const skipped = position === 0 || known.length > 0 ? 0 : position - countKnown(db, ownerId, sort, filter);
  return [
    ...known,
    ...read("unknown", { afterSeq: start.afterSeq }, limit - known.length, Math.max(0, skipped)),
  ];
}

/** Returns the place just before the first row of an order. */
function beginningOf(sort: SortName) {
  const isDown = sort.startsWith("-");
  const { isText } = orderOf(sort);
  const afterSeq = isDown ? Number.MAX_SAFE_INTEGER : -1;
  if (isText) return { afterKey: isDown ? BEHIND_EVERY_TEXT : "", afterSeq };
  return { afterKey: isDown ? Number.MAX_VALUE : -Number.MAX_VALUE, afterSeq };
}

function orderOf(sort: SortName): Order {
  const order = ORDERS[sort.replace("-", "")];
  if (!order) throw new RangeError(`There is no order ${sort}`);
  return order;
}

function countKnown(db: Db, ownerId: LibraryId, sort: SortName, filter: Filter): number {
  const { column } = orderOf(sort);
  return count(db, ownerId, filter, ` AND ${column} IS NOT NULL`);
}

/** Returns how many rows a list has. */
export function countRows(db: Db, ownerId: LibraryId, filter: Filter): number {
  return count(db, ownerId, filter, "");
}

function count(db: Db, ownerId: LibraryId, filter: Filter, more: string): number {
  const { conditions, values } = filter;
  const sql = `SELECT count(*) AS key, 0 AS seq FROM track_rows r WHERE r.owner_id = $list${whereOf(conditions)}${more}`;
  return Number(statementOf(db, sql).get({ ...values, ...ownerOf(ownerId, filter) } as Values)?.key ?? 0);
}

/** What rows of an order have in common, and how many they are. */
export type Group = { key: string; seq: number };

const GROUPS: Readonly<Record<string, string>> = {
  name: "substr(r.title, 1, 1)",
  created_at: "strftime('%Y-%m', r.created_at / 1000, 'unixepoch')",
};

/** Returns the first letters of a list by name, or the months of one by date, in its order; none of another order. */
export function selectGroups(db: Db, ownerId: LibraryId, sort: SortName, filter: Filter): Group[] {
  const { conditions, values } = filter;
  const group = GROUPS[sort.replace("-", "")];
  if (!group) return [];
  const sql = `SELECT ${group} AS key, count(*) AS seq FROM track_rows r INDEXED BY ${orderOf(sort).index}
    WHERE r.owner_id = $list${whereOf(conditions)} GROUP BY 1 ORDER BY 1 ${sort.startsWith("-") ? "DESC" : "ASC"}`;
  return statementOf(db, sql).all({ ...values, ...ownerOf(ownerId, filter) } as Values) as Group[];
}

/** A row of the table as stored. */
export type StoredRow = {
  id: string;
  name: string;
  title: string | null;
  artist: string | null;
  /** As the file or the owner has it. */
  album: string | null;
  /** JSON: pairs of id and name. */
  albums: string;
  /** How many of its set are in the library; 0 without a set. */
  setSize: number;
  cover: string | null;
  activeVersionId: string;
  activeLabel: string | null;
  versionName: string;
  mediaType: string;
  sha256: string;
  /** Null when not measured, or silent. */
  integratedLufs: number | null;
  truePeakDbtp: number | null;
  versions: number;
  bpm: number | null;
  key: string | null;
  durationSec: number | null;
  plays: number;
  status: "pending" | "processing" | "completed" | "failed";
  code: string | null;
  reason: string | null;
  visible: 0 | 1;
  createdAt: number;
  updatedAt: number;
};

const rowsBySeq = prepared((db) =>
  db.$client.prepare<StoredRow, [string]>(
    `SELECT t.id, t.name, t.title, t.artist, t.album,
       (SELECT json_group_array(json_array(p.id, p.name) ORDER BY p.created_at, p.id) FROM playlists p
        WHERE p.kind = 'album' AND p.deleted_at IS NULL
          AND p.id IN (SELECT x.playlist_id FROM playlist_tracks x WHERE x.track_id = t.id)) AS albums,
       (SELECT count(*) FROM family_members o CROSS JOIN family_members x ON x.family_id = o.family_id
          CROSS JOIN tracks u ON u.id = x.track_id
        WHERE o.track_id = t.id AND u.deleted_at IS NULL AND u.in_inbox = 0) AS setSize,
       t.cover, t.active_version_id AS activeVersionId, v.label AS activeLabel,
       v.name AS versionName, v.media_type AS mediaType, v.sha256, a.integrated_lufs AS integratedLufs,
       a.true_peak_dbtp AS truePeakDbtp, r.versions, t.bpm, t.key, t.duration_sec AS durationSec, r.plays, t.analysis_status AS status,
       t.analysis_code AS code, t.analysis_reason AS reason, r.visible, t.created_at AS createdAt,
       r.updated_at AS updatedAt
     FROM json_each(?1) i CROSS JOIN track_rows r ON r.seq = i.value CROSS JOIN tracks t ON t.seq = r.seq
     JOIN versions v ON v.id = t.active_version_id LEFT JOIN analyses a ON a.version_id = v.id
     ORDER BY i.key`,
  ),
);

/** Returns the rows at places, in their order. The caller must be allowed to see them. */
export function selectRows(db: Db, places: readonly Place[]): StoredRow[] {
  return rowsBySeq(db).all(JSON.stringify(places.map(({ seq }) => seq)));
}

/** Returns the ids of a whole list in the order of a sort. */
export function selectIds(db: Db, ownerId: LibraryId, sort: SortName, filter: Filter): string[] {
  const places = selectPlaces(db, ownerId, sort, filter, { position: 0, limit: Number.MAX_SAFE_INTEGER });
  return idsBySeq(db)
    .all(JSON.stringify(places.map(({ seq }) => seq)))
    .map(({ id }) => id);
}

const idsBySeq = prepared((db) =>
  db.$client.prepare<{ id: string }, [string]>(
    "SELECT r.id FROM json_each(?1) i CROSS JOIN track_rows r ON r.seq = i.value ORDER BY i.key",
  ),
);
