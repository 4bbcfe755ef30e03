/** What an address of the console shows. The server answers 404 for every other address below `/library`. */
export type ScreenId = (typeof SCREENS)[number]["id"];

/** A screen that an address leads to. */
export type Match = {
  id: ScreenId;
  /** Its heading; null: the name of the thing that the address names. */
  heading: string | null;
  /** What the role must allow; undefined: every role sees the screen. */
  need: string | undefined;
  /** The ids in the address, by name. */
  params: Readonly<Record<string, string>>;
};

/**
 * Every screen. `path` is relative to the page root; a segment with a colon takes one id. `asks` lists the requests that
 * the screen begins with, relative to the page root: the server sends their answers with the document. The first request of
 * a screen with an id says whether the account has such a thing. `need` is what the role must allow; for others there is
 * nothing at the address.
 */
export const SCREENS = [
  { id: "library", path: "/library", heading: "Library", asks: ["/app/tracks?{rows}", "/app/first-steps"] },
  { id: "search", path: "/library/search", heading: "Search", asks: [] },
  {
    id: "track",
    path: "/library/tracks/:trackId",
    heading: null,
    asks: ["/app/library/tracks/single?id=:trackId"],
  },
  {
    id: "albums",
    path: "/library/albums",
    heading: "Albums",
    asks: ["/app/playlists?kind=album&limit=200"],
  },
  {
    id: "album",
    path: "/library/albums/:playlistId",
    heading: null,
    asks: ["/app/playlists/:playlistId"],
  },
  {
    id: "playlists",
    path: "/library/playlists",
    heading: "Playlists",
    asks: ["/app/playlists?kind=playlist&limit=200"],
  },
  {
    id: "playlist",
    path: "/library/playlists/:playlistId",
    heading: null,
    asks: ["/app/playlists/:playlistId"],
  },
  {
    id: "links",
    need: "read:shares",
    path: "/library/links",
    heading: "Links",
    asks: ["/app/links?limit=200"],
  },
  {
    id: "link",
    need: "read:shares",
    path: "/library/links/:shareId",
    heading: null,
    asks: ["/app/links/:shareId"],
  },
  { id: "pocket", path: "/library/pocket", heading: "Pocket", asks: [] },
  { id: "leaks", need: "read:shares", path: "/library/leaks", heading: "Who leaked it?", asks: [] },
  {
    id: "briefs",
    need: "read:briefs",
    path: "/library/briefs",
    heading: "Briefs",
    asks: ["/app/briefs?limit=200"],
  },
  {
    id: "brief",
    need: "read:briefs",
    path: "/library/briefs/:briefId",
    heading: null,
    asks: ["/app/briefs/:briefId", "/app/briefs/:briefId/requests?limit=200", "/app/briefs/:briefId/pack"],
  },
  {
    id: "inbox",
    need: "read:briefs",
    path: "/library/inbox",
    heading: "Inbox",
    asks: ["/app/inbox/counts", "/app/account"],
  },
  {
    id: "composers",
    need: "read:composers",
    path: "/library/composers",
    heading: "Composers",
    asks: ["/app/composers?limit=200", "/app/splits"],
  },
  {
    id: "composer",
    need: "read:composer",
    path: "/library/composers/:composerId",
    heading: null,
    asks: ["/app/composers/:composerId"],
  },
  {
    id: "insights",
    need: "read:analytics",
    path: "/library/insights",
    heading: "Insights",
    asks: ["/app/insights?{days}"],
  },
  { id: "deliver", need: "update:tracks", path: "/library/deliver", heading: "Deliver", asks: [] },
  {
    id: "deliveries",
    need: "update:tracks",
    path: "/library/deliveries",
    heading: "Deliveries",
    asks: ["/app/deliveries?limit=200"],
  },
  { id: "uploads", need: "create:tracks", path: "/library/uploads", heading: "Uploads", asks: [] },
  {
    id: "families",
    path: "/library/families",
    heading: "Sets",
    asks: ["/app/families/questions?limit=200"],
  },
  { id: "deleted", path: "/library/deleted", heading: "Recently deleted", asks: [] },
  { id: "welcome", need: "manage:library", path: "/library/welcome", heading: "Welcome", asks: [] },
  { id: "profile", path: "/library/settings/profile", heading: "Profile", asks: ["/app/account"] },
  {
    id: "devices",
    path: "/library/settings/devices",
    heading: "Devices",
    asks: ["/app/players"],
  },
  {
    id: "keys",
    path: "/library/settings/keys",
    heading: "API keys",
    asks: ["/integration/api-keys/all", "/integration/usage?limit=50"],
  },
  {
    id: "assistants",
    path: "/library/settings/assistants",
    heading: "Assistants",
    asks: ["/.well-known/oauth-protected-resource/mcp", "/app/grants"],
  },
  {
    id: "webhooks",
    need: "read:webhooks",
    path: "/library/settings/webhooks",
    heading: "Webhooks",
    asks: ["/integration/api-keys/all"],
  },
  {
    id: "assistantCalls",
    need: "manage:library",
    path: "/library/assistant",
    heading: "What assistants did",
    asks: ["/app/assistant/calls?limit=50&changed=true"],
  },
  {
    id: "brand",
    need: "manage:library",
    path: "/library/settings/brand",
    heading: "Brand",
    asks: ["/app/account/brand"],
  },
  {
    id: "registrations",
    need: "manage:library",
    path: "/library/settings/registrations",
    heading: "Registrations",
    asks: ["/app/rights-sender"],
  },
  {
    id: "checks",
    need: "manage:library",
    path: "/library/settings/checks",
    heading: "Checks",
    asks: ["/app/readiness-limits"],
  },
  { id: "team", path: "/library/settings/team", heading: "Team", asks: ["/app/team"] },
  {
    id: "mail",
    path: "/library/settings/mail",
    heading: "E-mail",
    asks: ["/app/mail-wishes", "/app/account"],
  },
  { id: "server", path: "/library/settings/server", heading: "Server", asks: ["/app/server"] },
  { id: "security", path: "/library/settings/security", heading: "Security", asks: ["/auth/sessions"] },
] as const;

/** What guests see, who have some playlists and nothing else of the library. */
export const GUEST_SCREENS: readonly ScreenId[] = [
  "playlists",
  "playlist",
  "album",
  "track",
  "pocket",
  "profile",
  "security",
  "mail",
];

/** Returns the screen of a path without the page root; undefined: there is nothing at this address. */
export function matchScreen(path: string): Match | undefined {
  const asked = path.replace(/\/$/, "").split("/");
  for (const screen of SCREENS) {
    const { id, path: template, heading } = screen;
    const segments = template.split("/");
    const params: Record<string, string> = {};
    const fits = segments.every((segment, at) => {
      const value = asked[at] ?? "";
      if (!segment.startsWith(":")) return segment === value;
      params[segment.slice(1)] = value;
      return /^\w+$/.test(value);
    });
    if (!fits || segments.length !== asked.length) continue;
    return { id, heading, params, need: "need" in screen ? screen.need : undefined };
  }
  return undefined;
}

/** Returns the requests that a screen begins with, for an address with the query `search`. */
export function firstRequests({ id, params }: Match, search: URLSearchParams): string[] {
  const asks: readonly string[] = SCREENS.find((screen) => screen.id === id)?.asks ?? [];
  return asks.map((ask) =>
    ask
      .replace(/:(\w+)/g, (_, name: string) => params[name] ?? "")
      .replace("{rows}", () => rowsQuery(search).toString())
      .replace("{days}", () => daysQuery(search).toString()),
  );
}

/** The days that the Insights show where their address does not say. */
export const USUAL_DAYS = "30";

/** Returns the query of the days that an address of the Insights shows: a range, all, or the days of one bar. */
export function daysQuery(search: URLSearchParams): URLSearchParams {
  const [since, until] = [search.get("since"), search.get("until")];
  if (since && until) return new URLSearchParams({ since, until });
  const days = search.get("range") ?? USUAL_DAYS;
  return new URLSearchParams(/^[1-9]\d{0,3}$/.test(days) ? { days } : {});
}

/** Rows in a page of the Library. */
export const ROWS_PER_PAGE = 100;

/** Filters that the Library's address has under the names of `GET /app/tracks`. */
const ROW_FILTERS = [
  "q",
  "tags",
  "tagMode",
  "untagged",
  "key",
  "status",
  "visible",
  "album",
  "onAlbum",
  "onePerSong",
  "inInbox",
  "createdAfter",
  "createdBefore",
  "durationMinSec",
  "durationMaxSec",
];

/** Returns the filters of an address of the Library, as `GET /app/tracks` takes them. */
export function rowFilters(search: URLSearchParams): URLSearchParams {
  const filters = new URLSearchParams();
  const put = (name: string, value: string | null | undefined) => {
    if (value) filters.set(name, value);
  };
  for (const name of ROW_FILTERS) put(name, search.get(name));
  const [low, high] = (search.get("bpm") ?? "").split("-");
  put("bpmMin", low);
  put("bpmMax", high);
  return filters;
}

/** The order of an address of the Library: newest first, where it names none. */
export const rowOrder = (search: URLSearchParams): string => search.get("sort") || "-created_at";

/** Returns the query of the rows that an address of the Library shows. */
export function rowsQuery(search: URLSearchParams): URLSearchParams {
  const query = rowFilters(search);
  query.set("sort", rowOrder(search));
  query.set("limit", String(ROWS_PER_PAGE));
  return query;
}
