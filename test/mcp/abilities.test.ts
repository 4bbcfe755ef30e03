import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { TAXONOMY } from "../../db/taxonomy.ts";
import { newId } from "../../src/kernel/ids.ts";
import type { Json } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createToolApp, type ToolApp } from "./support.ts";

/** What people ask assistants for, as the calls of a client that checks every answer against the tool's schema. */

let app: ToolApp;
let client: Client;
const web = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response(wavBytes([noise(22_050, 3)], 22_050, 16)),
});

beforeAll(async () => {
  app = await createToolApp({ settings: { networkAllow: [`127.0.0.1:${web.port}`] } });
  client = await connect(app.key);
});
afterAll(async () => {
  await client.close();
  await app.close();
  await web.stop(true);
});

async function connect(key: string): Promise<Client> {
  const made = new Client({ name: "assistant", version: "1" });
  const requestInit = { headers: { "x-api-key": key } };
  await made.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }) as never);
  await made.listTools();
  return made;
}

const attempt = async (name: string, input: Json, by = client): Promise<Json> =>
  (await by.callTool({ name, arguments: input })) as Json;
async function use(name: string, input: Json = {}, by = client): Promise<Json> {
  const result = await attempt(name, input, by);
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  return result.structuredContent;
}
async function refusalOf(name: string, input: Json, by = client): Promise<string> {
  const result = await attempt(name, input, by);
  expect(result.isError).toBe(true);
  return result.content[0].text;
}

const addTrack = (title: string, options: Json = {}): string =>
  addTrackRows(app.deps.db, app.accountId, { name: `${title}.wav`, title, measured: {}, ...options }).id;

describe("an assistant that is asked for tracks", () => {
  const bus: Json = { genres: ["House"], moods: ["Happy"], instruments: ["Piano"] };
  let night: string;
  beforeAll(() => {
    night = addTrack("Night Bus", { bpm: 122, key: "F# minor", tags: bus });
    addTrack("Day Bus", { bpm: 118, key: "Gbm", tags: bus });
    addTrack("Engine Room", { bpm: 128, key: "A major", tags: { genres: ["Techno"], moods: ["Dark"] } });
    addTrack("Low Lamp", { bpm: 68, key: "C major", tags: { genres: ["Ambient"] } });
  });

  const titles = (items: Json[]) => items.map(({ title }) => title).toSorted();

  test("lists those of a tempo and a key without spending a search credit", async () => {
    const inTempo = await use("list_tracks", { bpmMin: 118, bpmMax: 125 });
    const inKey = await use("list_tracks", { key: "11A" });
    const both = await use("list_tracks", { key: "F# minor", bpmMin: 120 });

    expect([titles(inTempo.data), titles(inKey.data)]).toEqual([
      ["Day Bus", "Night Bus"],
      ["Day Bus", "Night Bus"],
    ]);
    expect(titles(both.data)).toEqual(["Night Bus"]);
    expect(await refusalOf("list_tracks", { key: "H moll" })).toContain("must be keys such as `F# minor`");
  });

  test("is shown those that are like one of them, best first and without it", async () => {
    const { track, similar } = await use("get_track", { trackId: night, similar: 2 });

    expect(track.title).toBe("Night Bus");
    expect(similar[0]).toMatchObject({
      title: "Day Bus",
      score: expect.any(Number),
      reason: expect.any(Array),
    });
    expect(similar.length).toBeLessThanOrEqual(2);
    expect(titles(similar)).not.toContain("Night Bus");
    expect((await use("get_track", { trackId: night })).similar).toBeUndefined();
    expect((await use("get_track", { trackId: "trk_gone", similar: 2 })).similar).toBeUndefined();
    expect((await use("get_track", { trackId: night, similar: 1, detail: "full" })).similar).toHaveLength(1);
  });

  test("compares them with a sound at an address, which is not kept", async () => {
    const like = `http://127.0.0.1:${web.port}/zebrafinch.wav`;
    const asked = { query: "house", like, bpmMin: 120, detail: "full" };

    const found = await use("search_tracks", asked);

    expect(found.interpretation.appliedTuning.reference).toMatchObject({ source: "url", durationSec: 3 });
    expect(titles(found.results)).toEqual(["Night Bus"]);
    expect(JSON.stringify(found)).not.toContain("zebrafinch");
    expect(await refusalOf("search_tracks", { ...asked, like: "http://127.0.0.1:1/a.wav" })).toStartWith(
      "url_not_allowed",
    );
    expect(await refusalOf("search_tracks", { ...asked, seedTrackIds: [night] })).toContain("like");
  });

  test("is told where to go when it puts an id into the words of a search, and pays nothing", async () => {
    const credits = () =>
      app.deps.db.$client.query("SELECT credits FROM accounts WHERE id = ?").get(app.accountId);
    const before = credits();

    const track = await refusalOf("search_tracks", { query: `tracks like ${night}` });
    const playlist = await refusalOf("search_tracks", { query: newId("pl") });

    expect(track).toStartWith("validation_failed: Invalid request: query: must be words, but has a track id");
    expect(track).toContain("get_track with similar");
    expect(playlist).toContain("get_playlist lists its tracks");
    expect(credits()).toEqual(before);
  });
});

describe("an assistant that is asked for a single tag", () => {
  test("adds it and removes it, and the other tags of the category stay", async () => {
    const trackId = addTrack("Harbour", {
      tags: { moods: ["Calm"], genres: ["Ambient"], tags: ["For radio"] },
    });

    const added = await use("update_track_tags", {
      trackId,
      mode: "add",
      moods: ["dark", "Calm"],
      eras: ["1990s"],
    });
    const removed = await use("update_track_tags", {
      trackId,
      mode: "remove",
      moods: ["calm", "Happy"],
      additionalTags: ["FOR RADIO"],
    });

    expect(added.tags).toMatchObject({ moods: ["Calm", "Dark"], eras: ["1990s"], genres: ["Ambient"] });
    expect(removed.tags).toMatchObject({
      moods: ["Dark"],
      eras: ["1990s"],
      genres: ["Ambient"],
      additionalTags: [],
    });
  });

  test("sees what it would change first, and changes nothing when a name is unknown", async () => {
    const trackId = addTrack("Quay", { tags: { moods: ["Calm"] } });

    const { changes } = await use("update_track_tags", {
      trackId,
      mode: "add",
      moods: ["Dark"],
      dryRun: true,
    });
    const refused = await refusalOf("update_track_tags", { trackId, mode: "remove", moods: ["calmm"] });
    const way = await refusalOf("update_track_tags", { trackId, mode: "append", moods: ["Dark"] });

    expect(changes).toEqual([{ path: "moods", before: ["Calm"], after: ["Calm", "Dark"] }]);
    expect(refused).toContain('moods: "calmm" is not in the taxonomy, nearest: Calm');
    expect(way).toContain("mode: must be one of replace, add, remove");
    expect((await use("get_track", { trackId })).track.moods).toEqual(["Calm"]);
  });
});

describe("an assistant that is asked to delete a playlist", () => {
  const bin = async () => (await app.signedIn(app.token)("GET", "/app/playlists/deleted")).body.data;
  const made = async () =>
    (await use("create_playlist", { name: "For Jonas", trackIds: [addTrack("Pier")] })).playlist.id;

  test("shows it first, then moves it into the bin, and its link has ended", async () => {
    const playlistId = await made();
    const { publicLink } = await use("get_playlist", { playlistId });

    const preview = await use("update_playlist", { playlistId, delete: true, dryRun: true });
    expect(preview).toMatchObject({
      dryRun: true,
      changes: [{ path: "playlist", before: { id: playlistId, name: "For Jonas" }, after: null }],
    });
    expect((await fetch(publicLink)).status).toBe(200);

    const done = await use("update_playlist", { playlistId, delete: true });
    expect(done).toMatchObject({ ok: true, playlistId, deleted: true, dryRun: false });
    expect(done.undo.id).toStartWith("undo_");
    expect((await bin()).map(({ id }: Json) => id)).toEqual([playlistId]);
    expect((await fetch(publicLink)).status).toBe(410);
    expect(await refusalOf("update_playlist", { playlistId, delete: true })).toStartWith(
      "playlist_not_found: There is no such playlist. list_playlists gives the valid values of playlistId",
    );
  });

  test("is refused when it changes the playlist in the same call, and nothing happens", async () => {
    const playlistId = await made();

    const text = await refusalOf("update_playlist", { playlistId, delete: true, name: "New" });

    expect(text).toContain("delete: must be sent without name; make two calls");
    expect((await use("get_playlist", { playlistId })).name).toBe("For Jonas");
    expect((await use("update_playlist", { playlistId, delete: false, name: "New" })).playlist.name).toBe(
      "New",
    );
  });

  test("needs update:playlists, and finds none of another account", async () => {
    const playlistId = await made();
    const reader = await connect(app.createKey(app.accountId, ["read:playlists", "create:playlists"]));
    const stranger = await connect(app.createKey(app.createAccount().accountId));

    const input = { playlistId, delete: true };
    expect(await refusalOf("update_playlist", input, reader)).toStartWith("insufficient_scope: ");
    expect(await refusalOf("update_playlist", input, stranger)).toStartWith("playlist_not_found: ");
    expect((await use("get_playlist", { playlistId })).id).toBe(playlistId);
    await Promise.all([reader.close(), stranger.close()]);
  });
});

describe("an assistant that is asked to take its change back", () => {
  const titleOf = async (trackId: string) => (await use("get_track", { trackId })).track.title;
  const calls = async (): Promise<Json[]> =>
    (await app.signedIn(app.token)("GET", "/app/assistant/calls")).body.data;

  test("does so by the id in its answer, once, and the owner sees it", async () => {
    const trackId = addTrack("Before");
    const { undo } = await use("update_track_details", { trackId, title: "After" });
    const { id, tool } = undo;
    expect([id.slice(0, 5), tool]).toEqual(["undo_", "update_track_details"]);

    const preview = await use(tool, { trackId, undo: id, dryRun: true });
    expect(preview).toMatchObject({
      dryRun: true,
      undone: { tool: "update_track_details" },
      changes: [{ path: "title", before: "After", after: "Before" }],
    });
    expect(await titleOf(trackId)).toBe("After");

    expect(await use(tool, { trackId, undo: id })).toMatchObject({ ok: true, dryRun: false });
    expect(await titleOf(trackId)).toBe("Before");
    expect(await refusalOf(tool, { trackId, undo: id })).toStartWith(
      "undo_not_found: The change has been taken back already. Only what this client changed",
    );
    expect((await calls()).find(({ changes }) => changes.length > 0)).toMatchObject({
      track: { id: trackId },
      undoUntil: null,
      undoneAt: expect.any(String),
    });
  });

  test("finds its last change without the id, in another conversation, and goes no further back", async () => {
    const trackId = addTrack("One", { tags: { moods: ["Calm"] } });
    await use("update_track_details", { trackId, title: "Two" });
    app.clock.advance(1000);
    await use("update_track_tags", { trackId, moods: ["Dark"] });
    const later = await connect(app.key);

    const done = await use("update_track_details", { trackId, undo: "last" }, later);
    const again = await refusalOf("update_track_details", { trackId, undo: "last" }, later);
    const { track } = await use("get_track", { trackId });

    expect(done.undone.tool).toBe("update_track_tags");
    expect(again).toStartWith("undo_not_found: ");
    expect([track.title, track.moods]).toEqual(["Two", ["Calm"]]);
    await later.close();
  });

  test("brings back a deleted playlist and a deleted composer, with what they had", async () => {
    const trackIds = [addTrack("Pier")];
    const { playlist } = await use("create_playlist", { name: "Back", trackIds });
    const { composer } = await use("create_composer", { fullName: "Ada Writer", email: "ada@example.com" });
    const [playlistId, composerId] = [playlist.id, composer.id];
    const deletion = await use("update_playlist", { playlistId, delete: true });
    await use("delete_composer", { composerId });

    await use("update_playlist", { playlistId, undo: deletion.undo.id });
    const { changes } = await use("update_composer", { composerId, undo: "last", dryRun: true });
    await use("update_composer", { composerId, undo: "last" });

    expect((await use("get_playlist", { playlistId })).tracks).toHaveLength(1);
    expect(changes[0]).toMatchObject({ path: "composer", before: null, after: { fullName: "Ada Writer" } });
    expect((await use("get_composer", { composerId })).composer.email).toBe("ada@example.com");
  });

  test("changes nothing when it was changed again since, by whomever", async () => {
    const trackId = addTrack("Mine");
    await use("update_track_details", { trackId, title: "Tool" });
    await app.signedIn(app.token)("PATCH", `/app/library/tracks/details?id=${trackId}`, { title: "Owner" });

    for (const dryRun of [true, false])
      expect(await refusalOf("update_track_details", { trackId, undo: "last", dryRun })).toStartWith(
        "changed_since: ",
      );
    expect(await titleOf(trackId)).toBe("Owner");
  });

  test("takes back only its own changes, with the scope of the change", async () => {
    const trackId = addTrack("Mine");
    const { undo } = await use("update_track_details", { trackId, title: "Tool" });
    const others = await Promise.all([
      connect(app.createKey(app.accountId)),
      connect(app.createKey(app.createAccount().accountId)),
      connect(app.createKey(app.accountId, ["read:tracks"])),
    ]);

    const answers: string[] = [];
    for (const other of others)
      for (const wanted of [undo.id, "last"])
        answers.push(await refusalOf("update_track_details", { trackId, undo: wanted }, other));

    expect(answers.map((text) => text.split(":")[0])).toEqual([
      ...Array(4).fill("undo_not_found"),
      ...Array(2).fill("insufficient_scope"),
    ]);
    expect(await titleOf(trackId)).toBe("Tool");
    await Promise.all(others.map((other) => other.close()));
  });

  test("is refused when it changes something else in the same call", async () => {
    const trackId = addTrack("Mine");
    await use("update_track_details", { trackId, title: "Tool" });

    const text = await refusalOf("update_track_details", { trackId, undo: "last", title: "New", bpm: 99 });

    expect(text).toContain("undo: must be sent without title and bpm; make two calls");
    expect(await titleOf(trackId)).toBe("Tool");
  });
});

describe("an assistant that is asked to credit composers", () => {
  const person = async (fullName: string) =>
    (await use("create_composer", { fullName, email: `${crypto.randomUUID()}@example.com` })).composer.id;
  const creditsOf = async (trackId: string) =>
    ((await use("get_track", { trackId })).track.composers ?? []).map(({ id, share, role }: Json) => [
      id,
      share,
      role,
    ]);

  test("writes all shares of a track, shows them first, and takes them back", async () => {
    const [trackId, one, two] = [addTrack("Song"), await person("Ada"), await person("Ben")];
    await use("update_track_details", {
      trackId,
      composers: [{ composerId: one, share: 100, role: "Writer" }],
    });
    const composers = [
      { composerId: two, share: 40, role: "Lyrics" },
      { composerId: one, share: 60, role: "Writer" },
    ];

    const { changes } = await use("update_track_details", { trackId, composers, dryRun: true });
    expect(changes).toEqual([
      { path: "composers", before: [{ composerId: one, share: 100, role: "Writer" }], after: composers },
    ]);
    expect(await creditsOf(trackId)).toEqual([[one, 100, "Writer"]]);

    app.clock.advance(1000);
    await use("update_track_details", { trackId, composers });
    expect(await creditsOf(trackId)).toEqual([
      [two, 40, "Lyrics"],
      [one, 60, "Writer"],
    ]);

    app.deps.db.$client.run("DELETE FROM events");
    await use("update_track_details", { trackId, undo: "last" });
    expect(await creditsOf(trackId)).toEqual([[one, 100, "Writer"]]);
    const types = app.deps.db.$client
      .query<{ type: string }, []>("SELECT type FROM events ORDER BY seq")
      .all();
    expect(types.map(({ type }) => type).toSorted()).toEqual([
      "shareholder.track_updated",
      "shareholder.unlinked_from_track",
    ]);
  });

  test("is told what is wrong with the shares, and nothing changes", async () => {
    const [trackId, one] = [addTrack("Song"), await person("Ada")];
    const credit = { composerId: one, share: 60, role: "Writer" };
    const refused = (composers: Json[], others: Json = {}) =>
      refusalOf("update_track_details", { trackId, composers, ...others });

    expect(await refused([credit, { ...credit, role: "Lyrics" }])).toContain("must add up to 100 at most");
    expect(await refused([{ ...credit, share: 101, role: "" }])).toMatch(
      /composers\.0\.share: .*composers\.0\.role: /,
    );
    expect(await refused([{ ...credit, composerId: "shr_gone" }])).toStartWith("composer_not_found: ");
    expect(await refused([credit], { title: "New" })).toContain("composers: must be sent without title");
    expect(await creditsOf(trackId)).toEqual([]);
  });

  test("does not take back shares that would name a deleted composer, or come to more than the whole", async () => {
    const [trackId, one, two] = [addTrack("Song"), await person("Ada"), await person("Ben")];
    const write = (composerId: string, share: number) =>
      use("update_track_details", { trackId, composers: [{ composerId, share, role: "Writer" }] });
    await write(one, 100);
    app.clock.advance(1000);
    await write(two, 50);
    await use("delete_composer", { composerId: one });
    const named = await refusalOf("update_track_details", { trackId, undo: "last" });
    await use("delete_composer", { composerId: two });
    await write(await person("Cleo"), 80);
    const sum = await refusalOf("update_composer", { composerId: two, undo: "last" });

    expect([named, sum].map((text) => text.split(":")[0])).toEqual(["changed_since", "changed_since"]);
    expect((await creditsOf(trackId)).map(([, share]: Json) => share)).toEqual([80]);
  });
});

test("an assistant reads one category of the taxonomy, compact and full", async () => {
  const genres = TAXONOMY.genres.map(({ name }) => name);

  expect(await use("get_tag_taxonomy", { category: "genres" })).toEqual({ genres });
  const full = await use("get_tag_taxonomy", { category: "eras", detail: "full" });
  expect([full.genres, full.eras.length]).toEqual([[], TAXONOMY.eras.length]);
  expect(await refusalOf("get_tag_taxonomy", { category: "styles" })).toContain(
    "category: must be one of genres, moods, instruments, vocalTypes, ",
  );
});
