import { ROWS_PER_PAGE, rowFilters, rowOrder, rowsQuery } from "../../shared/addresses.ts";
import { isConnected } from "../api/connection.ts";
import { type AnswerOf, onChanged, readJson } from "../api/queries.ts";
import type { Body } from "../api/routes.ts";
import { firstAnswer } from "../first-data.ts";
import { play } from "../player/player.ts";
import type { PlayerTrack } from "../player/queue.ts";
import { offerSound } from "../player/sound.ts";
import { createRows, type Rows } from "../ui/table/rows.ts";

type Answer = AnswerOf<"/app/tracks">;
/** Which tracks a bulk change is about. */
export type Where = Body<"POST /app/tracks/bulk">["where"];
/** A row of the Library. */
export type TrackRow = Answer["data"][number];

const MAX_SOURCES = 4;
const REFRESH_MS = 400;
/** So many rows before the one that plays can be gone back to. */
const MAX_BEFORE = 100;

/** The lists that were looked at last: Back shows them at once. */
const sources = new Map<string, Rows<TrackRow>>();

/** Returns the rows of an address of the Library. */
export function trackRows(search: URLSearchParams): Rows<TrackRow> {
  const query = rowsQuery(search).toString();
  const known = sources.get(query);
  sources.delete(query);
  const rows = known ?? makeRows(query);
  sources.set(query, rows);
  for (const key of sources.keys()) if (sources.size > MAX_SOURCES) sources.delete(key);
  return rows;
}

function makeRows(query: string): Rows<TrackRow> {
  const toPart = ({ data, paging }: Answer) => ({ rows: data, total: paging.total });
  const first = firstAnswer(`/app/tracks?${query}`) as Answer | undefined;
  return createRows(
    async (position, signal) => {
      const from = position > 0 ? `&position=${position}` : "";
      return toPart(await readJson(`/app/tracks?${query}${from}`, signal));
    },
    { pageSize: ROWS_PER_PAGE, first: first && toPart(first) },
  );
}

const TOPICS: readonly string[] = ["tracks", "versions", "analysis", "tags", "activity"];
let timer: ReturnType<typeof setTimeout> | undefined;

// Changes come in swarms while files are analysed.
onChanged((topic) => {
  if (!TOPICS.includes(topic)) return;
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    for (const rows of sources.values()) rows.refresh();
  }, REFRESH_MS);
});

isConnected.subscribe((isThere) => {
  if (isThere) for (const rows of sources.values()) if (rows.error.peek() !== undefined) rows.refresh();
});

/** Changes rows wherever they show, before the server says the same. Returns how to take it back. */
export function patchTracks(isMeant: (row: TrackRow) => boolean, patch: Partial<TrackRow>): () => void {
  const undo = [...sources.values()].map((rows) =>
    rows.patch((row) => (isMeant(row) ? { ...row, ...patch } : row)),
  );
  return () => {
    for (const take of undo) take();
  };
}

/** Returns a row as the player knows it. Its sound is at hand then: a tap plays it without another request. */
export function toPlayer(row: TrackRow): PlayerTrack {
  offerSound(row);
  const { id, title, artist, cover } = row;
  return { id, title, artist, cover };
}

/** Plays the Library from one of its rows on; the player reads what follows by itself. */
export function playFrom(search: URLSearchParams, rows: Rows<TrackRow>, index: number): void {
  const query = rowsQuery(search).toString();
  let first = index;
  while (index - first < MAX_BEFORE && rows.row(first - 1)) first--;
  const tracks: PlayerTrack[] = [];
  for (let row = rows.row(first); row; row = rows.row(first + tracks.length)) tracks.push(toPlayer(row));
  const more = { query, position: first + tracks.length };
  play({ tracks, index: index - first, source: { key: `/library?${query}`, more } });
}

const NUMBERS = /^(bpm|duration)(Min|Max)/;
const BOOLEANS = ["untagged", "visible", "inInbox", "onePerSong"];

/** Returns which tracks an address of the Library shows, but some, for `POST /app/tracks/bulk`. */
export function whereOf(search: URLSearchParams, except: readonly string[]): Where {
  const filter = Object.fromEntries(
    [...rowFilters(search)].map(([name, value]) => [
      name,
      NUMBERS.test(name) ? Number(value) : BOOLEANS.includes(name) ? value === "true" : value,
    ]),
  );
  // The address is text; the server checks what it says.
  return { filter, sort: rowOrder(search), except: [...except] } as Where;
}
