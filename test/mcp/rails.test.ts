import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import { tagSuggestions } from "../../db/schema.ts";
import { TAXONOMY } from "../../db/taxonomy.ts";
import { type KeptSound, keepSound, restoreSound } from "../../src/modules/library/recordings/service.ts";
import { tidyHourly } from "../../src/upkeep.ts";
import { PNG, serveFile } from "../contract/files.ts";
import { createLibrary, type Library, newWord } from "../contract/library.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { createToolApp, dumpOf, legacyRequest, modernRequest, type ToolApp } from "./support.ts";

const DAY_MS = 86_400_000;

const bytes = (count: number) =>
  Buffer.from(Array.from({ length: count }, (_, index) => (index * 31) % 256)).toString("base64");
/** What an analysis stores of a minute. */
const SOUND: Omit<KeptSound, "pcmSha256"> = {
  codes: bytes(4 * 500),
  columns: bytes(10 * 125),
  levels: bytes(400),
  peaks: bytes(900),
  balanceDb: [-20, null, -31.5],
  framesPerPair: 512,
};

let app: ToolApp;
let library: Library;
const outside = createServer(serveFile);

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(outside.address() as { port: number }).port}`;
  app = await createToolApp({ settings: { networkAllow: [address] } });
  library = createLibrary(app, app);
  await library.analysed();
});
afterAll(async () => {
  outside.close();
  await app.close();
});

async function call(name: string, input: Json, key = app.key, request = modernRequest): Promise<Json> {
  const params = { name, arguments: input };
  const { result } = await jsonOf(
    await app.request("/mcp", request("tools/call", params, { "x-api-key": key })),
  );
  return result;
}
async function payloadOf(name: string, input: Json): Promise<Json> {
  const result = await call(name, input);
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  return result.structuredContent;
}

const owner = () => app.signedIn(app.token);
const callsOf = async (query = ""): Promise<Json[]> =>
  (await owner()("GET", `/app/assistant/calls${query}`)).body.data;
const undo = async (callId: string) => owner()("POST", `/app/assistant/calls/${callId}/undo`);

type Case = {
  /** The arguments, and the address at which what they change is read. */
  make: () => Promise<{ input: Json; reads: string }>;
  /** The fields that change. */
  paths: string[];
};

const CASES: Record<string, Case> = {
  update_track_details: {
    make: async () => {
      const trackId = await library.track();
      return { input: { trackId, title: newWord("Day"), bpm: 99 }, reads: `/tracks/single?id=${trackId}` };
    },
    paths: ["bpm", "title"],
  },
  upload_artwork: {
    make: async () => {
      const trackId = await library.track();
      const base64 = Buffer.from(PNG).toString("base64");
      return { input: { trackId, base64 }, reads: `/tracks/single?id=${trackId}` };
    },
    paths: ["cover"],
  },
  update_track_tags: {
    make: async () => {
      const trackId = await library.track();
      const input = { trackId, genres: ["Techno", "House"], moods: [], additionalTags: ["peak time"] };
      return { input, reads: `/tracks/single?id=${trackId}` };
    },
    paths: ["additionalTags", "genres", "moods"],
  },
  apply_suggested_tags: {
    make: async () => {
      const [trackId] = await library.analysed();
      const [genre] = TAXONOMY.genres;
      const suggestion = { category: "genres", tagId: genre?.id ?? "", name: genre?.name ?? "" };
      app.deps.db
        .insert(tagSuggestions)
        .values({ ...suggestion, trackId, confidence: 0.9, modelVersion: "test" })
        .run();
      return { input: { trackId }, reads: `/tracks/single?id=${trackId}` };
    },
    paths: ["genres"],
  },
  activate_track_version: {
    make: async () => {
      const trackId = await library.track();
      const input = { trackId, versionId: await library.version(trackId) };
      return { input, reads: `/tracks/single?id=${trackId}` };
    },
    paths: ["activeVersionId"],
  },
  update_track_version: {
    make: async () => {
      const trackId = await library.track();
      const input = { trackId, versionId: await library.version(trackId), name: "Dub", visible: true };
      return { input, reads: `/tracks/single?id=${trackId}` };
    },
    paths: ["name", "visible"],
  },
  delete_track_version: {
    make: async () => {
      const trackId = await library.track();
      const input = { trackId, versionId: await library.version(trackId) };
      return { input, reads: `/tracks/single?id=${trackId}` };
    },
    paths: ["version"],
  },
  update_playlist: {
    make: async () => {
      const playlistId = await library.playlist([await library.track()]);
      const input = { playlistId, name: "Other", description: "New" };
      return { input, reads: `/playlists/single/${playlistId}` };
    },
    paths: ["description", "name"],
  },
  remove_track_from_playlist: {
    make: async () => {
      const [one, two] = [await library.track(), await library.track()];
      const playlistId = await library.playlist([one, two, one]);
      return { input: { playlistId, trackId: one }, reads: `/playlists/single/${playlistId}` };
    },
    paths: ["trackIds"],
  },
  reorder_playlist: {
    make: async () => {
      const [one, two] = [await library.track(), await library.track()];
      const playlistId = await library.playlist([one, two]);
      return { input: { playlistId, trackIds: [two, one] }, reads: `/playlists/single/${playlistId}` };
    },
    paths: ["trackIds"],
  },
  update_composer: {
    make: async () => {
      const { id } = await library.composer();
      const input = { composerId: id, fullName: "Someone Else", publisher: "Own" };
      return { input, reads: `/composers/single?id=${id}` };
    },
    paths: ["fullName", "publisher"],
  },
  delete_composer: {
    make: async () => {
      const { id } = await library.composer();
      const shareholders = [{ shareholderId: id, share: 50, role: "Writer" }];
      await app.as(app.key)("PUT", `/tracks/shareholders?id=${await library.track()}`, { shareholders });
      return { input: { composerId: id }, reads: `/composers/single?id=${id}` };
    },
    paths: ["composer", "tracks"],
  },
};

/** Returns the answer of a route without what differs at each reading. */
async function read(path: string): Promise<string> {
  const { body } = await app.as(app.key)("GET", path);
  return JSON.stringify(body.data, (name, value) =>
    name === "updatedAt" ? undefined : name === "downloadUrl" ? value.split("?")[0] : value,
  );
}

describe("a tool that destroys or replaces something", () => {
  test("takes dryRun, and no other tool does", async () => {
    const { tools } = await jsonOf(await app.request("/tools"));
    const named = tools.filter(({ inputSchema }: Json) => inputSchema.properties.dryRun);
    const destroys = tools.filter(({ annotations }: Json) => annotations.destructiveHint);

    expect(named.map(({ name }: Json) => name).toSorted()).toEqual(Object.keys(CASES).toSorted());
    for (const { name } of destroys) expect(Object.keys(CASES)).toContain(name);
  });

  test.each(Object.entries(CASES))(
    "%s shows first, does the same, and is taken back",
    async (name, { make, paths }) => {
      const { input, reads } = await make();
      const [before, rows] = [await read(reads), dumpOf(app)];

      const preview = await payloadOf(name, { ...input, dryRun: true });
      expect([preview.ok ?? true, preview.dryRun, preview.undo]).toEqual([true, true, undefined]);
      expect(dumpOf(app)).toBe(rows);

      const done = await payloadOf(name, input);
      expect([done.dryRun, done.changes]).toEqual([false, undefined]);
      const [noted, previewed] = await callsOf("?limit=2");
      expect(noted).toMatchObject({
        tool: name,
        outcome: "ok",
        dryRun: false,
        changes: preview.changes,
        undoneAt: null,
      });
      expect(previewed).toMatchObject({ tool: name, outcome: "ok", dryRun: true, undoUntil: null });
      expect(preview.changes.map(({ path }: Json) => path).toSorted()).toEqual(paths);
      expect(await read(reads)).not.toBe(before);
      expect(done.undo).toMatchObject({ id: expect.stringMatching(/^undo_/), until: noted?.undoUntil });

      const undone = await undo(noted?.id);
      expect([undone.status, undone.body.data.undoUntil]).toEqual([200, null]);
      expect(await read(reads)).toBe(before);
      expect((await undo(noted?.id)).body.messageCode).toBe("undo_not_found");
    },
  );

  test("brings a deleted version back with what was said of it", async () => {
    const { input } = (await CASES.delete_track_version?.make()) ?? { input: {} };
    const { trackId, versionId } = input;
    const say = async (text: string, heard?: string): Promise<string> =>
      (await owner()("POST", `/app/tracks/${trackId}/comments`, { text, positionSec: 0, versionId: heard }))
        .body.data.id;
    const [onIt, answeredIt, gone] = [
      await say("On it", versionId),
      await say("Answered in it"),
      await say("Gone", versionId),
    ];
    const { $client } = app.deps.db;
    $client.run("UPDATE comments SET resolved_at = 1, resolved_in = ? WHERE id = ?", [versionId, answeredIt]);
    $client.run("INSERT INTO comment_places VALUES (?, ?, 0.5, NULL, 'placed')", [answeredIt, versionId]);
    $client.run("INSERT INTO reviews VALUES ('rev_1', ?, ?, NULL, NULL, 'Bo', 'approved', NULL, 1)", [
      trackId,
      versionId,
    ]);
    $client.run(`INSERT INTO timed_lyrics VALUES (?, '[{"text":"Ahoy","atMs":1000}]', 'written', 1)`, [
      versionId,
    ]);
    const said = async () => [
      (await owner()("GET", `/app/tracks/${trackId}/comments?versionId=${versionId}`)).body.data,
      $client.query("SELECT * FROM reviews").all(),
      $client.query("SELECT * FROM timed_lyrics").all(),
    ];
    const before = await said();
    await payloadOf("delete_track_version", input);
    const [call] = await callsOf("?limit=1");
    await owner()("DELETE", `/app/comments/${gone}`);

    const answer = await undo(call.id);

    expect(answer.status).toBe(200);
    const [comments, reviews, timed] = await said();
    expect(comments).toEqual(before[0].filter(({ id }: Json) => id !== gone));
    expect(comments.map(({ id }: Json) => id)).toContain(onIt);
    expect(reviews).toEqual(before[1]);
    expect(reviews).toHaveLength(1);
    expect([before[2]?.length, timed]).toEqual([1, before[2]]);
  });

  test("brings a deleted version back with its file and its analysis", async () => {
    const { input } = (await CASES.delete_track_version?.make()) ?? { input: {} };
    const { db } = app.deps;
    const sound = { ...SOUND, pcmSha256: btoa(crypto.randomUUID()) };
    restoreSound(db, { ownerId: app.accountId, versionId: input.versionId }, sound);
    await payloadOf("delete_track_version", input);
    const [noted] = await callsOf("?limit=1");
    expect(keepSound(db, input.versionId)).toBeUndefined();

    await undo(noted?.id);
    expect(keepSound(db, input.versionId)).toEqual(sound);
    const { versions } = await payloadOf("list_track_versions", { trackId: input.trackId, detail: "full" });

    for (const { downloadUrl } of versions) expect((await fetch(downloadUrl)).status).toBe(200);
  });

  test("leaves everything as it is when it was changed again since", async () => {
    const { input, reads } = (await CASES.update_composer?.make()) ?? { input: {}, reads: "" };
    await payloadOf("update_composer", input);
    const [noted] = await callsOf("?limit=1");
    await payloadOf("update_composer", { composerId: input.composerId, fullName: "A Third" });
    const [now, rows] = [await read(reads), dumpOf(app)];

    const { status, body } = await undo(noted?.id);

    expect([status, body.messageCode]).toEqual([409, "changed_since"]);
    expect([await read(reads), dumpOf(app)]).toEqual([now, rows]);
  });

  test("is unlearned when it is taken back: tags of an assistant teach nothing then", async () => {
    const trackId = await library.track();
    await app.drainJobs();
    const suggestions = async (): Promise<Json[]> =>
      (await owner()("GET", `/app/library/tracks/suggested-tags?id=${trackId}`)).body.data.suggestions;
    const before = await suggestions();
    await payloadOf("update_track_tags", { trackId, genres: ["Polka"] });
    const [noted] = await callsOf("?limit=1");
    await app.drainJobs();
    const taught = await suggestions();

    await undo(noted?.id);
    const after = await suggestions();
    await app.drainJobs();

    expect(taught.map(({ name }: Json) => name)).toContain("Polka");
    expect(after).toEqual(before);
    expect(await suggestions()).toEqual(before);
  });

  test("is announced again when it is taken back", async () => {
    const { input } = (await CASES.delete_composer?.make()) ?? { input: {} };
    await payloadOf("delete_composer", input);
    const [noted] = await callsOf("?limit=1");
    app.deps.db.$client.run("DELETE FROM events");

    await undo(noted?.id);

    const types = app.deps.db.$client
      .query<{ type: string }, []>("SELECT type FROM events ORDER BY seq")
      .all();
    expect(types.map(({ type }) => type)).toEqual(["composer.updated", "shareholder.linked_to_track"]);
  });

  test("can neither be previewed nor done with a key that may only read", async () => {
    const { input } = (await CASES.delete_composer?.make()) ?? { input: {} };
    const key = app.createKey(app.accountId, ["read:composers", "read:composer"]);

    const preview = await call("delete_composer", { ...input, dryRun: true }, key);

    expect([preview.isError, preview.content[0].text.split(":")[0]]).toEqual([true, "insufficient_scope"]);
  });

  test("says nothing of what belongs to another account", async () => {
    const { input } = (await CASES.delete_composer?.make()) ?? { input: {} };
    const other = app.createAccount();

    const preview = await call("delete_composer", { ...input, dryRun: true }, app.createKey(other.accountId));

    expect(preview.content[0].text).toStartWith("composer_not_found: ");
    expect(preview.content).toHaveLength(1);
  });

  test("can be taken back for seven days", async () => {
    const { input } = (await CASES.update_playlist?.make()) ?? { input: {} };
    await payloadOf("update_playlist", input);
    const [noted] = await callsOf("?limit=1");

    app.clock.advance(7 * DAY_MS);
    await tidyHourly(app.deps);

    expect((await callsOf("?limit=1"))[0]).toMatchObject({ id: noted?.id, undoUntil: null });
    expect((await undo(noted?.id)).status).toBe(404);
  });
});

describe("the list of what assistants did", () => {
  test("names every call, who made it, and with what", async () => {
    const before = await callsOf();
    await call("list_tracks", { query: "x".repeat(300) }, app.key, legacyRequest);
    await call("get_track", { trackId: "trk_x" });
    await call("upload_track_version", { trackId: "trk_x", fileUrl: "https://a.example/b.wav?token=secret" });

    const [third, second, first, ...rest] = await callsOf();

    expect(rest).toEqual(before.slice(0, rest.length));
    expect(first).toMatchObject({
      tool: "list_tracks",
      outcome: "ok",
      changes: [],
      by: { name: expect.any(String) },
    });
    expect(first?.arguments.query.length).toBeLessThan(250);
    expect(second?.by.client).toBe("test 1");
    expect(third).toMatchObject({
      outcome: "track_not_found",
      arguments: { fileUrl: "https://a.example/b.wav" },
    });
  });

  test("shows only changes on demand, and only the own account's", async () => {
    const changed = await callsOf("?changed=true");
    const { accountId, token } = app.createAccount();

    expect(changed.length).toBeGreaterThan(0);
    expect(changed.every(({ changes, dryRun }) => changes.length > 0 && !dryRun)).toBe(true);
    expect(accountId).not.toBe(app.accountId);
    expect((await app.signedIn(token)("GET", "/app/assistant/calls")).body.data).toEqual([]);
    expect((await app.signedIn(token)("POST", `/app/assistant/calls/${changed[0]?.id}/undo`)).status).toBe(
      404,
    );
  });

  test("is forgotten after 90 days", async () => {
    app.clock.advance(91 * DAY_MS);
    await tidyHourly(app.deps);

    expect(app.deps.db.$client.query("SELECT count(*) AS calls FROM assistant_calls").get()).toEqual({
      calls: 0,
    });
  });
});
