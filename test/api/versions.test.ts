import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { events, jobs, notifications, tagSuggestions, tracks, versions } from "../../db/schema.ts";
import type { OrdinaryScope } from "../../src/kernel/scopes.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { originalsIn, sha256Of } from "../support/originals.ts";
import { sine, wavBytes } from "../support/signals.ts";

const RATE_HZ = 8000;
const tone = (hz: number) => wavBytes([sine(RATE_HZ, 0.5, hz)], RATE_HZ, 16);
const FIRST = tone(440);
const SECOND = tone(550);

let app: TestApp;
let accountId: string;
let key: string;
let trackId: string;
let firstId: string;
beforeEach(async () => {
  app = await createTestApp();
  ({ accountId } = app.createAccount());
  key = app.createKey(accountId);
  trackId = await uploadTrack(key);
  firstId = trackRow().activeVersionId;
});
afterEach(() => app.close());

const call = (method: string, path: string, body?: unknown) => app.as(key)(method, path, body);
const base = () => `/tracks/${trackId}/versions`;

function formOf(bytes: Uint8Array<ArrayBuffer> | undefined, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (bytes) form.append("file", new File([bytes], "master 2.wav", { type: "audio/wav" }));
  return form;
}

async function uploadTrack(by: string, fields: Record<string, string> = {}): Promise<string> {
  const form = new FormData();
  form.append("files", new File([FIRST], "Night Bus.wav"));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return (await app.as(by)("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
}

async function addVersion(fields: Record<string, string> = {}, bytes = SECOND): Promise<Json> {
  const { status, body } = await call("POST", base(), formOf(bytes, fields));
  expect(status).toBe(200);
  return body.data;
}

function trackRow(): typeof tracks.$inferSelect {
  const row = app.deps.db.select().from(tracks).where(eq(tracks.id, trackId)).get();
  if (!row) throw new Error("no track");
  return row;
}

const versionRows = () => app.deps.db.select().from(versions).where(eq(versions.trackId, trackId)).all();
const eventRows = () => app.deps.db.select().from(events).all();
const told = () => app.deps.db.select().from(notifications).all();
const hasFile = (bytes: Uint8Array) => originalsIn(app.deps).has(sha256Of(bytes));

function temporaryFiles(): string[] {
  const folder = join(app.deps.settings.dataDir, "tmp");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Returns everything of a track that a refused request must not change. */
const snapshot = () => ({
  track: trackRow(),
  versions: versionRows(),
  events: eventRows(),
  told: told(),
  files: temporaryFiles(),
});

describe("POST /tracks/{trackId}/versions", () => {
  test("makes the file the track's audio, and queues its analysis", async () => {
    app.clock.advance(1000);

    const version = await addVersion();

    expect(version).toEqual({
      id: expect.stringMatching(/^ver_/),
      trackId,
      label: "v2",
      name: "master 2.wav",
      order: 1,
      active: true,
      visible: false,
      type: "audio/wav",
      size: SECOND.length,
      createdAt: new Date(app.clock.now()).toISOString(),
      downloadUrl: expect.stringContaining(`/media/${versionRows()[1]?.id}/master%202.wav?`),
      review: { approved: 0, changes: 0, openNotes: 0, answeredNotes: 0 },
    });
    expect(trackRow()).toMatchObject({
      activeVersionId: version.id,
      name: "Night Bus.wav",
      cid: "",
      analysisStatus: "pending",
    });
    const got = await app.request(version.downloadUrl);
    expect(new Uint8Array(await got.arrayBuffer())).toEqual(new Uint8Array(SECOND));
    expect(app.deps.db.select({ name: jobs.name, payload: jobs.payload }).from(jobs).all()).toEqual([
      { name: "analyze", payload: { trackId } },
    ]);
    expect(temporaryFiles()).toEqual([]);
  });

  test("notifies the owner and the webhooks that the audio was replaced", async () => {
    await addVersion();

    expect(eventRows()).toMatchObject([
      {
        type: "track.updated",
        ownerId: accountId,
        data: { trackId, name: "Night Bus.wav", changed: ["audio"] },
      },
    ]);
    expect(told()).toMatchObject([
      {
        accountId,
        kind: "track.audio_replaced",
        entityKey: "track",
        entityId: trackId,
        title: "The audio of Night Bus.wav was replaced",
      },
    ]);
  });

  test("removes the suggestions for the old audio", async () => {
    const suggestion = { category: "moods", tagId: "m", name: "Dark", confidence: 0.8, modelVersion: "1" };
    app.deps.db
      .insert(tagSuggestions)
      .values({ trackId, ...suggestion })
      .run();

    await addVersion();

    expect(app.deps.db.select().from(tagSuggestions).all()).toEqual([]);
  });

  test.each(["false", "0"])(
    "an upload with activate %p adds the version to the history and changes nothing else",
    async (activate) => {
      const before = trackRow();

      const version = await addVersion({ activate });

      expect(version).toMatchObject({ active: false, label: "v2", order: 1 });
      expect(trackRow()).toEqual({ ...before, nextVersionOrder: 2 });
      expect([eventRows(), told()]).toEqual([[], []]);
    },
  );

  test.each(["true", "1"])("an upload with activate %p makes the version active", async (activate) => {
    expect((await addVersion({ activate })).active).toBe(true);
  });

  test.each([
    [
      "name and label, without surrounding spaces",
      { name: " Radio edit ", label: " clean " },
      ["Radio edit", "clean"],
    ],
    ["an empty label as no label", { label: "" }, ["master 2.wav", null]],
    [
      "the longest name and label",
      { name: "x".repeat(200), label: "y".repeat(80) },
      ["x".repeat(200), "y".repeat(80)],
    ],
  ])("takes %s", async (_, fields: Record<string, string>, expected) => {
    const { name, label } = await addVersion(fields);

    expect([name, label]).toEqual(expected);
  });

  test("makes the new version visible if the old one was", async () => {
    trackId = await uploadTrack(key, { visible: "true" });

    expect((await addVersion()).visible).toBe(true);
  });

  test("continues numbering after the newest version was deleted", async () => {
    const second = await addVersion({ activate: "false" });
    await call("DELETE", `${base()}/${second.id}`);

    expect(await addVersion({ activate: "false" })).toMatchObject({ order: 2, label: "v3" });
  });

  test("accepts bytes that the track already has", async () => {
    const version = await addVersion({}, FIRST);

    expect(version).toMatchObject({ active: true, size: FIRST.length });
    expect(await hasFile(FIRST)).toBe(true);
  });

  test.each([
    ["no file", () => formOf(undefined, { name: "x" }), 400, "missing_file"],
    ["a file that is not audio", () => formOf(new TextEncoder().encode("hello")), 400, "invalid_file_type"],
    ["an invalid value for activate", () => formOf(SECOND, { activate: "yes" }), 400, "validation_failed"],
    ["a blank name", () => formOf(SECOND, { name: " " }), 400, "validation_failed"],
    ["a name too long", () => formOf(SECOND, { name: "x".repeat(201) }), 400, "validation_failed"],
    ["a label too long", () => formOf(SECOND, { label: "x".repeat(81) }), 400, "validation_failed"],
    ["JSON", () => ({ name: "x" }), 400, "validation_failed"],
    [
      "two files",
      () => {
        const form = formOf(SECOND);
        form.append("file", new File([FIRST], "more.wav"));
        return form;
      },
      400,
      "too_many_files",
    ],
  ])("refuses %s, and keeps nothing of it", async (_, body, status, messageCode) => {
    const before = snapshot();

    const answer = await call("POST", base(), body());

    expect([answer.status, answer.body.messageCode]).toEqual([status, messageCode]);
    expect(snapshot()).toEqual(before);
    expect(await hasFile(SECOND)).toBe(false);
  });

  test("leaves no bytes and no new active version when it cannot be stored", async () => {
    const before = snapshot();
    app.deps.db.$client.run(
      "CREATE TRIGGER full BEFORE INSERT ON notifications BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );

    const { status, body } = await call("POST", base(), formOf(SECOND));

    expect([status, body.messageCode]).toEqual([500, "internal_error"]);
    expect(snapshot()).toEqual(before);
    expect(await hasFile(SECOND)).toBe(false);
  });

  test("names the invalid field", async () => {
    const { body } = await call("POST", base(), formOf(SECOND, { activate: "maybe" }));

    expect(body.data.errors).toMatchObject([{ path: "activate" }]);
  });
});

describe("POST /tracks/{trackId}/versions/url", () => {
  let server: ReturnType<typeof Bun.serve>;
  let served: string[];
  beforeEach(async () => {
    served = [];
    server = Bun.serve({ port: 0, fetch: serveFile });
    await restart({ networkAllow: [`127.0.0.1:${server.port}`] });
  });
  afterEach(() => server.stop(true));

  const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;

  async function restart(settings: { networkAllow: string[] }): Promise<void> {
    await app.close();
    app = await createTestApp({ settings });
    ({ accountId } = app.createAccount());
    key = app.createKey(accountId);
    trackId = await uploadTrack(key);
    firstId = trackRow().activeVersionId;
  }

  function serveFile(request: Request): Response {
    const { pathname } = new URL(request.url);
    served.push(pathname);
    if (pathname === "/gone.wav") return new Response("no", { status: 404 });
    if (pathname === "/page.html")
      return new Response("<p>hello", { headers: { "content-type": "text/html" } });
    if (pathname === "/noise.wav")
      return new Response("not audio at all", { headers: { "content-type": "audio/wav" } });
    return new Response(SECOND, { headers: { "content-type": "audio/wav" } });
  }

  test("fetches the file and makes it the track's audio", async () => {
    const { status, body } = await call("POST", `${base()}/url`, { fileUrl: at("/mix/final%20mix.wav") });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: trackRow().activeVersionId,
      trackId,
      label: "v2",
      name: "final mix.wav",
      order: 1,
      active: true,
      visible: false,
      type: "audio/wav",
      size: SECOND.length,
      createdAt: new Date(app.clock.now()).toISOString(),
      downloadUrl: expect.any(String),
      review: { approved: 0, changes: 0, openNotes: 0, answeredNotes: 0 },
    });
    expect(trackRow()).toMatchObject({ analysisStatus: "pending", cid: "" });
    expect(eventRows()).toMatchObject([{ type: "track.updated", data: { changed: ["audio"] } }]);
    expect(told()).toHaveLength(1);
    expect(temporaryFiles()).toEqual([]);
  });

  test("accepts name, label and activate", async () => {
    const described = { fileUrl: at("/a.wav"), name: "Stems down", label: null, activate: false };

    const { body } = await call("POST", `${base()}/url`, described);

    expect(body.data).toMatchObject({ name: "Stems down", label: null, active: false });
    expect(trackRow().activeVersionId).toBe(firstId);
  });

  test("makes one version for a request repeated with its Idempotency-Key", async () => {
    const send = () =>
      app.as(key)(
        "POST",
        `${base()}/url`,
        { fileUrl: at("/a.wav") },
        {
          "idempotency-key": "once",
        },
      );

    const [first, again] = [await send(), await send()];

    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(versionRows()).toHaveLength(2);
  });

  test.each([
    ["no address", {}, "validation_failed"],
    ["an address without a protocol", { fileUrl: "example.com/a.wav" }, "validation_failed"],
    ["another scheme", { fileUrl: "ftp://example.com/a.wav" }, "validation_failed"],
    ["an invalid address", { fileUrl: "http://[" }, "validation_failed"],
    ["a number as the name", { fileUrl: "/a.wav", name: 7 }, "validation_failed"],
    ["a blank name", { fileUrl: "/a.wav", name: "  " }, "validation_failed"],
    ["a name too long", { fileUrl: "/a.wav", name: "x".repeat(201) }, "validation_failed"],
    ["a label too long", { fileUrl: "/a.wav", label: "x".repeat(81) }, "validation_failed"],
    ["text for activate", { fileUrl: "/a.wav", activate: "true" }, "validation_failed"],
    ["a private address", { fileUrl: "http://127.0.0.1:1/a.wav" }, "url_not_allowed"],
    ["a file that is not there", { fileUrl: "/gone.wav" }, "download_failed"],
    ["a web page", { fileUrl: "/page.html" }, "invalid_file_type"],
    ["a file that only claims to be audio", { fileUrl: "/noise.wav" }, "invalid_file_type"],
  ])("refuses %s, and keeps nothing of it", async (_, body: Record<string, unknown>, messageCode) => {
    const before = snapshot();
    const { fileUrl } = body;

    const answer = await call("POST", `${base()}/url`, {
      ...body,
      ...(typeof fileUrl === "string" && fileUrl.startsWith("/") && { fileUrl: at(fileUrl) }),
    });

    expect([answer.status, answer.body.messageCode]).toEqual([400, messageCode]);
    expect(snapshot()).toEqual(before);
  });

  test("downloads nothing when the track does not exist", async () => {
    const missing = await call("POST", "/tracks/trk_none/versions/url", { fileUrl: at("/a.wav") });
    const there = await call("POST", `${base()}/url`, { fileUrl: at("/b.wav") });

    expect([missing.status, missing.body.messageCode, there.status]).toEqual([404, "track_not_found", 200]);
    expect(served).toEqual(["/b.wav"]);
  });
});

describe("POST …/{versionId}/activate", () => {
  test("restores the track's earlier file, and keeps the measurements", async () => {
    await app.drainJobs();
    const second = await addVersion();
    await app.drainJobs();
    const before = trackRow();
    expect(before).toMatchObject({ analysisStatus: "completed", cid: sha256Of(SECOND) });
    app.deps.db.delete(events).run();
    app.deps.db.delete(notifications).run();

    const { status, body } = await call("POST", `${base()}/${firstId}/activate`);

    expect([status, body.data]).toEqual([200, { ok: true, trackId, activeVersionId: firstId }]);
    expect(trackRow()).toEqual({ ...before, activeVersionId: firstId, cid: sha256Of(FIRST) });
    expect(trackRow().analysisVersionId).toBe(second.id);
    expect(eventRows()).toMatchObject([
      { type: "track.updated", data: { trackId, name: "Night Bus.wav", changed: ["audio"] } },
    ]);
    expect(told()).toMatchObject([{ kind: "track.audio_replaced", entityId: trackId }]);
    expect(app.deps.db.select().from(jobs).all()).toEqual([]);
    const list = (await call("GET", base())).body.data;
    expect(list.versions.map(({ active }: Json) => active)).toEqual([true, false]);
  });

  test("shows no hash for a file that was never analysed", async () => {
    await app.drainJobs();
    const second = await addVersion({ activate: "false" });

    await call("POST", `${base()}/${second.id}/activate`);

    expect(trackRow().cid).toBe("");
    expect((await call("GET", `${base()}/${second.id}`)).body.data.cid).toBeUndefined();
  });

  test("announces when this makes the track visible or hidden", async () => {
    const second = await addVersion({ activate: "false" });
    await call("PATCH", `${base()}/${second.id}`, { visible: true });
    app.deps.db.delete(events).run();

    await call("POST", `${base()}/${second.id}/activate`);

    expect(eventRows()).toMatchObject([{ data: { changed: ["audio", "visible"] } }]);
    const [item] = (await call("GET", "/tracks")).body.data;
    expect(item.visible).toBe(true);
  });

  test("changes and announces nothing for the active version", async () => {
    const before = snapshot();

    const { status, body } = await call("POST", `${base()}/${firstId}/activate`);

    expect([status, body.data]).toEqual([200, { ok: true, trackId, activeVersionId: firstId }]);
    expect(snapshot()).toEqual(before);
  });
});

describe("PATCH …/{versionId}", () => {
  test("changes the fields sent and returns the version", async () => {
    const { status, body } = await call("PATCH", `${base()}/${firstId}`, {
      name: "Night Bus (demo)",
      label: "demo",
      visible: true,
    });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: firstId,
      trackId,
      label: "demo",
      name: "Night Bus (demo)",
      order: 0,
      active: true,
      visible: true,
      type: "audio/wav",
      size: FIRST.length,
      createdAt: expect.any(String),
      downloadUrl: expect.stringContaining("Night%20Bus%20(demo).wav"),
      review: { approved: 0, changes: 0, openNotes: 0, answeredNotes: 0 },
    });
    // The track's own name is independent.
    expect(trackRow().name).toBe("Night Bus.wav");
    expect(eventRows()).toMatchObject([{ type: "track.updated", data: { trackId, changed: ["visible"] } }]);
  });

  test("keeps fields that are not sent", async () => {
    await call("PATCH", `${base()}/${firstId}`, { label: "demo" });

    const { body } = await call("PATCH", `${base()}/${firstId}`, { name: "Other" });

    expect(body.data).toMatchObject({ name: "Other", label: "demo", visible: false });
    expect(eventRows()).toEqual([]);
  });

  test.each([[""], ["  "], [null]])("reads the label %p as no label", async (label) => {
    await call("PATCH", `${base()}/${firstId}`, { label: "demo" });

    expect((await call("PATCH", `${base()}/${firstId}`, { label })).body.data.label).toBeNull();
  });

  test("announces nothing without a field, or with the current values", async () => {
    const before = snapshot();

    const nothing = await call("PATCH", `${base()}/${firstId}`, {});
    const same = await call("PATCH", `${base()}/${firstId}`, { visible: false });

    expect([nothing.status, same.status]).toEqual([200, 200]);
    expect(snapshot()).toEqual(before);
  });

  test("a change of an inactive version shows in the history, but not on the track", async () => {
    const second = await addVersion({ activate: "false" });

    await call("PATCH", `${base()}/${second.id}`, { visible: true });

    expect((await call("GET", "/tracks")).body.data[0].visible).toBe(false);
    expect(eventRows()).toMatchObject([{ data: { changed: ["versions"] } }]);
  });

  test.each([
    ["an empty name", { name: "" }],
    ["a blank name", { name: "  " }],
    ["no name", { name: null }],
    ["a name too long", { name: "x".repeat(201) }],
    ["a label too long", { label: "x".repeat(81) }],
    ["a label that is a number", { label: 2 }],
    ["visible as text", { visible: "true" }],
    ["no visible", { visible: null }],
  ])("refuses %s and changes nothing", async (_, body) => {
    const before = snapshot();

    const answer = await call("PATCH", `${base()}/${firstId}`, { label: "kept back", ...body });

    expect([answer.status, answer.body.messageCode]).toEqual([400, "validation_failed"]);
    expect(answer.body.data.errors[0].path).toBe(Object.keys(body)[0]);
    expect(snapshot()).toEqual(before);
  });
});

describe("DELETE …/{versionId}", () => {
  test("removes the version and its file", async () => {
    const second = await addVersion({ activate: "false" });

    const { status, body } = await call("DELETE", `${base()}/${second.id}`);

    expect([status, body.data]).toEqual([200, { ok: true, trackId, deletedVersionId: second.id }]);
    expect(versionRows().map(({ id }) => id)).toEqual([firstId]);
    expect([await hasFile(SECOND), await hasFile(FIRST)]).toEqual([false, true]);
    expect((await app.request(second.downloadUrl)).status).toBe(404);
    expect(await call("GET", `${base()}/${second.id}`)).toMatchObject({
      status: 404,
      body: { messageCode: "version_not_found" },
    });
  });

  test("keeps a file that another version uses, in any account", async () => {
    const second = await addVersion({ activate: "false" });
    const other = app.createKey(app.createAccount().accountId);
    const form = new FormData();
    form.append("files", new File([SECOND], "same.wav"));
    await app.as(other)("POST", "/tracks/upload", form);

    await call("DELETE", `${base()}/${second.id}`);

    expect(await hasFile(SECOND)).toBe(true);
  });

  test("refuses to delete the active version or the only one", async () => {
    const only = await call("DELETE", `${base()}/${firstId}`);
    const second = await addVersion();
    const before = snapshot();
    const active = await call("DELETE", `${base()}/${second.id}`);

    for (const answer of [only, active])
      expect([answer.status, answer.body.messageCode]).toEqual([409, "active_version"]);
    expect(snapshot()).toEqual(before);
    expect([await hasFile(FIRST), await hasFile(SECOND)]).toEqual([true, true]);
  });

  test("keeps the track readable when the measured version is deleted", async () => {
    await app.drainJobs();
    const second = await addVersion({ activate: "false" });
    await call("POST", `${base()}/${second.id}/activate`);

    const { status } = await call("DELETE", `${base()}/${firstId}`);

    expect(status).toBe(200);
    const single = await call("GET", `/tracks/single?id=${trackId}`);
    expect(single.body.data).toMatchObject({
      activeVersionId: second.id,
      track: { audio_profile: { durationSec: 0.5 }, analysis: { status: "completed", measured: null } },
    });
  });
});

type Route = [method: string, path: (track: string, version: string) => string, body: () => unknown];
const ROUTES: readonly Route[] = [
  ["GET", (track) => `/tracks/${track}/versions`, () => undefined],
  ["GET", (track, version) => `/tracks/${track}/versions/${version}`, () => undefined],
  ["POST", (track) => `/tracks/${track}/versions`, () => formOf(SECOND)],
  ["POST", (track) => `/tracks/${track}/versions/url`, () => ({ fileUrl: "https://example.com/a.wav" })],
  ["POST", (track, version) => `/tracks/${track}/versions/${version}/activate`, () => undefined],
  ["PATCH", (track, version) => `/tracks/${track}/versions/${version}`, () => ({ visible: true })],
  ["DELETE", (track, version) => `/tracks/${track}/versions/${version}`, () => undefined],
];
const takesVersion = ([, path]: Route) => path("t", "VERSION").includes("VERSION");

describe("access", () => {
  test.each(ROUTES.map((route) => [route[0], route[1]("T", "V"), route] as const))(
    "%s %s: only with a key, its scope, and the account's own track",
    async (_, __, [method, path, body]) => {
      const before = snapshot();
      const stranger = app.createKey(app.createAccount().accountId);
      const needed: OrdinaryScope = method === "GET" ? "read:tracks" : "update:tracks";
      const others = (["read:tracks", "create:tracks", "update:tracks"] as const).filter(
        (scope) => scope !== needed,
      );
      const target = path(trackId, firstId);

      const none = await app.request(`/api/v1${target}`, { method });
      const bad = await app.as("key_x.y")(method, target, body());
      const poor = await app.as(app.createKey(accountId, others))(method, target, body());
      const foreign = await app.as(stranger)(method, target, body());
      const unknown = await call(method, path("trk_none", firstId), body());

      expect([none.status, bad.status, poor.status, foreign.status, unknown.status]).toEqual([
        401, 401, 403, 404, 404,
      ]);
      expect(foreign.body).toEqual(unknown.body);
      expect(unknown.body.messageCode).toBe("track_not_found");
      expect(snapshot()).toEqual(before);
    },
  );

  test.each(ROUTES.filter(takesVersion).map((route) => [route[0], route[1]("T", "V"), route] as const))(
    "%s %s: a version of another track is not found",
    async (_, __, [method, path, body]) => {
      const mine = await uploadTrack(key);

      for (const versionId of [firstId, "ver_none"])
        expect(await call(method, path(mine, versionId), body())).toMatchObject({
          status: 404,
          body: { messageCode: "version_not_found" },
        });
      expect(versionRows()).toHaveLength(1);
    },
  );
});

test("GET …/versions lists versions oldest first, with all their fields", async () => {
  await app.drainJobs();
  app.clock.advance(1000);
  const second = await addVersion({ activate: "false" });

  const { body } = await call("GET", base());

  expect(body.data).toMatchObject({ trackId, activeVersionId: firstId, count: 2 });
  expect(body.data.versions).toMatchObject([
    { id: firstId, label: null, order: 0, active: true, cid: sha256Of(FIRST) },
    { id: second.id, label: "v2", order: 1, active: false },
  ]);
  expect((await call("GET", `${base()}/${second.id}`)).body.data).toEqual(second);
});
