import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { briefRequests, briefSubmissions, briefs, events } from "../../db/schema.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";

let app: TestApp;
let accountId: string;
let call: ReturnType<TestApp["signedIn"]>;

beforeAll(async () => {
  app = await createTestApp({ settings: { publicUrl: "https://music.example.com" } });
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
});

const create = async (body: object = { name: "Trailer" }): Promise<Json> =>
  (await call("POST", "/app/briefs", body)).body.data;
const now = () => new Date(app.clock.now()).toISOString();

describe("POST /app/briefs", () => {
  test("creates a draft with all other fields empty", async () => {
    const { status, body } = await call("POST", "/app/briefs", { name: "  Trailer " });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^brf_/),
      name: "Trailer",
      status: "draft",
      deadline: null,
      active: false,
      priority: "normal",
      tags: [],
      contactEmail: null,
      createdAt: now(),
      submissionCount: 0,
      requestCount: 0,
      description: null,
      publicPage: false,
      publicSince: null,
      publicUrl: null,
      paid: false,
      updatedAt: now(),
      madeBy: { id: expect.stringMatching(/^usr_/), name: "Someone" },
    });
  });

  test("accepts every field at once", async () => {
    const brief = await create({
      name: "Trailer",
      status: "open",
      deadline: "2026-03-01T18:00:00+01:00",
      priority: "high",
      tags: [" Strings ", "strings", "Dark", "  "],
      contactEmail: " music@example.com ",
      description: " Two minutes, no drums. ",
      publicPage: true,
      paid: true,
    });

    expect(brief).toMatchObject({
      status: "open",
      deadline: "2026-03-01T17:00:00.000Z",
      active: true,
      priority: "high",
      tags: ["Strings", "Dark"],
      contactEmail: "music@example.com",
      description: "Two minutes, no drums.",
      publicPage: true,
      publicSince: now(),
      publicUrl: expect.stringMatching(/^https:\/\/music\.example\.com\/submit\/[\w-]{22}$/),
      paid: true,
    });
  });

  test("accepts a day as the deadline, until its last millisecond in UTC", async () => {
    expect((await create({ name: "x", deadline: "2026-02-28" })).deadline).toBe("2026-02-28T23:59:59.999Z");
  });

  test.each([
    ["no body", undefined],
    ["no name", {}],
    ["an empty name", { name: "" }],
    ["a blank name", { name: "  " }],
    ["a name of 201 characters", { name: "x".repeat(201) }],
    ["null as the name", { name: null }],
    ["a status that a new brief cannot have", { name: "x", status: "closed" }],
    ["an unknown priority", { name: "x", priority: "urgent" }],
    ["a day that does not exist", { name: "x", deadline: "2026-02-30" }],
    ["a moment of a day that does not exist", { name: "x", deadline: "2026-02-30T10:00:00Z" }],
    ["a moment without its offset", { name: "x", deadline: "2026-02-20T10:00:00" }],
    ["a moment after the year 9999", { name: "x", deadline: "9999-12-31T23:59:59-01:00" }],
    ["an e-mail address without an at sign", { name: "x", contactEmail: "music" }],
    ["a tag of 101 characters", { name: "x", tags: ["x".repeat(101)] }],
    ["51 tags", { name: "x", tags: Array.from({ length: 51 }, String) }],
    ["a description of 5001 characters", { name: "x", description: "x".repeat(5001) }],
    ["publicPage as text", { name: "x", publicPage: "true" }],
    ["paid as a number", { name: "x", paid: 1 }],
  ])("refuses %s", async (_, body) => {
    const refused = await call("POST", "/app/briefs", body);

    expect(refused).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
    expect((await call("GET", "/app/briefs")).body.data).toEqual([]);
  });

  test("accepts the longest name, tags and description", async () => {
    const tags = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(100, "x"));

    const brief = await create({ name: "x".repeat(200), tags, description: "x".repeat(5000) });

    expect(brief.name.length).toBe(200);
    expect(brief.tags).toEqual(tags);
    expect(brief.description.length).toBe(5000);
  });
});

describe("GET /app/briefs", () => {
  test("pages through all of the account's briefs, newest first", async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index++) made.push((await create({ name: `Brief ${index}` })).id);

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await call("GET", `/app/briefs?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
      expect(body.paging.limit).toBe(2);
      seen.push(...body.data.map((brief: Json) => brief.id));
      cursor = body.paging.next_cursor;
    } while (cursor !== null);

    expect(seen).toEqual(made.toReversed());
  });

  test("refuses a limit out of range, and another account's cursor", async () => {
    await create();
    await create();
    const { next_cursor: cursor } = (await call("GET", "/app/briefs?limit=1")).body.paging;
    const other = app.signedIn(app.createAccount().token);

    for (const refused of [
      await call("GET", "/app/briefs?limit=0"),
      await call("GET", "/app/briefs?limit=201"),
      await call("GET", "/app/briefs?cursor=nonsense"),
      await other("GET", `/app/briefs?cursor=${cursor}`),
    ])
      expect(refused).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
    expect((await call("GET", "/app/briefs?limit=200")).status).toBe(200);
  });
});

describe("PATCH /app/briefs/{id}", () => {
  test("changes the fields sent and leaves the others", async () => {
    const brief = await create({ name: "Trailer", tags: ["Dark"], contactEmail: "a@example.com" });
    app.clock.advance(1000);

    const { body } = await call("PATCH", `/app/briefs/${brief.id}`, { name: "Teaser", paid: true });

    expect(body.data).toEqual({ ...brief, name: "Teaser", paid: true, updatedAt: now() });
    expect((await call("GET", `/app/briefs/${brief.id}`)).body.data).toEqual(body.data);
  });

  test("clears a field with null or an empty list", async () => {
    const brief = await create({
      name: "x",
      deadline: "2026-02-28",
      contactEmail: "a@example.com",
      description: "d",
      tags: ["Dark"],
    });

    const cleared = await call("PATCH", `/app/briefs/${brief.id}`, {
      deadline: null,
      contactEmail: null,
      description: null,
      tags: [],
    });

    expect(cleared.body.data).toMatchObject({
      deadline: null,
      contactEmail: null,
      description: null,
      tags: [],
    });
  });

  test("changes nothing for an empty body, not even the time of the update", async () => {
    const brief = await create();
    app.clock.advance(1000);

    expect(await call("PATCH", `/app/briefs/${brief.id}`, {})).toMatchObject({
      status: 200,
      body: { data: brief },
    });
  });

  test("keeps the address of the public page, and the time when it was first on, even after it is switched off", async () => {
    const { id } = await create();
    const first = (await call("PATCH", `/app/briefs/${id}`, { publicPage: true })).body.data;
    app.clock.advance(5000);

    const off = (await call("PATCH", `/app/briefs/${id}`, { publicPage: false })).body.data;
    const on = (await call("PATCH", `/app/briefs/${id}`, { publicPage: true })).body.data;

    expect(off).toMatchObject({ publicPage: false, publicSince: first.publicSince, publicUrl: null });
    expect(on).toMatchObject({ publicSince: first.publicSince, publicUrl: first.publicUrl });
    expect(first.publicSince).not.toBe(now());
  });

  test.each([
    ["draft", ["open"]],
    ["open", ["closed"]],
    ["closed", ["open", "archived"]],
    ["archived", []],
  ] as const)("lets a brief that is %s become %j, and nothing else", async (from, allowed) => {
    for (const to of ["draft", "open", "closed", "archived"] as const) {
      const { id } = await create();
      app.deps.db.update(briefs).set({ status: from }).where(eq(briefs.id, id)).run();

      const answer = await call("PATCH", `/app/briefs/${id}`, { status: to, name: "Renamed" });
      const after = (await call("GET", `/app/briefs/${id}`)).body.data;

      if (to === from || (allowed as readonly string[]).includes(to)) {
        expect(answer).toMatchObject({ status: 200, body: { data: { status: to, name: "Renamed" } } });
        expect(after.status).toBe(to);
      } else {
        expect(answer).toMatchObject({
          status: 409,
          body: { messageCode: "invalid_transition", data: { from, to, allowed: [...allowed] } },
        });
        expect(after).toMatchObject({ status: from, name: "Trailer" });
      }
    }
  });

  test.each([
    ["a blank name", { name: " " }],
    ["null as the name", { name: null }],
    ["an unknown status", { status: "paused" }],
    ["a deadline that is not a date", { deadline: "tomorrow" }],
    ["no body", undefined],
  ])("refuses %s and changes nothing", async (_, body) => {
    const brief = await create();

    const refused = await call("PATCH", `/app/briefs/${brief.id}`, body);

    expect(refused).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
    expect((await call("GET", `/app/briefs/${brief.id}`)).body.data).toEqual(brief);
  });
});

test("DELETE /app/briefs/{id} deletes the brief's requests and submissions, and no other brief's", async () => {
  const gone = await create({ name: "Gone", status: "open" });
  const kept = await create({ name: "Kept", status: "open" });
  for (const { id } of [gone, kept]) {
    await call("POST", `/app/briefs/${id}/requests`, { email: "a@example.com" });
    await call("POST", `/app/briefs/${id}/submissions`, { link: "https://example.com/a" });
  }

  const deleted = await call("DELETE", `/app/briefs/${gone.id}`);
  const again = await call("DELETE", `/app/briefs/${gone.id}`);

  expect(deleted).toMatchObject({ status: 200, body: { data: { ok: true, id: gone.id } } });
  expect(again).toMatchObject({ status: 404, body: { messageCode: "brief_not_found" } });
  expect((await call("GET", "/app/briefs")).body.data.map((brief: Json) => brief.id)).toEqual([kept.id]);
  const left = (table: typeof briefRequests | typeof briefSubmissions) =>
    app.deps.db
      .select({ briefId: table.briefId })
      .from(table)
      .all()
      .map(({ briefId }) => briefId)
      .filter((briefId) => briefId === gone.id || briefId === kept.id);
  expect(left(briefRequests)).toEqual([kept.id]);
  expect(left(briefSubmissions)).toEqual([kept.id]);
});

describe("/app/briefs/{id}/requests", () => {
  test("creates a personal link for each recipient, and lists them newest first", async () => {
    const brief = await create();

    const first = await call("POST", `/app/briefs/${brief.id}/requests`, {
      email: " Ana@Example.com ",
      message: " Would you? ",
    });
    const second = await call("POST", `/app/briefs/${brief.id}/requests`, { email: "ben@example.com" });
    const listed = await call("GET", `/app/briefs/${brief.id}/requests`);

    expect(first).toMatchObject({ status: 200 });
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^req_/),
      name: null,
      email: "ana@example.com",
      message: "Would you?",
      link: expect.stringMatching(/^https:\/\/music\.example\.com\/submit\/[\w-]{22}$/),
      createdAt: now(),
      submissionCount: 0,
    });
    expect(second.body.data.message).toBeNull();
    expect(second.body.data.link).not.toBe(first.body.data.link);
    expect(listed.body).toMatchObject({
      data: [second.body.data, first.body.data],
      paging: { limit: 50, next_cursor: null },
    });
    expect((await call("GET", `/app/briefs/${brief.id}`)).body.data.requestCount).toBe(2);
  });

  test("returns pages, and refuses another brief's cursor", async () => {
    const [brief, other] = [await create(), await create()];
    for (const email of ["a@example.com", "b@example.com", "c@example.com"])
      await call("POST", `/app/briefs/${brief.id}/requests`, { email });

    const first = await call("GET", `/app/briefs/${brief.id}/requests?limit=2`);
    const cursor = first.body.paging.next_cursor;
    const second = await call("GET", `/app/briefs/${brief.id}/requests?limit=2&cursor=${cursor}`);
    const wrong = await call("GET", `/app/briefs/${other.id}/requests?cursor=${cursor}`);

    const emails = (body: Json) => body.data.map(({ email }: Json) => email);
    expect(emails(first.body)).toEqual(["c@example.com", "b@example.com"]);
    expect(emails(second.body)).toEqual(["a@example.com"]);
    expect(second.body.paging.next_cursor).toBeNull();
    expect(wrong).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
  });

  test.each([
    ["no e-mail address", {}],
    ["no at sign", { email: "ana" }],
    ["an address of 255 characters", { email: `${"a".repeat(243)}@example.com` }],
    ["a message of 2001 characters", { email: "a@example.com", message: "x".repeat(2001) }],
  ])("refuses %s", async (_, body) => {
    const { id } = await create();

    const refused = await call("POST", `/app/briefs/${id}/requests`, body);

    expect(refused).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
    expect((await call("GET", `/app/briefs/${id}/requests`)).body.data).toEqual([]);
  });

  test("keeps addresses out of events and logs", async () => {
    const { id } = await create({ name: "x", status: "open", contactEmail: "owner@private.example" });
    await call("POST", `/app/briefs/${id}/requests`, { email: "asked@private.example" });

    const written = JSON.stringify([app.deps.db.select().from(events).all(), app.logged]);

    expect(written).not.toContain("private.example");
  });
});

describe("at the door", () => {
  const routes: [method: string, path: string, body: object | undefined][] = [
    ["GET", "", undefined],
    ["PATCH", "", {}],
    ["DELETE", "", undefined],
    ["GET", "/requests", undefined],
    ["POST", "/requests", { email: "a@example.com" }],
    ["GET", "/submissions", undefined],
  ];

  test.each(routes)(
    "%s /app/briefs/{id}%s does not find another account's brief",
    async (method, path, body) => {
      const brief = await create({ name: "Secret", publicPage: true });
      const other = app.signedIn(app.createAccount().token);

      const foreign = await other(method, `/app/briefs/${brief.id}${path}`, body);
      const none = await other(method, `/app/briefs/brf_none${path}`, body);

      expect(foreign).toMatchObject({ status: 404, body: { messageCode: "brief_not_found" } });
      expect(foreign.body).toEqual(none.body);
      expect((await call("GET", `/app/briefs/${brief.id}`)).body.data).toEqual(brief);
    },
  );

  test.each([
    ["GET", "/app/briefs"],
    ["POST", "/app/briefs"],
    ...routes.map(([method, path]): [string, string] => [method, `/app/briefs/brf_x${path}`]),
    ["POST", "/app/briefs/brf_x/submissions"],
  ])("%s %s needs a session, not a key", async (method, path) => {
    const key = app.createKey(accountId);

    const bare = await app.request(path, { method });
    const withKey = await app.request(path, { method, headers: { "x-api-key": key } });
    const asBearer = await app.request(path, { method, headers: { authorization: `Bearer ${key}` } });

    expect(await bare.json()).toMatchObject({ statusCode: 401, messageCode: "missing_session_token" });
    expect(await withKey.json()).toMatchObject({ statusCode: 401, messageCode: "missing_session_token" });
    expect(await asBearer.json()).toMatchObject({ statusCode: 401, messageCode: "invalid_session_token" });
  });
});
