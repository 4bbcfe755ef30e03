import { type Db, prepared } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { stateOfDatabase } from "../../../../../db/unchanged.ts";
import type { Viewer } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { invalidField } from "../../../../kernel/errors.ts";
import { decodeCursor, encodeCursor } from "../../../../kernel/paging.ts";
import { MINUTE_MS, toIso } from "../../../../kernel/time.ts";
import { artworkUrl } from "../../artwork/service.ts";
import { titleOf } from "../../catalog/service.ts";
import { listenUrl } from "../../files/service.ts";
import { selectSuggestedOf } from "../../tags/service.ts";
import { genresAndMoodsOf } from "../../tracks/service.ts";
import { readTrackFilter, sortFor } from "../track-filter.ts";
import * as queries from "./queries.ts";
import type { Mark, MarksQuery, TableQuery, TableRow } from "./shapes.ts";

type TableDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** A page of the table. */
export type TablePage = {
  items: TableRow[];
  paging: { limit: number; next_cursor: string | null; total: number };
};

/** `track_rows.plays` is the last month with plays, times this, and the plays of that month. */
const PLAYS_OF_A_MONTH = 2 ** 24;
/** Stands in a cursor for the key of a row without one, because no JSON text is empty. */
const UNKNOWN = "";
const MAX_TOTALS = 16;
/** Addresses stay the same for so long: a page that has not changed is answered with a 304. */
const ADDRESS_STEP_MS = 10 * MINUTE_MS;

/**
 * Returns a page of the account's tracks as flat rows, hidden ones included. A page begins after a cursor or, after a
 * jump, at a position; `next_cursor` goes on from either.
 *
 * @throws DomainError `validation_failed` for a filter that cannot be read, a cursor of another list, or a cursor and a
 *   position at once.
 */
export function listTable(
  deps: TableDeps,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  query: TableQuery,
): TablePage {
  const { limit, cursor, position, sort: asked, ...sent } = query;
  const sort = sortFor(viewer, asked);
  if (cursor !== undefined && position !== undefined)
    throw invalidField("position", "not_with_cursor", "may not be sent with a cursor");
  const filter = readTrackFilter(deps.db, ownerId, sent);
  const list = JSON.stringify(["table", ownerId, sort, filter.isInbox, filter.conditions, filter.values]);

  const places = queries.selectPlaces(deps.db, ownerId, sort, filter, {
    ...(cursor !== undefined && { after: readPlace(cursor, list) }),
    position: position ?? 0,
    limit: limit + 1,
  });
  const hasMore = places.length > limit;
  if (hasMore) places.length = limit;
  const last = places.at(-1);
  const nextCursor = hasMore && last ? writePlace(last, list) : null;
  const total = totalOf(deps.db, ownerId, filter, list);
  return { items: toRows(deps, viewer, places), paging: { limit, next_cursor: nextCursor, total } };
}

/**
 * Returns where in a list each first letter or month begins, for a rail beside it. Signs and digits share one mark.
 *
 * @throws DomainError `validation_failed` for a filter that cannot be read.
 */
export function listMarks(deps: TableDeps, ownerId: LibraryId, { sort, ...sent }: MarksQuery): Mark[] {
  const marks: Mark[] = [];
  let position = 0;
  for (const { key, seq } of queries.selectGroups(
    deps.db,
    ownerId,
    sort,
    readTrackFilter(deps.db, ownerId, sent),
  )) {
    const label = /^(\p{L}|\d{4}-)/u.test(key) ? key.toUpperCase() : "#";
    if (!marks.some((mark) => mark.label === label)) marks.push({ label, position });
    position += seq;
  }
  return marks;
}

function writePlace({ key, seq }: queries.Place, list: string): string {
  return encodeCursor(key === null ? UNKNOWN : JSON.stringify(key), String(seq), list);
}

function readPlace(cursor: string, list: string): queries.Place {
  const { key, id } = decodeCursor(cursor, list);
  return { key: key === UNKNOWN ? null : JSON.parse(String(key)), seq: Number(id) };
}

function toRows(deps: TableDeps, viewer: Viewer, places: readonly queries.Place[]): TableRow[] {
  const stored = queries.selectRows(deps.db, places);
  const tags = genresAndMoodsOf(
    deps.db,
    stored.map(({ id }) => id),
  );
  const suggested = Map.groupBy(
    selectSuggestedOf(
      deps.db,
      stored.map(({ id }) => id),
      ["genres", "moods"],
    ),
    ({ trackId }) => trackId,
  );
  const month = monthOf(deps.now());
  const laterStep = (Math.floor(deps.now() / ADDRESS_STEP_MS) + 1) * ADDRESS_STEP_MS;
  const signing = { ...deps, now: () => laterStep };
  return stored.map((row, place) => ({
    id: row.id,
    name: row.name,
    title: titleOf(row),
    artist: row.artist,
    ...albumsOf(row),
    ...(row.setSize > 1 && { setSize: row.setSize }),
    cover: row.cover === null ? null : artworkUrl(deps.settings, row.cover),
    activeVersionId: row.activeVersionId,
    activeLabel: row.activeLabel,
    playbackUrl: listenUrl(signing, viewer, { ...row, id: row.activeVersionId, name: row.versionName }),
    integratedLufs: row.integratedLufs,
    truePeakDbtp: row.truePeakDbtp,
    versions: row.versions,
    bpm: row.bpm,
    key: row.key,
    durationSec: row.durationSec,
    genres: tags[place]?.genres ?? [],
    moods: tags[place]?.moods ?? [],
    heard: (suggested.get(row.id) ?? []).flatMap(({ category, name }) =>
      (category === "genres" ? tags[place]?.genres : tags[place]?.moods)?.length ? [] : [name],
    ),
    plays: Math.floor(row.plays / PLAYS_OF_A_MONTH) === month ? row.plays % PLAYS_OF_A_MONTH : 0,
    status: row.status,
    code: row.code,
    reason: row.reason,
    visible: row.visible === 1,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }));
}

function albumsOf({ album, albums }: queries.StoredRow): Pick<TableRow, "albums" | "album"> {
  const named = (JSON.parse(albums) as [id: string, name: string][]).map(([id, name]) => ({ id, name }));
  return { albums: named, album: named[0]?.name ?? album };
}

/** Returns the UTC month of a time as a number: `202601`. */
function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
}

/** Totals of filtered lists, each with the state of the database that it was counted in. */
const totals = prepared(() => new Map<string, { state: string; total: number }>());

/** Counts a list. While nothing is written, the pages of a filtered list share one count. */
function totalOf(db: Db, ownerId: LibraryId, filter: queries.Filter, list: string): number {
  if (filter.conditions.length === 0) return queries.countRows(db, ownerId, filter);
  const state = stateOfDatabase(db);
  const known = totals(db).get(list);
  if (known?.state === state) return known.total;
  const total = queries.countRows(db, ownerId, filter);
  totals(db).delete(list);
  totals(db).set(list, { state, total });
  const [oldest] = totals(db).keys();
  if (oldest !== undefined && totals(db).size > MAX_TOTALS) totals(db).delete(oldest);
  return total;
}
