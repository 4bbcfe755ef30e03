import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import { createLibrary, newWord } from "../contract/library.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { createToolApp, dumpOf, modernRequest, type ToolApp } from "./support.ts";

/** `CALLS=1000 bun test test/mcp/rails-random.test.ts` makes more of them. */
const CALLS = Number(process.env.CALLS ?? 80);
const GENRES = ["Techno", "House", "Ambient", "Jazz", "Dub"];
const MOODS = ["Dark", "Happy", "Calm"];

let app: ToolApp;
beforeAll(async () => {
  app = await createToolApp({ settings: { rateLimit: 0 } });
});
afterAll(() => app.close());

test("everything that an assistant with all rights did can be taken back in reverse, which leaves the library unchanged", async () => {
  const library = createLibrary(app, app);
  const random = randomFrom("an assistant");
  const tracks = [await library.track(), await library.track(), await library.track()];
  const versions: Json = {};
  for (const trackId of tracks)
    versions[trackId] = [await library.version(trackId), await library.version(trackId)];
  const playlists = [await library.playlist([...tracks, tracks[0] ?? ""]), await library.playlist(tracks)];
  const composers = [await library.composer(), await library.composer()].map(({ id }) => id);
  for (const trackId of tracks)
    await library.api("PUT", `/tracks/shareholders?id=${trackId}`, {
      shareholders: composers.map((shareholderId) => ({ shareholderId, share: 50, role: "Writer" })),
    });
  const addresses = [
    ...tracks.flatMap((id) => [
      `/tracks/single?id=${id}`,
      `/tracks/${id}/versions`,
      `/tracks/shareholders?id=${id}`,
    ]),
    ...playlists.map((id) => `/playlists/single/${id}`),
    "/composers",
  ];
  const readAll = () => Promise.all(addresses.map(read));
  const before = await readAll();

  const things = { tracks, versions, playlists, composers };
  for (let n = 0; n < CALLS; n++) await call(...randomCall(random, things));
  const changed = await readAll();
  const calls = await callsOf("");
  const undone = await undoAll();

  expect(changed).not.toEqual(before);
  expect(undone).toBeGreaterThan(CALLS / 4);
  // The newest first: each call behind its preview.
  expect(calls).toHaveLength(2 * CALLS);
  for (let at = 0; at < calls.length; at += 2) {
    const [done, shown] = [calls[at], calls[at + 1]];
    expect([shown.dryRun, shown.tool, shown.outcome]).toEqual([true, done.tool, done.outcome]);
    if (done.outcome === "ok") expect(done.changes).toEqual(shown.changes);
  }
  expect(await readAll()).toEqual(before);
});

type Things = {
  tracks: string[];
  versions: Record<string, string[]>;
  playlists: string[];
  composers: string[];
};

/** Some of these calls are refused, as those of assistants are: what they name is gone already. */
function randomCall(random: Random, { tracks, versions, playlists, composers }: Things): [string, Json] {
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const some = (items: readonly string[]) => items.filter(() => random() < 0.4);
  const [trackId, playlistId, composerId] = [oneOf(tracks), oneOf(playlists), oneOf(composers)];
  const versionId = oneOf(versions[trackId] ?? []);
  return oneOf<[string, Json]>([
    ["update_track_details", { trackId, title: newWord("Title"), bpm: 60 + Math.floor(random() * 120) }],
    ["update_track_details", { trackId, album: newWord("Album") }],
    ["update_track_tags", { trackId, genres: some(GENRES), moods: some(MOODS) }],
    ["update_track_tags", { trackId, additionalTags: [newWord("tag")] }],
    ["activate_track_version", { trackId, versionId }],
    ["update_track_version", { trackId, versionId, name: newWord("Mix"), visible: random() < 0.5 }],
    ["delete_track_version", { trackId, versionId }],
    ["update_playlist", { playlistId, name: newWord("Set"), description: newWord("For") }],
    ["remove_track_from_playlist", { playlistId, trackId }],
    ["reorder_playlist", { playlistId, trackIds: tracks.toReversed() }],
    ["update_composer", { composerId, fullName: newWord("Writer") }],
    ["delete_composer", { composerId }],
  ]);
}

/** Shows what a call would do, which changes no row, and makes it. */
async function call(name: string, input: Json): Promise<void> {
  const rows = dumpOf(app);
  for (const asked of [{ ...input, dryRun: true }, input]) {
    const request = modernRequest("tools/call", { name, arguments: asked }, { "x-api-key": app.key });
    const { result } = await jsonOf(await app.request("/mcp", request));
    expect(result.content[0].text).not.toContain("internal");
    if (asked.dryRun) expect(dumpOf(app)).toBe(rows);
  }
}

/** Returns what was called, the newest first. */
async function callsOf(query: string): Promise<Json[]> {
  const calls: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path = `/app/assistant/calls?limit=50${query}${cursor && `&cursor=${cursor}`}`;
    const { body } = await app.signedIn(app.token)("GET", path);
    calls.push(...body.data);
    cursor = body.paging?.next_cursor ?? null;
  }
  return calls;
}

/** Takes back every change, newest first. Returns how many there were. */
async function undoAll(): Promise<number> {
  const changes = (await callsOf("&changed=true")).filter(({ undoUntil }) => undoUntil !== null);
  for (const { id } of changes)
    expect((await app.signedIn(app.token)("POST", `/app/assistant/calls/${id}/undo`)).status).toBe(200);
  return changes.length;
}

/** Returns the answer of a route without what differs at each reading. */
async function read(path: string): Promise<string> {
  const { body } = await app.as(app.key)("GET", path);
  return JSON.stringify(body.data, (name, value) =>
    name === "updatedAt" ? undefined : name === "downloadUrl" ? value.split("?")[0] : value,
  );
}
