import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { serveFile } from "../contract/files.ts";
import type { Json } from "../support/app.ts";
import { addTrackRows, CREATED_AT } from "../support/track-rows.ts";
import { createToolApp, type ToolApp } from "./support.ts";

/**
 * Tasks as people put them, each as the calls that an assistant makes for it: every id and name in a call comes from an
 * earlier answer, or from the person. The table at the end shows how many calls and bytes each task takes.
 */

const DAY_MS = 86_400_000;
const outside = createServer(serveFile);
let audioUrl: string;
let app: ToolApp;
let client: Client;
/** What the task at hand has taken so far. */
let taken = { calls: 0, bytes: 0 };
const table: string[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(outside.address() as { port: number }).port}`;
  audioUrl = `http://${address}/new.wav`;
  app = await createToolApp({ settings: { networkAllow: [address] } });
  fillLibrary();
  client = new Client({ name: "assistant", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
    requestInit: { headers: { "x-api-key": app.key } },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const text = await response.text();
      taken.bytes += Buffer.byteLength(String(init?.body ?? "")) + Buffer.byteLength(text);
      const { status, headers } = response;
      return new Response(status === 202 || init?.method === "GET" ? null : text, { status, headers });
    },
  });
  await client.connect(transport as never);
  await client.listTools(); // from now on, the client checks every answer against the tool's schema
});
afterAll(async () => {
  await client.close();
  outside.close();
  await app.close();
  console.info(["calls   bytes  task", ...table].join("\n"));
});

function fillLibrary(): void {
  const add = (title: string, bpm: number, tags: Json, age = 30) =>
    addTrackRows(app.deps.db, app.accountId, {
      name: `${title}.wav`,
      title,
      artist: "Mara Vance",
      createdAt: CREATED_AT - age * DAY_MS,
      bpm,
      tags,
      measured: { bpm },
    });
  for (const [index, title] of ["First Snow", "Still Water", "Low Lamp", "Grey Harbour"].entries())
    add(title, 60 + 8 * index, { instruments: ["Piano"], moods: ["Calm"], genres: ["Ambient"] });
  add("Night Bus", 122, { genres: ["House"], moods: ["Happy"], vocals: ["Female Vocals"] });
  add("Engine Room", 128, { genres: ["Techno"], moods: ["Dark"] });
  add("Day Bus", 118, { genres: ["House"], moods: ["Happy"], vocals: ["Instrumental"] });
  add("Untitled 7", 97, {}, 1);
}

/** Calls a tool; a refusal ends the task. */
async function use(name: string, input: Json = {}): Promise<Json> {
  const result = await attempt(name, input);
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  return result.structuredContent;
}
async function attempt(name: string, input: Json): Promise<Json> {
  taken.calls++;
  return (await client.callTool({ name, arguments: input })) as Json;
}

type Task = [words: string, mostCalls: number, converse: () => Promise<void>];
const TASKS: Task[] = [
  [
    "Put three calm piano pieces under 90 into a playlist, and share it with Jonas.",
    2,
    async () => {
      const found = await use("search_tracks", { query: "calm piano pieces", bpmMax: 90, limit: 3 });
      const trackIds = found.results.map(({ id }: Json) => id);
      const input = { name: found.suggestedName, trackIds, recipient: "Jonas" };
      const { tracks, share } = await use("create_playlist", input);

      expect([tracks.count, share.recipient, (await fetch(share.url)).status]).toEqual([3, "Jonas", 200]);
    },
  ],
  [
    "A week later: who listened to it?",
    2,
    async () => {
      const { data } = await use("list_playlists", { limit: 1 });
      const input = { entity: "playlist", ids: [data[0].id], listeners: true };
      const { items, listeners } = await use("get_entity_stats", input);

      expect(items[0]).toMatchObject({ id: data[0].id, stats: { plays: 0 } });
      expect(listeners.find(({ recipient }: Json) => recipient === "Jonas")).toMatchObject({ plays: 0 });
    },
  ],
  [
    "Put Grey Harbour at the front of that playlist.",
    5,
    async () => {
      const { data } = await use("list_playlists", { limit: 1 });
      const { data: named } = await use("list_tracks", { query: "Grey Harbour" });
      await use("add_tracks_to_playlist", { playlistId: data[0].id, trackIds: [named[0].id] });
      const { tracks } = await use("get_playlist", { playlistId: data[0].id });
      const ids = tracks.map(({ id }: Json) => id);
      const others = ids.slice(0, -1);
      const moved = await use("reorder_playlist", {
        playlistId: data[0].id,
        trackIds: [named[0].id, ...others],
      });

      expect(moved.trackIds[0]).toBe(named[0].id);
    },
  ],
  [
    "Which tracks have no tags yet? Tag them as dark techno.",
    3,
    async () => {
      const { data } = await use("list_tracks", { untagged: true });
      const { track } = await use("get_track", { trackId: data[0].id });
      const written = await use("update_track_tags", {
        trackId: track.id,
        genres: ["techno"],
        moods: ["dark"],
      });

      expect([data.length, written.tags.genres, written.tags.moods]).toEqual([1, ["Techno"], ["Dark"]]);
    },
  ],
  [
    "Tag Night Bus as feel good, nineties, with synth pads.",
    3,
    async () => {
      const { data } = await use("list_tracks", { query: "Night Bus" });
      const wanted = { moods: ["feel good"], eras: ["nineties"], instruments: ["synth pads"] };
      const refused = await attempt("update_track_tags", { trackId: data[0].id, ...wanted });
      const { nearest } = JSON.parse(refused.content[1].text);
      const first = (category: string) => Object.values<string[]>(nearest[category] ?? {})[0]?.[0];
      const tags = Object.fromEntries(Object.keys(nearest).map((category) => [category, [first(category)]]));
      const written = await use("update_track_tags", { trackId: data[0].id, ...tags });

      expect(written.tags).toMatchObject({ moods: ["Feel-Good"], eras: ["1990s"] });
    },
  ],
  [
    "What would happen if I deleted the composer Ben Ode? Do not do it yet.",
    2,
    async () => {
      const { composer } = await use("create_composer", { fullName: "Ben Ode", email: "ben@example.com" });
      const { dryRun, changes } = await use("delete_composer", { composerId: composer.id, dryRun: true });

      expect([dryRun, changes[0].before.fullName]).toEqual([true, "Ben Ode"]);
      expect((await use("get_composer_count")).count).toBe(1);
      taken.calls--; // the question of this test, not of the assistant
    },
  ],
  [
    "Alright, delete him.",
    2,
    async () => {
      const { data } = await use("list_composers");
      const { undo } = await use("delete_composer", { composerId: data[0].id });

      expect(undo).toMatchObject({
        id: expect.stringMatching(/^undo_/),
        url: `${app.url}/library/assistant`,
      });
    },
  ],
  [
    "Add Ada Writer as a composer with PRS, IPI 00123456789.",
    1,
    async () => {
      const person = { fullName: "Ada Writer", email: "ada@example.com", pro: "PRS", ipi: "00123456789" };
      const { composer } = await use("create_composer", person);

      expect(composer.id).toStartWith("shr_");
    },
  ],
  [
    "She moved to GEMA.",
    2,
    async () => {
      const { data } = await use("list_composers");
      const { composer } = await use("update_composer", { composerId: data[0].id, pro: "GEMA" });

      expect(composer.pro).toBe("GEMA");
    },
  ],
  [
    "What did I upload since yesterday?",
    1,
    async () => {
      const createdAfter = new Date(CREATED_AT - DAY_MS).toISOString().slice(0, 10);
      const { data } = await use("list_tracks", { createdAfter });

      expect(data.map(({ title }: Json) => title)).toContain("Untitled 7");
    },
  ],
  [
    "Upload this mix, and tell me when it is analysed.",
    2,
    async () => {
      const { uploaded } = await use("upload_track_by_url", { items: [{ fileUrl: audioUrl }] });
      const { analysis } = (await use("get_track", { trackId: uploaded[0].id })).track;

      expect(analysis.status).toBe("pending");
    },
  ],
  [
    "Here is the new master of Engine Room. Use it, but keep the old one.",
    3,
    async () => {
      const { data } = await use("list_tracks", { query: "Engine Room" });
      const { version } = await use("upload_track_version", {
        trackId: data[0].id,
        fileUrl: audioUrl,
        label: "master",
      });
      const { versions } = await use("list_track_versions", { trackId: version.trackId });

      expect(versions.map(({ active }: Json) => active)).toEqual([false, true]);
    },
  ],
  [
    "No, go back to the old one.",
    3,
    async () => {
      const { data } = await use("list_tracks", { query: "Engine Room" });
      const { versions } = await use("list_track_versions", { trackId: data[0].id });
      const old = versions.find(({ active }: Json) => !active);
      const { activeVersionId } = await use("activate_track_version", {
        trackId: data[0].id,
        versionId: old.id,
      });

      expect(activeVersionId).toBe(old.id);
    },
  ],
  [
    "Delete the other version of it.",
    3,
    async () => {
      const { data } = await use("list_tracks", { query: "Engine Room" });
      const { versions } = await use("list_track_versions", { trackId: data[0].id });
      const other = versions.find(({ active }: Json) => !active);
      const done = await use("delete_track_version", { trackId: data[0].id, versionId: other.id });

      expect(done).toMatchObject({ deletedVersionId: other.id, undo: { until: expect.any(String) } });
    },
  ],
  [
    "Set the year of Night Bus to 1998, and the label to Own.",
    2,
    async () => {
      const { data } = await use("list_tracks", { query: "Night Bus" });
      const details = { trackId: data[0].id, year: "1998", recordLabel: "Own" };
      const { track } = await use("update_track_details", details);

      expect([track.year, track.recordLabel]).toEqual(["1998", "Own"]);
    },
  ],
  [
    "Happy house without vocals, around 120?",
    1,
    async () => {
      const found = await use("search_tracks", {
        query: "happy house",
        bpmMin: 115,
        bpmMax: 125,
        hasVocals: false,
      });

      expect(found.results.map(({ title }: Json) => title)).toEqual(["Day Bus"]);
    },
  ],
  [
    "Do I have duplicates?",
    1,
    async () => {
      expect((await use("find_duplicate_tracks")).totalGroups).toEqual(expect.any(Number));
    },
  ],
  [
    "Which tracks has nobody played?",
    1,
    async () => {
      expect((await use("list_tracks", { neverPlayed: true, limit: 200 })).data.length).toBeGreaterThan(5);
    },
  ],
  [
    "Rename the playlist for Jonas to Quiet Keys, and take Low Lamp out.",
    4,
    async () => {
      const { data } = await use("list_playlists", { limit: 1 });
      const { tracks } = await use("get_playlist", { playlistId: data[0].id });
      const { playlist } = await use("update_playlist", { playlistId: data[0].id, name: "Quiet Keys" });
      const { removed } = await use("remove_track_from_playlist", {
        playlistId: playlist.id,
        trackId: tracks[1].id,
      });

      expect([playlist.name, removed > 0]).toEqual(["Quiet Keys", true]);
    },
  ],
  [
    "What happened this week, and what leads?",
    2,
    async () => {
      const { thisWeek } = await use("get_dashboard");
      const { items } = await use("get_top_tracks", { metric: "plays" });

      expect([thisWeek.views, items]).toEqual([expect.any(Number), expect.any(Array)]);
    },
  ],
];

test("the conversations are twenty tasks", () => {
  expect(TASKS).toHaveLength(20);
});

test.each(TASKS)("%s (at most %d calls)", async (words, mostCalls, converse) => {
  taken = { calls: 0, bytes: 0 };

  await converse();

  table.push(`${String(taken.calls).padStart(5)} ${String(taken.bytes).padStart(7)}  ${words}`);
  expect(taken.calls).toBeLessThanOrEqual(mostCalls);
});
