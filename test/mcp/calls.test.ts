import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import Ajv2020 from "ajv/dist/2020.js";
import { PNG, serveFile } from "../contract/files.ts";
import { createLibrary, type Library, newWord } from "../contract/library.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { TABLE } from "./specification.ts";
import { createToolApp, legacyRequest, modernRequest, type ToolApp } from "./support.ts";

let app: ToolApp;
let library: Library;
/** Two analysed tracks of the library, with the same audio. */
let first: string;
let second: string;
const outside = createServer(serveFile);
let address: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(outside.address() as { port: number }).port}`;
  app = await createToolApp({ settings: { networkAllow: [address] } });
  library = createLibrary(app, app);
  [first, second] = await library.analysed();
});
afterAll(async () => {
  outside.close();
  await app.close();
});

/** Calls a tool like a client of the 2026 protocol; a client of 2025 gets the same result. */
async function call(name: string, input: Json = {}, request = modernRequest): Promise<Json> {
  const params = { name, arguments: input };
  const { result, error } = await jsonOf(
    await app.request("/mcp", request("tools/call", params, { "x-api-key": app.key })),
  );
  if (error) throw new Error(JSON.stringify(error));
  return result;
}

/** Returns the payload of a successful call. */
async function payloadOf(name: string, input: Json = {}): Promise<Json> {
  const result = await call(name, input);
  if (result.isError) throw new Error(`${name}: ${result.content.map(({ text }: Json) => text).join(" ")}`);
  return JSON.parse(result.content[0].text);
}

type Case = { input: () => Promise<Json> | Json; gives: Json };
const id = expect.stringMatching(/^(trk|ver|pl|shr|brf)_/);

/** The arguments for each tool, and its compact result. */
const CASES: Record<string, Case> = {
  list_tracks: {
    input: () => ({ query: "track", tags: ["House"], tagMode: "all", limit: 2, sort: "name" }),
    gives: {
      data: expect.arrayContaining([
        expect.objectContaining({ id, title: "Night Bus", genres: ["House"], bpm: 122 }),
      ]),
      paging: { next_cursor: null },
    },
  },
  get_track_count: { input: () => ({}), gives: { count: expect.any(Number) } },
  get_track: {
    input: () => ({ trackId: first }),
    gives: {
      track: {
        id,
        name: expect.any(String),
        title: "Night Bus",
        artist: "The Commuters",
        bpm: 122,
        key: "F minor",
        durationSec: 0.2,
        genres: ["House"],
        moods: ["Happy"],
        createdAt: expect.any(String),
        analysis: { status: "completed" },
        types: ["Full Mix"],
        instruments: ["Piano"],
        vocals: ["Female Vocals"],
        lyricThemes: ["Love"],
        eras: ["1990s"],
        characters: [expect.any(String)],
        movements: ["Building"],
        additionalTags: [expect.any(String)],
      },
      activeVersionId: id,
    },
  },
  update_track_details: {
    input: async () => ({ trackId: await library.track(), title: "Day Bus", bpm: 99.5, recordLabel: "Own" }),
    gives: { ok: true, track: expect.objectContaining({ title: "Day Bus", bpm: 99.5 }), activeVersionId: id },
  },
  upload_track_by_url: {
    input: () => ({
      items: [
        {
          fileUrl: `http://${address}/new.wav`,
          details: { title: "New", bpm: 90 },
          audioProfile: { genres: ["House"] },
        },
        { fileUrl: `http://${address}/page` },
      ],
    }),
    gives: {
      ok: true,
      uploaded: [{ id, name: "new.wav", visible: false }],
      failed: [expect.objectContaining({ code: "invalid_file_type" })],
    },
  },
  find_duplicate_tracks: {
    input: () => ({ limit: 5, offset: 0 }),
    gives: expect.objectContaining({
      groups: [
        expect.objectContaining({
          count: 2,
          tracks: expect.arrayContaining([expect.objectContaining({ id })]),
        }),
      ],
      totalGroups: 1,
    }),
  },
  list_track_versions: {
    input: () => ({ trackId: first }),
    gives: {
      trackId: id,
      activeVersionId: id,
      count: 1,
      versions: [
        { id, name: expect.any(String), active: true, visible: false, createdAt: expect.any(String) },
      ],
    },
  },
  upload_track_version: {
    input: async () => ({
      trackId: await library.track(),
      fileUrl: `http://${address}/mix.wav`,
      name: "Loud mix",
      label: "loud",
      activate: false,
    }),
    gives: {
      ok: true,
      version: expect.objectContaining({ id, name: "Loud mix", label: "loud", active: false }),
    },
  },
  activate_track_version: {
    input: versionOfNewTrack,
    gives: { ok: true, trackId: id, activeVersionId: id },
  },
  update_track_version: {
    input: async () => ({
      ...(await versionOfNewTrack()),
      name: "Instrumental",
      label: "inst",
      visible: true,
    }),
    gives: {
      ok: true,
      version: expect.objectContaining({ name: "Instrumental", label: "inst", visible: true }),
    },
  },
  delete_track_version: {
    input: versionOfNewTrack,
    gives: { ok: true, trackId: id, deletedVersionId: id },
  },
  search_tracks: {
    input: () => ({
      query: "happy house",
      limit: 5,
      bpmMin: 100,
      durationMaxSec: 600,
      hasVocals: true,
      key: "F minor",
      seedTrackIds: [second],
      excludeTrackIds: [second],
    }),
    gives: {
      count: expect.any(Number),
      results: expect.arrayContaining([
        expect.objectContaining({
          id: expect.any(String),
          title: "Night Bus",
          artists: ["The Commuters"],
          reason: expect.any(Array),
        }),
      ]),
      interpretation: { briefParsed: true, summary: expect.any(String) },
      suggestedName: expect.any(String),
      searchId: expect.stringMatching(/^srch_/),
    },
  },
  get_tag_taxonomy: {
    input: () => ({}),
    gives: expect.objectContaining({
      genres: expect.arrayContaining(["House"]),
      moods: expect.arrayContaining(["Happy"]),
    }),
  },
  update_track_tags: {
    input: async () => ({
      trackId: await library.track(),
      genres: ["Techno"],
      moods: [],
      additionalTags: ["peak time"],
    }),
    gives: {
      ok: true,
      trackId: id,
      tags: expect.objectContaining({
        genres: ["Techno"],
        moods: [],
        additionalTags: ["peak time"],
        eras: ["1990s"],
      }),
    },
  },
  trigger_auto_tag: {
    input: async () => ({ trackId: await library.track() }),
    gives: { ok: true, trackId: id, analysisStatus: "pending" },
  },
  batch_auto_tag: {
    input: async () => ({ trackIds: [await library.track(), "trk_unknown"] }),
    gives: { ok: true, queued: 1, trackIds: [id], notFound: ["trk_unknown"] },
  },
  get_suggested_tags: {
    input: () => ({ trackId: first }),
    gives: expect.objectContaining({
      trackId: id,
      analysisStatus: "completed",
      suggestedTags: expect.any(Object),
    }),
  },
  wait_for_auto_tag: {
    input: () => ({ trackId: first, timeoutSeconds: 5, pollIntervalSeconds: 2 }),
    gives: expect.objectContaining({ ok: true, trackId: id, analysisStatus: "completed" }),
  },
  apply_suggested_tags: {
    input: async () => ({ trackId: await library.track() }),
    gives: { ok: true, trackId: id, applied: false, requeued: true, tags: expect.any(Object) },
  },
  upload_artwork: {
    input: async () => ({ trackId: await library.track(), base64: Buffer.from(PNG).toString("base64") }),
    gives: { ok: true, url: expect.stringContaining("/artwork/"), key: expect.any(String), trackId: id },
  },
  list_playlists: {
    input: async () => {
      await library.playlist([first]);
      return { limit: 1 };
    },
    gives: {
      data: [
        { id, name: expect.any(String), kind: "playlist", trackCount: 1, updatedAt: expect.any(String) },
      ],
      paging: { next_cursor: null },
    },
  },
  get_playlist: {
    input: async () => ({ playlistId: await library.playlist([second, first]) }),
    gives: {
      id,
      name: expect.any(String),
      kind: "playlist",
      trackCount: 2,
      updatedAt: expect.any(String),
      publicLink: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/playlist\/\S+$/),
      tracks: [
        { id, title: "Night Bus", artist: "The Commuters", durationSec: 0.2 },
        { id, title: "Night Bus", artist: "The Commuters", durationSec: 0.2 },
      ],
    },
  },
  create_playlist: {
    input: () => ({
      name: newWord("Pitch"),
      description: "Two",
      trackIds: [first, second, first],
      dedupe: true,
    }),
    gives: {
      ok: true,
      playlist: expect.objectContaining({ id, publicLink: expect.stringContaining("/playlist/") }),
      tracks: { count: 2, ids: [id, id] },
    },
  },
  update_playlist: {
    input: async () => ({ playlistId: await library.playlist([first]), name: "Renamed" }),
    gives: { ok: true, playlist: expect.objectContaining({ name: "Renamed", trackCount: 1 }) },
  },
  add_tracks_to_playlist: {
    input: async () => ({ playlistId: await library.playlist([first]), trackIds: [second, second] }),
    gives: { ok: true, playlistId: id, added: 2, trackCount: 3 },
  },
  remove_track_from_playlist: {
    input: async () => ({ playlistId: await library.playlist([first, second, first]), trackId: first }),
    gives: { ok: true, playlistId: id, trackId: id, removed: 2 },
  },
  reorder_playlist: {
    input: async () => ({ playlistId: await library.playlist([first, second]), trackIds: [second, first] }),
    gives: { ok: true, playlistId: id, trackIds: [id, id] },
  },
  list_composers: {
    input: async () => {
      await library.composer();
      return {};
    },
    gives: {
      data: expect.arrayContaining([
        { id, fullName: "Ada Writer", email: expect.stringContaining("@"), pro: "PRS" },
      ]),
      paging: { next_cursor: null },
    },
  },
  get_composer_count: { input: () => ({}), gives: { count: expect.any(Number) } },
  get_composer: {
    input: async () => ({ composerId: (await library.composer()).id }),
    gives: { composer: { id, fullName: "Ada Writer", email: expect.stringContaining("@"), pro: "PRS" } },
  },
  create_composer: {
    input: () => ({
      fullName: "Bo Singer",
      email: `${newWord("bo")}@example.com`,
      artistName: "Bo",
      ipi: "00123",
    }),
    gives: { ok: true, composer: expect.objectContaining({ id, fullName: "Bo Singer", artistName: "Bo" }) },
  },
  update_composer: {
    input: async () => ({ composerId: (await library.composer()).id, publisher: "Own" }),
    gives: { ok: true, composer: { id, publisher: "Own" } },
  },
  delete_composer: {
    input: async () => ({ composerId: (await library.composer()).id }),
    gives: { ok: true, composerId: id },
  },
  get_dashboard: {
    input: () => ({}),
    gives: expect.objectContaining({ thisWeek: expect.any(Object), tracks: expect.any(Object) }),
  },
  get_entity_stats: {
    input: () => ({ entity: "track", ids: [first, "trk_unknown"], since: "2026-01-01" }),
    gives: expect.objectContaining({
      entity: "track",
      items: [expect.objectContaining({ id })],
      notFound: ["trk_unknown"],
    }),
  },
  get_top_tracks: {
    input: () => ({ metric: "plays", limit: 3, until: "2026-12-31" }),
    gives: expect.objectContaining({ entity: "track", metric: "plays", items: expect.any(Array) }),
  },
  list_briefs: {
    input: async () => {
      await library.brief();
      return {};
    },
    gives: { data: expect.arrayContaining([expect.objectContaining({ id, status: "open" })]) },
  },
  get_brief_submissions: {
    input: async () => {
      const briefId = await library.brief();
      await library.submit(briefId, first);
      return { briefId };
    },
    gives: {
      brief: expect.objectContaining({ id }),
      submissions: [expect.objectContaining({ type: "track" })],
    },
  },
  get_track_submissions: {
    input: async () => {
      await library.submit(await library.brief(), second);
      return { trackId: second };
    },
    gives: {
      trackId: id,
      trackName: expect.any(String),
      submissions: [expect.objectContaining({ briefId: id })],
    },
  },
};

async function versionOfNewTrack() {
  const trackId = await library.track();
  return { trackId, versionId: await library.version(trackId) };
}

/** Returns the answer once for each value whose kind the schema names, with a value of another kind there. */
function withOtherKinds(schema: Json, answer: Json, path = ""): [path: string, answer: Json][] {
  const own = schema.type && path ? [[path, typeof answer === "object" ? "text" : {}] as [string, Json]] : [];
  if (Array.isArray(answer)) {
    const inside = answer.length > 0 ? withOtherKinds(schema.items ?? {}, answer[0], `${path}[0]`) : [];
    return [...own, ...inside.map(([at, first]): [string, Json] => [at, [first, ...answer.slice(1)]])];
  }
  if (typeof answer !== "object" || answer === null) return own;
  const fields = Object.entries<Json>(schema.properties ?? {}).filter(([name]) => name in answer);
  return fields.reduce<[string, Json][]>((all, [name, field]) => {
    const inside = withOtherKinds(field, answer[name], `${path}.${name}`);
    return all.concat(inside.map(([at, value]) => [at, { ...answer, [name]: value }]));
  }, own);
}

describe("each tool", () => {
  test("has a test case", () => {
    expect(Object.keys(CASES)).toEqual(TABLE.map(({ name }) => name));
  });

  test.each(Object.entries(CASES))("%s works as described", async (name, { input, gives }) => {
    const { dryRun, undo: _, ...own } = await payloadOf(name, await input());

    expect(own).toEqual(gives);
    // test/mcp/rails.test.ts has more of it.
    expect(dryRun).toBe(
      TABLE.find((row) => row.name === name)?.parameters.includes("dryRun") ? false : undefined,
    );
  });

  const waysToCall = ({ properties }: Json): [form: Json, request: typeof modernRequest][] => {
    const forms = properties.detail ? [{ detail: "compact" }, { detail: "full" }] : [{}];
    return forms.flatMap((form): [Json, typeof modernRequest][] => [
      [form, legacyRequest],
      [form, modernRequest],
    ]);
  };

  test("returns structured content matching its output schema, compact and full, in both eras", async () => {
    const ajv = new Ajv2020({ strict: false });
    const { tools } = await jsonOf(await app.request("/tools"));

    for (const { name, inputSchema, outputSchema } of tools) {
      const validate = ajv.compile(outputSchema);
      for (const [form, request] of waysToCall(inputSchema)) {
        const input = await CASES[name]?.input();
        const result = await call(name, { ...input, ...form }, request);
        expect([name, form, validate(result.structuredContent), validate.errors]).toEqual([
          name,
          form,
          true,
          null,
        ]);
        expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
        for (const [path, changed] of withOtherKinds(outputSchema, result.structuredContent))
          expect([name, form, path, validate(changed)]).toEqual([name, form, path, false]);
      }
    }
  });
});

describe("full", () => {
  const ROUTES: [tool: string, input: () => Promise<Json> | Json, path: (input: Json) => string][] = [
    ["list_tracks", () => ({ limit: 2 }), () => "/tracks?limit=2"],
    ["get_track", () => ({ trackId: first }), ({ trackId }) => `/tracks/single?id=${trackId}`],
    ["get_tag_taxonomy", () => ({}), () => "/taxonomy"],
    ["list_playlists", () => ({}), () => "/playlists"],
    ["list_composers", () => ({}), () => "/composers"],
    [
      "get_composer",
      async () => ({ composerId: (await library.composer()).id }),
      ({ composerId }) => `/composers/single?id=${composerId}`,
    ],
  ];
  test.each(ROUTES)("the full form of %s is the route's answer", async (name, make, path) => {
    const input = await make();
    const { body } = await app.as(app.key)("GET", path(input));

    const payload = await payloadOf(name, { ...input, detail: "full" });

    expect(payload).toEqual(body.paging ? { data: body.data, paging: body.paging } : body.data);
  });

  test("the full form of a playlist and of versions has download links", async () => {
    const playlist = await payloadOf("get_playlist", {
      playlistId: await library.playlist([first]),
      detail: "full",
    });
    const { versions } = await payloadOf("list_track_versions", { trackId: first, detail: "full" });

    expect((await fetch(playlist.tracks[0].downloadUrl)).status).toBe(200);
    expect((await fetch(versions[0].downloadUrl)).status).toBe(200);
  });

  test("the full form of a search has the whole interpretation", async () => {
    const payload = await payloadOf("search_tracks", {
      query: "house",
      bpmMax: 130,
      durationMinSec: 1,
      detail: "full",
    });

    expect(payload.interpretation.appliedConstraints).toEqual({
      bpmRange: [1, 130],
      durationRange: [1, 86_400],
    });
  });
});

test("a search finds a track by the name of its playlist", async () => {
  const playlistId = await library.playlist([first]);
  await call("update_playlist", { playlistId, name: "Gravel Roads" });

  const { results } = await payloadOf("search_tracks", { query: "gravl roads", detail: "full" });

  expect(results[0]).toMatchObject({
    id: first,
    reason: expect.arrayContaining(["the playlist “Gravel Roads” has words of the query"]),
  });
});

describe("paging", () => {
  test("continues with the cursor to the end, without a gap", async () => {
    const all = (await payloadOf("list_tracks", { limit: 200 })).data.map(({ id: each }: Json) => each);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Json = await payloadOf("list_tracks", { limit: 3, ...(cursor && { cursor }) });
      seen.push(...page.data.map(({ id: each }: Json) => each));
      cursor = page.paging.next_cursor;
    } while (cursor !== null);

    expect(seen).toEqual(all);
  });
});

describe("list_tracks", () => {
  const countOf = async (input: Json) =>
    (await payloadOf("list_tracks", { limit: 200, ...input })).data.length;

  test("filters by day, by tags, by plays and by analysis", async () => {
    const all = await countOf({});

    expect(await countOf({ createdAfter: "2000-01-01", createdBefore: "2999-12-31" })).toBe(all);
    expect(await countOf({ createdBefore: "2000-01-01" })).toBe(0);
    expect(await countOf({ untagged: true })).toBeLessThan(all);
    expect(await countOf({ neverPlayed: true })).toBe(all);
    const completed = await payloadOf("list_tracks", { limit: 200, analysis: "completed" });
    expect(new Set(completed.data.map(({ analysis }: Json) => analysis.status))).toEqual(
      new Set(["completed"]),
    );
  });

  test("says with an empty answer which tags do not exist, and what is near", async () => {
    const { data, unknownTags } = await payloadOf("list_tracks", {
      tags: ["melancolic", "House"],
      tagMode: "all",
    });
    const known = await payloadOf("list_tracks", { tags: ["Techno", "House"], tagMode: "all" });

    expect(data).toEqual([]);
    expect(unknownTags).toEqual({ melancolic: ["Melancholic", expect.any(String), expect.any(String)] });
    expect(known.unknownTags).toBeUndefined();
  });
});

describe("an argument that needs a scope of its own", () => {
  const asked = async (key: string, name: string, input: Json): Promise<Json> => {
    const params = { name, arguments: input };
    const request = modernRequest("tools/call", params, { "x-api-key": key });
    return (await jsonOf(await app.request("/mcp", request))).result;
  };

  test("an argument whose scope the key lacks is refused before anything is made", async () => {
    const key = app.createKey(app.accountId, ["create:playlists", "read:analytics"]);
    const name = newWord("Unmade");

    const made = await asked(key, "create_playlist", { name, trackIds: [first], recipient: "Jonas" });
    const stats = await asked(key, "get_entity_stats", { entity: "track", ids: [first], listeners: true });

    expect(made.content[0].text).toStartWith("insufficient_scope: This needs create:shares; ");
    expect(stats.content[0].text).toStartWith("insufficient_scope: This needs read:shares; ");
    const { data } = await payloadOf("list_playlists", { limit: 200 });
    expect(data.map((playlist: Json) => playlist.name)).not.toContain(name);
    const plain = await asked(key, "create_playlist", { name, trackIds: [first] });
    expect(plain.isError).toBeUndefined();
  });

  test("shows the open notes of a track and who approves its versions, with the scope for comments", async () => {
    const api = app.as(app.key);
    const trackId = await library.track();
    const say = async (body: object) => (await api("POST", `/tracks/${trackId}/comments`, body)).body.data;
    const { versions } = await payloadOf("list_track_versions", { trackId });
    const kick = await say({ text: "Kick", positionSec: 0.1 });
    const bass = await say({ text: "Bass" });
    await say({ text: "Yes", parentId: kick.id });
    await api("PATCH", `/comments/${bass.id}`, { answered: true });
    await api("PUT", `/tracks/${trackId}/versions/${versions[0].id}/review`, { state: "changes" });

    const plain = await payloadOf("list_track_versions", { trackId });
    const asking = await payloadOf("list_track_versions", { trackId, notes: true });
    const lacking = await asked(app.createKey(app.accountId, ["read:tracks"]), "list_track_versions", {
      trackId,
      notes: true,
    });

    expect(versions[0].review).toBeUndefined();
    expect(plain.notes).toBeUndefined();
    expect(plain.versions).toMatchObject([{ review: { changes: 1, openNotes: 1, answeredNotes: 1 } }]);
    expect(asking.notes).toEqual([
      {
        id: kick.id,
        versionId: versions[0].id,
        versionLabel: "Original",
        author: "Someone",
        positionSec: 0.1,
        text: "Kick",
        replies: 1,
      },
    ]);
    expect(lacking.content[0].text).toStartWith("insufficient_scope: This needs read:comments; ");
  });

  test("makes a link for a person, also to a playlist that exists, and not for a preview", async () => {
    const playlistId = await library.playlist([first]);
    const input = { playlistId, recipient: "Jonas" };

    const linksOf = async (id: string) => {
      const { body } = await app.as(app.key)("GET", `/shares?playlistId=${id}`);
      return body.data.filter(({ recipient }: Json) => recipient).map((share: Json) => share.id);
    };
    const preview = await payloadOf("update_playlist", { ...input, dryRun: true });
    const { share } = await payloadOf("update_playlist", input);

    const shown = [{ path: "share", before: null, after: { recipient: "Jonas" } }];
    expect([preview.share, preview.changes]).toEqual([undefined, shown]);
    const renamed = await payloadOf("update_playlist", { ...input, name: "Other", dryRun: true });
    expect(renamed.changes).toEqual([expect.objectContaining({ path: "name", after: "Other" }), ...shown]);
    expect(await linksOf(playlistId)).toEqual([share.id]);
    expect(share).toEqual({ id: expect.any(String), url: expect.any(String), recipient: "Jonas" });
    const stats = await payloadOf("get_entity_stats", {
      entity: "playlist",
      ids: [playlistId],
      listeners: true,
    });
    expect(stats.listeners).toContainEqual(
      expect.objectContaining({ recipient: "Jonas", shareId: share.id }),
    );
  });
});

describe("a refused call", () => {
  const CALLS: [string, string, Json, string][] = [
    ["an item that a route does not find", "list_track_versions", { trackId: "trk_x" }, "track_not_found: "],
    [
      "an in-body problem",
      "get_playlist",
      { playlistId: "pl_x" },
      "PLAYLIST_NOT_FOUND: There is no such playlist in this library",
    ],
    [
      "an unknown track",
      "get_suggested_tags",
      { trackId: "x" },
      "TRACK_NOT_FOUND: There is no such track in this library",
    ],
    ["waiting for an unknown track", "wait_for_auto_tag", { trackId: "x" }, "TRACK_NOT_FOUND: "],
    ["an unknown brief", "get_brief_submissions", { briefId: "x" }, "BRIEF_NOT_FOUND: "],
    ["submissions of an unknown track", "get_track_submissions", { trackId: "x" }, "TRACK_NOT_FOUND: "],
    ["unknown tracks", "create_playlist", { name: "x", trackIds: ["a"] }, "TRACKS_NOT_FOUND: "],
    ["a missing argument", "get_track", {}, "validation_failed: Invalid request: trackId: is required"],
    [
      "a wrong type",
      "list_tracks",
      { limit: "20" },
      "validation_failed: Invalid request: limit: must be an integer, from 1 to 200",
    ],
    [
      "a value that only the route can refuse",
      "list_tracks",
      { createdAfter: "yesterday" },
      "validation_failed: Invalid request: createdAfter: must be a day that exists, YYYY-MM-DD",
    ],
    [
      "an argument that the route calls otherwise",
      "list_tracks",
      { query: "x".repeat(1001) },
      "validation_failed: Invalid request: query: must be a string, at most 1000 characters",
    ],
    [
      "an id that does not exist",
      "list_track_versions",
      { trackId: "trk_x" },
      "track_not_found: There is no such track. list_tracks and search_tracks give the valid values of trackId",
    ],
    [
      "an unknown composer",
      "delete_composer",
      { composerId: "shr_x" },
      "composer_not_found: There is no such composer. list_composers gives the valid values of composerId",
    ],
    [
      "an argument that only the route can refuse",
      "search_tracks",
      { query: "x", bpmMin: 200, bpmMax: 100 },
      "validation_failed: Invalid request: bpmMin and bpmMax: must",
    ],
    [
      "a private address",
      "upload_track_version",
      { trackId: "x", fileUrl: "http://10.0.0.1/a.wav" },
      "track_not_found: ",
    ],
    ["no picture", "upload_artwork", { trackId: "x" }, "missing_image: "],
  ];
  test.each(CALLS)("a call with %s is refused in the result", async (_, name, input, text) => {
    const result = await call(name, input);

    expect(result.isError).toBe(true);
    expect(result.content[0].text).toStartWith(text);
  });

  test("names each invalid field in a second text, and never its value", async () => {
    const result = await call("list_tracks", { limit: 4711, sort: "sideways" });

    const { errors } = JSON.parse(result.content[1].text);
    expect(errors.map(({ path }: Json) => path)).toEqual(["limit", "sort"]);
    expect(errors[1].detail).toContain("created_at, -created_at, name, -name");
    expect(result.content[1].text).not.toMatch(/4711|sideways/);
  });

  test("answers an unknown tag with the nearest three of its category", async () => {
    const trackId = await library.track();
    const input = { trackId, genres: ["Liquid DnB", "House"], moods: ["melancolic"], eras: ["nineties"] };

    const { isError, content } = await call("update_track_tags", input);
    const { unknown, nearest } = JSON.parse(content[1].text);

    expect([isError, unknown.genres]).toEqual([true, ["Liquid DnB"]]);
    expect(Object.values(nearest).flatMap((each) => Object.values(each as object))).toEqual([
      expect.arrayContaining(["Liquid Drum & Bass"]),
      expect.arrayContaining(["Melancholic"]),
      expect.arrayContaining(["1990s"]),
    ]);
    for (const names of Object.values<Json>(nearest))
      for (const offers of Object.values<Json>(names)) expect(offers).toHaveLength(3);
    expect(content[0].text).toContain('moods: "melancolic" is not in the taxonomy, nearest: Melancholic, ');
  });

  test("answers an unknown tag of an upload in the same way", async () => {
    const items = [
      { fileUrl: `http://${address}/new.wav`, audioProfile: { instruments: ["electric gitar"] } },
    ];

    const { content } = await call("upload_track_by_url", { items });

    expect(content[0].text).toContain('audioProfile.instruments: "electric gitar" is not in the taxonomy');
    expect(content[0].text).toContain("nearest: Electric Guitar, ");
  });

  test("names the missing tracks", async () => {
    const result = await call("create_playlist", { name: "x", trackIds: [first, "trk_gone"] });

    expect(JSON.parse(result.content[1].text)).toEqual({ missing: ["trk_gone"] });
  });

  test("costs no credit", async () => {
    const poor = app.createAccount();
    app.deps.db.$client.run("UPDATE accounts SET credits = 0 WHERE id = ?", [poor.accountId]);
    const request = modernRequest(
      "tools/call",
      { name: "search_tracks", arguments: { query: "x" } },
      {
        "x-api-key": app.createKey(poor.accountId),
      },
    );

    const { result } = await jsonOf(await app.request("/mcp", request));

    expect(result.content[0].text).toStartWith("not_enough_credits: ");
  });
});

describe("the fast path of most calls", () => {
  const answerOf = async (request: typeof modernRequest, name: string, input: Json, _meta: Json) => {
    const params = { name, arguments: input, ...(_meta && { _meta }) };
    const response = await app.request("/mcp", request("tools/call", params, { "x-api-key": app.key }));
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      body: await jsonOf(response),
    };
  };

  // An unknown key in `_meta` makes a message unusual, so the SDK serves it.
  test.each([
    ["2025", legacyRequest],
    ["2026", modernRequest],
  ] as const)("answers in the protocol of %s exactly what the SDK answers", async (_, request) => {
    const reads = TABLE.filter(({ name, reads }) => reads && name !== "search_tracks").map(
      ({ name }) => name,
    );
    for (const name of reads) {
      const input = await CASES[name]?.input();
      for (const each of [input, { ...input, detail: "full" }, { ...input, trackId: "x", limit: 9999 }]) {
        const short = await answerOf(request, name, each, undefined);
        const long = await answerOf(request, name, each, { "example.org/unknown": 1 });

        expect([name, withoutLinks(short)]).toEqual([name, withoutLinks(long)]);
      }
    }
  });
});

/** Signed links differ in every answer. */
const withoutLinks = (value: Json): Json =>
  JSON.parse(JSON.stringify(value).replace(/\?[a-z]+=[^"\\]*/g, ""));

describe("an unknown argument is refused", () => {
  test.each(TABLE.map(({ name }) => [name]))(
    "%s refuses an unknown argument, on the fast path and the SDK's",
    async (name) => {
      const input = { ...(await CASES[name]?.input()), zzz: 1 };
      for (const _meta of [undefined, { "example.org/unknown": 1 }]) {
        const params = { name, arguments: input, ...(_meta && { _meta }) };
        const request = modernRequest("tools/call", params, { "x-api-key": app.key });

        const { result } = await jsonOf(await app.request("/mcp", request));

        expect(result.isError).toBe(true);
        expect(result.content[0].text).toStartWith("validation_failed: unknown argument zzz, ");
      }
    },
  );

  const item = { fileUrl: "https://example.com/a.wav" };
  const NEAREST: [string, Json, string][] = [
    ["search_tracks", { query: "x", bpm_max: 1 }, "unknown argument bpm_max, did you mean bpmMax?"],
    ["search_tracks", { query: "x", maxBpm: 1 }, "unknown argument maxBpm, did you mean bpmMax?"],
    ["search_tracks", { query: "x", bpm: [1, 2] }, "unknown argument bpm, did you mean bpmMin or bpmMax?"],
    ["search_tracks", { query: "x", tempo: 1 }, "unknown argument tempo, did you mean bpmMin or bpmMax?"],
    ["search_tracks", { query: "x", max_duration: 1 }, "did you mean durationMaxSec?"],
    ["search_tracks", { query: "x", vocals: true }, "did you mean hasVocals?"],
    ["search_tracks", { query: "x", createdAfter: "2026" }, "the known ones are query, limit, bpmMin, "],
    ["list_tracks", { genre: "House" }, "unknown argument genre, did you mean tags?"],
    ["list_tracks", { Tag_Mode: "all" }, "did you mean tagMode?"],
    ["list_tracks", { limti: 3 }, "did you mean limit?"],
    ["list_tracks", { page_size: 3 }, "did you mean limit?"],
    ["list_tracks", { colour: "red" }, "the known ones are query, tags, tagMode, "],
    ["update_track_tags", { trackId: "x", genre: [] }, "did you mean genres?"],
    ["get_track", { id: "x" }, "unknown argument id, did you mean trackId?"],
    ["get_top_tracks", { metric: "plays", startDate: "2026-01-01" }, "did you mean since?"],
    ["get_track_count", { verbose: true }, "unknown argument verbose, this tool takes none"],
    ["get_top_tracks", { metric: "plays", bpm_max: 1 }, "the known ones are metric, since, until, limit"],
    ["list_playlists", { duration_max: 1 }, "the known ones are limit, cursor, detail"],
    ["list_playlists", { maxResults: 1 }, "unknown argument maxResults, did you mean limit?"],
    ["list_tracks", { keywords: "x" }, "unknown argument keywords, did you mean query?"],
    ["search_tracks", { query: "x", bpmMaximum: 1 }, "did you mean bpmMax?"],
    ["update_playlist", { playlistId: "x", playlistName: "x" }, "did you mean name?"],
    [
      "upload_track_by_url",
      { items: [{ ...item, url: "x" }] },
      "argument items.0.url, did you mean fileUrl?",
    ],
    ["upload_track_by_url", { items: [{ ...item, genres: [] }] }, "did you mean audioProfile.genres?"],
    [
      "upload_track_by_url",
      { items: [item, { ...item, details: { Label: "x" } }] },
      "unknown argument items.1.details.Label, did you mean recordLabel?",
    ],
  ];
  test.each(NEAREST)("an argument is refused with the nearest name: %s %j", async (name, input, words) => {
    const { isError, content } = await call(name, input);

    expect(isError).toBe(true);
    expect(content[0].text).toContain(words);
    expect(JSON.parse(content[1].text).errors[0].code).toBe("unknown_argument");
  });

  test("every wrong argument is named at once, with the values of an enumeration", async () => {
    const { content } = await call("list_tracks", {
      artist: "x",
      colour: "red",
      limit: 4711,
      sort: "loudest",
      tagMode: "some",
      tags: "House",
      untagged: "yes",
    });

    expect(content[0].text).toMatch(
      /^validation_failed: unknown arguments artist and colour, the known ones are /,
    );
    for (const words of [
      "limit: must be an integer, from 1 to 200",
      "sort: must be one of created_at, -created_at, name, -name",
      'tagMode: must be "any" or "all"',
      "tags: must be an array",
      "untagged: must be a boolean",
    ])
      expect(content[0].text).toContain(`; ${words}`);
    expect(JSON.parse(content[1].text).errors).toHaveLength(7);
  });

  test("an argument named like a property that every object has is refused, together with other errors", async () => {
    const { content } = await call("list_tracks", JSON.parse('{"__proto__":{},"constructor":1,"limit":"3"}'));

    expect(content[0].text).toContain("__proto__");
    expect(content[0].text).toContain("constructor");
    expect(JSON.parse(content[1].text).errors.map(({ path }: Json) => path)).toEqual([
      "__proto__",
      "constructor",
      "limit",
    ]);
  });

  test("an argument is refused before any charge, and only its name is repeated", async () => {
    const searches = () => app.signedIn(app.token)("GET", "/app/searches?limit=200");
    const before = (await searches()).body.data;

    const { content } = await call("search_tracks", { query: "x", [`a "${"b".repeat(100)}`]: "secret" });

    expect(JSON.stringify(content)).not.toContain("b".repeat(61));
    expect(JSON.stringify(content)).not.toContain("secret");
    expect((await searches()).body.data).toEqual(before);
  });
});

test("another account's items are not found", async () => {
  const other = app.createKey(app.createAccount().accountId);
  const request = modernRequest(
    "tools/call",
    { name: "get_track", arguments: { trackId: first } },
    { "x-api-key": other },
  );

  const { result } = await jsonOf(await app.request("/mcp", request));

  expect(result.structuredContent).toEqual({ id: first, track: null });
});
