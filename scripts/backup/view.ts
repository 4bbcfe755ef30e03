/** Whom a library is looked at as. */
export type Viewer = { address: string; key: string; token: string };

/** What a server answers, by address: the JSON or page without what differs from answer to answer, or a file's hash. */
export type View = Map<string, string>;

type Listed = { data: unknown; paging?: { next_cursor: string | null } };

/** Lists of the API, read to their ends, and the field of `data` that holds the items where it is not `data` itself. */
const KEY_LISTS = ["/tracks", "/playlists", "/composers", "/briefs"];
const SESSION_LISTS = [
  "/app/shares",
  "/app/briefs",
  "/auth/sessions",
  "/integration/api-keys/all",
  "/app/webhooks",
];

/**
 * Looks at everything that an account sees of its library over HTTP: lists, tracks, versions, playlists, links, keys and
 * the bytes of every file. Two servers of the same library give the same view.
 */
export async function viewLibrary(viewer: Viewer): Promise<View> {
  const view: View = new Map();
  for (const path of KEY_LISTS) await look(view, viewer, `/api/v1${path}`);
  for (const path of SESSION_LISTS) await look(view, viewer, path);
  for (const path of pathsIn(view)) await look(view, viewer, path);
  return view;
}

/** Reads one address, every page of it, and the files that it links to. */
async function look(view: View, viewer: Viewer, path: string): Promise<void> {
  const texts: string[] = [];
  for (let cursor: string | null | undefined = ""; cursor !== null && cursor !== undefined; ) {
    const page = cursor === "" ? path : `${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
    const text = await get(viewer, page);
    for (const file of text.matchAll(/"(https?:[^"]+\/(?:media|artwork)\/[^"]+)"/g))
      await lookAtFile(view, viewer, file[1] ?? "");
    texts.push(stable(text, viewer));
    cursor = (JSON.parse(text) as Listed).paging?.next_cursor;
  }
  view.set(path, texts.join("\n"));
}

async function get({ address, key, token }: Viewer, path: string): Promise<string> {
  const headers: Record<string, string> = path.startsWith("/api/v1/")
    ? { "x-api-key": key }
    : { authorization: `Bearer ${token}` };
  const response = await fetch(`${address}${path}`, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`GET ${path} was answered ${response.status}: ${text}`);
  return text;
}

async function lookAtFile(view: View, { address }: Viewer, url: string): Promise<void> {
  const { pathname, search } = new URL(url);
  if (view.has(pathname)) return;
  const response = await fetch(`${address}${pathname}${search}`);
  const sha256 = new Bun.CryptoHasher("sha256").update(await response.bytes()).digest("hex");
  view.set(pathname, `${response.status} ${sha256}`);
}

/** Takes out addresses of the server, signatures of links, and times that move on with each use. */
function stable(text: string, { address }: Viewer): string {
  return text
    .replaceAll(address, "")
    .replace(/\?expires=\d+&signature=[\w-]+/g, "")
    .replace(/"lastUsedAt":("[^"]*"|null)/g, '"lastUsedAt":""')
    .replace(/("id":"ses_[^}]*"expiresAt":)"[^"]*"/g, '$1""');
}

/** Returns the addresses of everything that the lists name. */
function pathsIn(view: View): string[] {
  const ids = (list: string, pattern: RegExp) => [
    ...new Set([...(view.get(list) ?? "").matchAll(pattern)].map(([id]) => id)),
  ];
  const tracks = ids("/api/v1/tracks", /\btrk_[0-9a-f]{32}/g);
  return [
    ...tracks.flatMap((id) => [
      `/api/v1/tracks/single?id=${id}`,
      `/api/v1/tracks/${id}/versions`,
      `/api/v1/tracks/suggested-tags?id=${id}`,
      `/app/tracks/${id}/comments`,
    ]),
    ...ids("/api/v1/playlists", /\bpl_[0-9a-f]{32}/g).map((id) => `/api/v1/playlists/single/${id}`),
    ...ids("/app/shares", /\blnk_[0-9a-f]{32}/g).map((id) => `/app/shares/${id}`),
    ...ids("/app/briefs", /\bbrf_[0-9a-f]{32}/g).map((id) => `/app/briefs/${id}/submissions`),
    ...ids("/integration/api-keys/all", /\bkey_[0-9a-f]{32}/g).map(
      (id) => `/integration/api-keys/${id}/webhook`,
    ),
  ];
}
