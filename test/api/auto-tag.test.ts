import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { jobs, tracks } from "../../db/schema.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

let app: TestApp;
let accountId: string;
let api: ReturnType<TestApp["as"]>;

beforeAll(async () => {
  app = await createTestApp();
  accountId = app.createAccount().accountId;
  api = app.as(app.createKey(accountId, ["update:tracks"]));
});
afterAll(() => app.close());

const add = (count: number, owner = accountId) => addTracks(app, owner, Array(count).fill({}));
const statusOf = (id: string) =>
  app.deps.db.select().from(tracks).where(eq(tracks.id, id)).get()?.analysisStatus;
const jobsFor = (id: string) => app.deps.db.select().from(jobs).where(eq(jobs.uniqueKey, id)).all();

describe("POST /tracks/auto-tag", () => {
  test("answers at once and queues one analysis, even for repeated requests", async () => {
    const [id = ""] = add(1);

    const { status, body } = await api("POST", "/tracks/auto-tag", { trackId: id });
    await api("POST", "/tracks/auto-tag", { trackId: id });

    expect(status).toBe(200);
    expect(body.data).toEqual({ ok: true, trackId: id, analysisStatus: "pending" });
    expect(statusOf(id)).toBe("pending");
    expect(jobsFor(id)).toMatchObject([{ name: "analyze", payload: { trackId: id }, state: "waiting" }]);
  });

  test.each([
    ["no track", {}],
    ["an empty id", { trackId: "" }],
    ["an id that is not text", { trackId: 7 }],
    ["no body", undefined],
  ])("refuses %s", async (_, body) => {
    const answer = await api("POST", "/tracks/auto-tag", body);

    expect([answer.status, answer.body.messageCode]).toEqual([400, "validation_failed"]);
  });

  test("does not find an unknown track or another account's, and does not change it", async () => {
    const [foreign = ""] = add(1, app.createAccount().accountId);

    for (const trackId of [foreign, "trk_nothing"]) {
      const answer = await api("POST", "/tracks/auto-tag", { trackId });
      expect([answer.status, answer.body.messageCode]).toEqual([404, "track_not_found"]);
    }
    expect([statusOf(foreign), jobsFor(foreign)]).toEqual(["completed", []]);
  });
});

describe("POST /tracks/auto-tag/batch", () => {
  test("queues every track once, and lists the ids that it did not find", async () => {
    const [first = "", second = ""] = add(2);
    const [foreign = ""] = add(1, app.createAccount().accountId);

    const { status, body } = await api("POST", "/tracks/auto-tag/batch", {
      trackIds: [second, foreign, first, second, "trk_nothing"],
    });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      ok: true,
      queued: 2,
      trackIds: [second, first],
      notFound: [foreign, "trk_nothing"],
    });
    expect([first, second, foreign].map((id) => [statusOf(id), jobsFor(id).length])).toEqual([
      ["pending", 1],
      ["pending", 1],
      ["completed", 0],
    ]);
  });

  test("accepts 500 tracks at once", async () => {
    const trackIds = add(500);

    const { body } = await api("POST", "/tracks/auto-tag/batch", { trackIds });

    expect(body.data).toEqual({ ok: true, queued: 500, trackIds, notFound: [] });
  });

  test("is 404 when it finds none of the tracks", async () => {
    const [foreign = ""] = add(1, app.createAccount().accountId);

    const answer = await api("POST", "/tracks/auto-tag/batch", { trackIds: [foreign, "trk_nothing"] });

    expect([answer.status, answer.body.messageCode]).toEqual([404, "track_not_found"]);
    expect(statusOf(foreign)).toBe("completed");
  });

  test.each([
    ["an empty list", { trackIds: [] }],
    ["more than 500", { trackIds: Array.from({ length: 501 }, (_, i) => `trk_${i}`) }],
    ["text instead of a list", { trackIds: "trk_1" }],
    ["no list", {}],
  ])("refuses %s", async (_, body) => {
    const answer = await api("POST", "/tracks/auto-tag/batch", body);

    expect([answer.status, answer.body.messageCode]).toEqual([400, "validation_failed"]);
  });
});

describe.each(["/tracks/auto-tag", "/tracks/auto-tag/batch", "/tracks/apply-suggested-tags"])(
  "%s",
  (path) => {
    test("needs a key that may update tracks", async () => {
      const reader = await app.as(app.createKey(accountId, ["read:tracks"]))("POST", path, {});
      const nobody = await app.request(`/api/v1${path}`, { method: "POST" });

      expect([reader.status, reader.body.messageCode]).toEqual([403, "insufficient_scope"]);
      expect(nobody.status).toBe(401);
    });
  },
);
