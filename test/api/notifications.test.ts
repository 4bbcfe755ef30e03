import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import { notify } from "../../src/modules/people/notifications/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";

let app: TestApp;
let accountId: string;
let call: ReturnType<TestApp["signedIn"]>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
});

const tell = (title: string, to = accountId) =>
  transact(app.deps.db, (tx) =>
    notify(
      tx,
      { accountId: to, kind: "track.audio_replaced", title, entityKey: "track", entityId: "trk_1" },
      app.clock.now(),
    ),
  );
const now = () => new Date(app.clock.now()).toISOString();
const list = (query = "") => call("GET", `/app/notifications${query}`);
const titles = (body: Json) => body.data.map(({ title }: Json) => title);

describe("GET /app/notifications", () => {
  test("shows every field, newest first, and how many are unread", async () => {
    tell("First");
    app.clock.advance(1);
    tell("Second");

    const { status, body } = await list();

    expect(status).toBe(200);
    expect(titles(body)).toEqual(["Second", "First"]);
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(/^ntf_/),
      kind: "track.audio_replaced",
      title: "Second",
      entityKey: "track",
      entityId: "trk_1",
      createdAt: now(),
      readAt: null,
      by: null,
    });
    expect(body).toMatchObject({ paging: { limit: 50, next_cursor: null }, unreadCount: 2 });
  });

  test("returns pages without skipping or repeating, even if more notifications arrive meanwhile", async () => {
    for (const title of ["a", "b", "c", "d"]) tell(title);

    const first = (await list("?limit=2")).body;
    tell("e");
    const second = (await list(`?limit=2&cursor=${first.paging.next_cursor}`)).body;

    expect([...titles(first), ...titles(second)]).toEqual(["d", "c", "b", "a"]);
    expect(second).toMatchObject({ paging: { next_cursor: null }, unreadCount: 5 });
  });

  test("does not show another account's notifications or accept its cursor", async () => {
    const other = app.createAccount();
    tell("theirs", other.accountId);
    tell("theirs too", other.accountId);
    const theirs = await app.signedIn(other.token)("GET", "/app/notifications?limit=1");

    const own = await list();
    const wrong = await list(`?cursor=${theirs.body.paging.next_cursor}`);

    expect(own.body).toMatchObject({ data: [], unreadCount: 0 });
    expect(wrong).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
  });

  test.each(["?limit=0", "?limit=201", "?limit=x", "?cursor=x"])("refuses %s", async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
  });
});

describe("POST /app/notifications/{id}/read", () => {
  test("marks a notification as read, and keeps the first time", async () => {
    tell("a");
    tell("b");
    const [{ id }] = (await list()).body.data;

    const first = await call("POST", `/app/notifications/${id}/read`);
    const readAt = now();
    app.clock.advance(1000);
    const again = await call("POST", `/app/notifications/${id}/read`);

    expect(first).toMatchObject({ status: 200, body: { data: { id, title: "b", readAt } } });
    expect(again.body).toEqual(first.body);
    expect((await list()).body).toMatchObject({
      data: [{ readAt }, { title: "a", readAt: null }],
      unreadCount: 1,
    });
  });

  test("does not find another account's notification", async () => {
    tell("mine");
    const [{ id }] = (await list()).body.data;
    const other = app.signedIn(app.createAccount().token);

    const foreign = await other("POST", `/app/notifications/${id}/read`);
    const none = await other("POST", "/app/notifications/ntf_none/read");

    expect(foreign).toMatchObject({ status: 404, body: { messageCode: "notification_not_found" } });
    expect(foreign.body).toEqual(none.body);
    expect((await list()).body.unreadCount).toBe(1);
  });
});

test("POST /app/notifications/read marks all of the account's notifications as read, and no others", async () => {
  const other = app.createAccount();
  tell("theirs", other.accountId);
  tell("a");
  tell("b");

  const first = await call("POST", "/app/notifications/read");
  const again = await call("POST", "/app/notifications/read");

  expect(first).toMatchObject({ status: 200, body: { data: { ok: true, read: 2 } } });
  expect(again.body.data).toEqual({ ok: true, read: 0 });
  expect((await list()).body.unreadCount).toBe(0);
  expect((await app.signedIn(other.token)("GET", "/app/notifications")).body.unreadCount).toBe(1);
});

test("a notification is stored only if its transaction succeeds", async () => {
  const failing = () =>
    transact(app.deps.db, () => {
      tell("never");
      throw new Error("no");
    });

  expect(failing).toThrow("no");
  expect((await list()).body.data).toEqual([]);
});

test.each([
  ["GET", "/app/notifications"],
  ["POST", "/app/notifications/read"],
  ["POST", "/app/notifications/ntf_x/read"],
])("%s %s needs a session, not a key", async (method, path) => {
  const bare = await app.request(path, { method });
  const withKey = await app.request(path, { method, headers: { "x-api-key": app.createKey(accountId) } });

  for (const response of [bare, withKey])
    expect(await response.json()).toMatchObject({ statusCode: 401, messageCode: "missing_session_token" });
});
