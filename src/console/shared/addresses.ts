/** What an address of the console shows. The server answers 404 for every other address below `/library`. */
export type ScreenId = (typeof SCREENS)[number]["id"];

/** A screen that an address leads to. */
export type Match = {
  id: ScreenId;
  /** Its heading; null: the name of the thing that the address names. */
  heading: string | null;
  /** The ids in the address, by name. */
  params: Readonly<Record<string, string>>;
};

/**
 * Every screen. `path` is relative to the page root; a segment with a colon takes one id. `asks` lists the requests that
 * the screen begins with, relative to the page root: the server sends their answers with the document. The first request of
 * a screen with an id says whether the account has such a thing.
 */
export const SCREENS = [
  { id: "library", path: "/library", heading: "Library", asks: ["/app/tracks?{rows}"] },
  { id: "search", path: "/library/search", heading: "Search", asks: [] },
  {
    id: "track",
    path: "/library/tracks/:trackId",
    heading: null,
    asks: ["/app/library/tracks/single?id=:trackId"],
  },
  { id: "playlists", path: "/library/playlists", heading: "Playlists", asks: ["/app/playlists?limit=200"] },
  {
    id: "playlist",
    path: "/library/playlists/:playlistId",
    heading: null,
    asks: ["/app/playlists/:playlistId"],
  },
  { id: "links", path: "/library/links", heading: "Links", asks: ["/app/links?limit=200"] },
  { id: "link", path: "/library/links/:shareId", heading: null, asks: ["/app/links/:shareId"] },
  { id: "uploads", path: "/library/uploads", heading: "Uploads", asks: [] },
  { id: "deleted", path: "/library/deleted", heading: "Recently deleted", asks: [] },
  { id: "welcome", path: "/library/welcome", heading: "Welcome", asks: [] },
] as const;

/** Returns the screen of a path without the page root; undefined: there is nothing at this address. */
export function matchScreen(path: string): Match | undefined {
  const asked = path.replace(/\/$/, "").split("/");
  for (const { id, path: template, heading } of SCREENS) {
    const segments = template.split("/");
    const params: Record<string, string> = {};
    const fits = segments.every((segment, at) => {
      const value = asked[at] ?? "";
      if (!segment.startsWith(":")) return segment === value;
      params[segment.slice(1)] = value;
      return /^\w+$/.test(value);
    });
    if (fits && segments.length === asked.length) return { id, heading, params };
  }
  return undefined;
}

/** Returns the requests that a screen begins with, for an address with the query `search`. */
export function firstRequests({ id, params }: Match, search: URLSearchParams): string[] {
  const asks: readonly string[] = SCREENS.find((screen) => screen.id === id)?.asks ?? [];
  return asks.map((ask) =>
    ask
      .replace(/:(\w+)/g, (_, name: string) => params[name] ?? "")
      .replace("{rows}", () => rowsQuery(search).toString()),
  );
}

/** Rows in a page of the Library. */
export const ROWS_PER_PAGE = 100;

/** What the Library's address says of its rows, by the names that `GET /app/tracks` has for them. */
const ROW_FILTERS = [
  "q",
  "tags",
  "tagMode",
  "key",
  "bpmMin",
  "bpmMax",
  "status",
  "visible",
  "untagged",
  "createdAfter",
  "createdBefore",
  "durationMinSec",
  "durationMaxSec",
];

/** Returns the query of the rows that an address of the Library shows, beginning at `position` (0-based). */
export function rowsQuery(search: URLSearchParams, position = 0): URLSearchParams {
  const query = new URLSearchParams({
    sort: search.get("sort") ?? "-created_at",
    limit: String(ROWS_PER_PAGE),
  });
  for (const name of ROW_FILTERS) {
    const value = search.get(name);
    if (value) query.set(name, value);
  }
  const [low = "", high = ""] = (search.get("bpm") ?? "").split("-");
  if (low) query.set("bpmMin", low);
  if (high) query.set("bpmMax", high);
  if (position > 0) query.set("position", String(position));
  return query;
}
