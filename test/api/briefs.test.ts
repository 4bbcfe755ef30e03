import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { briefRequests, briefSubmissions, briefs } from "../../db/schema.ts";
import { newId, newToken } from "../../src/kernel/ids.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let key: string;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  accountId = app.createAccount().accountId;
  key = app.createKey(accountId);
});

const get = (path: string) => app.as(key)("GET", path);
const DAY_MS = 86_400_000;

/** Puts a brief into the database as the app would have left it. */
function addBrief(columns: Partial<typeof briefs.$inferInsert> = {}): string {
  const id = newId("brf");
  const at = app.clock.now();
  app.deps.db
    .insert(briefs)
    .values({
      ownerId: accountId,
      name: "Trailer",
      status: "open",
      token: newToken(16),
      createdAt: at,
      updatedAt: at,
      ...columns,
      id,
    })
    .run();
  return id;
}

function addRequest(briefId: string, email: string): string {
  const id = newId("req");
  const row = { id, briefId, email, token: newToken(16), createdAt: app.clock.now() };
  app.deps.db.insert(briefRequests).values(row).run();
  return id;
}

function addSubmission(briefId: string, columns: Partial<typeof briefSubmissions.$inferInsert>): string {
  const id = newId("sub");
  app.deps.db
    .insert(briefSubmissions)
    .values({
      batchId: newId("bat"),
      type: columns.trackId ? "track" : "link",
      kind: "free",
      createdAt: app.clock.now(),
      ...columns,
      id,
      briefId,
    })
    .run();
  return id;
}

describe("GET /briefs", () => {
  test("is an empty array when there are no briefs", async () => {
    expect(await get("/briefs")).toMatchObject({ status: 200, body: { messageCode: 200, data: [] } });
  });

  test("shows every field, with the numbers of submissions and requests", async () => {
    const deadline = app.clock.now() + DAY_MS;
    const id = addBrief({
      deadline,
      priority: "high",
      tags: ["Strings", "Dark"],
      contactEmail: "music@example.com",
    });
    addRequest(id, "a@example.com");
    addSubmission(id, { link: "https://example.com/1" });
    addSubmission(id, { link: "https://example.com/2" });
    const other = addBrief({ name: "Other" });

    const { body } = await get("/briefs");

    expect(body.data.map((brief: { id: string }) => brief.id)).toEqual([other, id]);
    expect(body.data[1]).toEqual({
      id,
      name: "Trailer",
      status: "open",
      deadline: new Date(deadline).toISOString(),
      active: true,
      priority: "high",
      tags: ["Strings", "Dark"],
      contactEmail: "music@example.com",
      createdAt: new Date(app.clock.now()).toISOString(),
      submissionCount: 2,
      requestCount: 1,
    });
    expect(body.data[0]).toMatchObject({
      deadline: null,
      priority: "normal",
      tags: [],
      contactEmail: null,
      submissionCount: 0,
      requestCount: 0,
    });
  });

  test.each([
    ["open without a deadline", "open", null, true],
    ["open a millisecond before its deadline", "open", 1, true],
    ["open at its deadline", "open", 0, false],
    ["a draft", "draft", null, false],
    ["closed", "closed", null, false],
    ["archived", "archived", null, false],
  ] as const)("a brief that is %s: active is %p", async (_, status, leftMs, active) => {
    addBrief({ status, deadline: leftMs === null ? null : app.clock.now() + leftMs });

    expect((await get("/briefs")).body.data[0]).toMatchObject({ status, active });
  });

  test("lists the newest 200, newest first", async () => {
    const at = app.clock.now();
    const ids = Array.from({ length: 201 }, (_, index) => addBrief({ createdAt: at + index }));

    const { body } = await get("/briefs");

    expect(body.data.map((brief: { id: string }) => brief.id)).toEqual(ids.slice(1).reverse());
  });

  test("does not show another account's briefs", async () => {
    addBrief({ ownerId: app.createAccount().accountId });

    expect((await get("/briefs")).body.data).toEqual([]);
  });
});

describe("GET /briefs/{briefId}/submissions", () => {
  test("shows tracks and links, newest first, and the recipients of requests", async () => {
    const deadline = app.clock.now() + DAY_MS;
    const id = addBrief({ deadline, status: "closed" });
    const sender = app.createAccount().accountId;
    const track = addTrackRows(app.deps.db, sender, { name: "Demo.wav", artist: "Lumen Vale" });
    const requestId = addRequest(id, "asked@example.com");
    const first = addSubmission(id, { link: "https://example.com/song", message: "Rough mix" });
    app.clock.advance(1);
    const second = addSubmission(id, { trackId: track.id, requestId, kind: "paid" });

    const { status, body } = await get(`/briefs/${id}/submissions`);

    expect(status).toBe(200);
    expect(body.data).toEqual({
      brief: { id, name: "Trailer", status: "closed", deadline: new Date(deadline).toISOString() },
      submissions: [
        {
          id: second,
          type: "track",
          message: null,
          link: null,
          createdAt: new Date(app.clock.now()).toISOString(),
          track: { id: track.id, name: "Demo.wav", artist: "Lumen Vale" },
          viaRequestEmail: "asked@example.com",
        },
        {
          id: first,
          type: "link",
          message: "Rough mix",
          link: "https://example.com/song",
          createdAt: new Date(app.clock.now() - 1).toISOString(),
          track: null,
          viaRequestEmail: null,
        },
      ],
    });
  });

  test("is empty for a brief without submissions", async () => {
    const id = addBrief();

    expect((await get(`/briefs/${id}/submissions`)).body.data).toMatchObject({
      brief: { id },
      submissions: [],
    });
  });

  test("says BRIEF_NOT_FOUND inside a 200, for an unknown brief and for another account's", async () => {
    const foreign = addBrief({ ownerId: app.createAccount().accountId });

    const answers = [await get(`/briefs/${foreign}/submissions`), await get("/briefs/brf_none/submissions")];

    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.data).toEqual({ ok: false, error: "BRIEF_NOT_FOUND" });
    }
  });
});

describe.each(["/briefs", "/briefs/brf_none/submissions"])("%s at the door", (path) => {
  test("needs a key", async () => {
    const response = await app.request(`/api/v1${path}`);

    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ messageCode: "missing_api_key" });
  });

  test("needs the scope read:briefs", async () => {
    const others = app.createKey(accountId, ["read:tracks", "read:analytics"]);
    const right = app.createKey(accountId, ["read:briefs"]);

    expect(await app.as(others)("GET", path)).toMatchObject({
      status: 403,
      body: { messageCode: "insufficient_scope", data: { required: "read:briefs" } },
    });
    expect((await app.as(right)("GET", path)).status).toBe(200);
  });
});
