import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { comments } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let trackId: string;
let call: ReturnType<TestApp["signedIn"]>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
  trackId = addTrackRows(app.deps.db, accountId, { durationSec: 187.25, measured: {} }).id;
});

const now = () => new Date(app.clock.now()).toISOString();
const path = () => `/app/tracks/${trackId}/comments`;
const texts = (body: Json) => body.data.map(({ text }: Json) => text);
const countedComments = async () => {
  const stats = await app.as(app.createKey(accountId))("GET", `/analytics/stats?entity=track&ids=${trackId}`);
  return stats.body.data.items[0].stats.comments;
};
/** Adds a comment to the account's track, as another account or a visitor would through a share link. */
function addForeignComment(authorId: string | null): string {
  const id = newId("cmt");
  const row = { id, trackId, authorId, authorName: "Visitor", text: "Hi", createdAt: app.clock.now() };
  app.deps.db.insert(comments).values(row).run();
  return id;
}

describe("POST /app/tracks/{trackId}/comments", () => {
  test("adds a comment at a position in the track, and counts it", async () => {
    const { status, body } = await call("POST", path(), { text: " Louder here ", positionSec: 42.5 });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^cmt_/),
      trackId,
      text: "Louder here",
      positionSec: 42.5,
      author: { id: accountId, name: "Someone" },
      createdAt: now(),
    });
    expect((await call("GET", path())).body.data).toEqual([body.data]);
    expect(await countedComments()).toBe(1);
  });

  test.each([
    ["nothing", {}],
    ["null", { positionSec: null }],
  ])("with %s as the position is about the whole track", async (_, body) => {
    expect((await call("POST", path(), { text: "Yes", ...body })).body.data.positionSec).toBeNull();
  });

  test.each([0, 187.25])("accepts the position %p for a track of 187.25 s", async (positionSec) => {
    const { body } = await call("POST", path(), { text: "Here", positionSec });

    expect(body.data.positionSec).toBe(positionSec);
  });

  test("accepts 2000 characters", async () => {
    expect((await call("POST", path(), { text: "x".repeat(2000) })).body.data.text.length).toBe(2000);
  });

  test("accepts any position while the track's length is unknown", async () => {
    trackId = addTrackRows(app.deps.db, accountId).id;

    expect((await call("POST", path(), { text: "Here", positionSec: 500 })).status).toBe(200);
  });

  test.each([
    ["no body", undefined],
    ["no text", {}],
    ["an empty text", { text: "" }],
    ["a blank text", { text: " \n " }],
    ["2001 characters", { text: "x".repeat(2001) }],
    ["a number as the text", { text: 1 }],
    ["a position before the start", { text: "x", positionSec: -0.1 }],
    ["a position past the end", { text: "x", positionSec: 187.26 }],
    ["a position as text", { text: "x", positionSec: "1" }],
  ])("refuses %s", async (_, body) => {
    const refused = await call("POST", path(), body);

    expect(refused).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
    expect((await call("GET", path())).body.data).toEqual([]);
    expect(await countedComments()).toBe(0);
  });
});

describe("GET /app/tracks/{trackId}/comments", () => {
  test("returns pages, newest first, including visitors' comments", async () => {
    await call("POST", path(), { text: "a" });
    app.clock.advance(1);
    addForeignComment(null);
    app.clock.advance(1);
    await call("POST", path(), { text: "c" });

    const first = (await call("GET", `${path()}?limit=2`)).body;
    const second = (await call("GET", `${path()}?limit=2&cursor=${first.paging.next_cursor}`)).body;

    expect([...texts(first), ...texts(second)]).toEqual(["c", "Hi", "a"]);
    expect(first.data[1].author).toEqual({ id: null, name: "Visitor" });
    expect(second.paging).toEqual({ limit: 2, next_cursor: null });
  });

  test("refuses another track's cursor, and limits out of range", async () => {
    await call("POST", path(), { text: "a" });
    await call("POST", path(), { text: "b" });
    const { next_cursor: cursor } = (await call("GET", `${path()}?limit=1`)).body.paging;
    const other = addTrackRows(app.deps.db, accountId).id;

    for (const query of [`${other}/comments?cursor=${cursor}`, `${trackId}/comments?limit=201`])
      expect(await call("GET", `/app/tracks/${query}`)).toMatchObject({
        status: 400,
        body: { messageCode: "validation_failed" },
      });
  });
});

test.each([
  ["GET", undefined],
  ["POST", { text: "x" }],
])("%s on another account's track answers as for an unknown track", async (method, body) => {
  const other = app.signedIn(app.createAccount().token);

  const foreign = await other(method, path(), body);
  const none = await other(method, "/app/tracks/trk_none/comments", body);

  expect(foreign).toMatchObject({ status: 404, body: { messageCode: "track_not_found" } });
  expect(foreign.body).toEqual(none.body);
  expect((await call("GET", path())).body.data).toEqual([]);
});

describe("DELETE /app/comments/{id}", () => {
  test("deletes the account's own comment", async () => {
    const { id } = (await call("POST", path(), { text: "a" })).body.data;

    const deleted = await call("DELETE", `/app/comments/${id}`);
    const again = await call("DELETE", `/app/comments/${id}`);

    expect(deleted).toMatchObject({ status: 200, body: { data: { ok: true, id } } });
    expect(again).toMatchObject({ status: 404, body: { messageCode: "comment_not_found" } });
    expect((await call("GET", path())).body.data).toEqual([]);
  });

  test("deletes a visitor's comment on the account's own track", async () => {
    const id = addForeignComment(null);

    expect((await call("DELETE", `/app/comments/${id}`)).status).toBe(200);
    expect((await call("GET", path())).body.data).toEqual([]);
  });

  test("deletes the account's own comment on another account's track, but no other comments there", async () => {
    const guest = app.createAccount();
    const [own, others] = [addForeignComment(guest.accountId), addForeignComment(null)];
    const asGuest = app.signedIn(guest.token);

    const refused = await asGuest("DELETE", `/app/comments/${others}`);
    const none = await asGuest("DELETE", "/app/comments/cmt_none");

    expect(refused).toMatchObject({ status: 404, body: { messageCode: "comment_not_found" } });
    expect(refused.body).toEqual(none.body);
    expect((await asGuest("DELETE", `/app/comments/${own}`)).status).toBe(200);
    expect((await call("GET", path())).body.data).toMatchObject([{ id: others }]);
  });
});

test.each([
  ["GET", "/app/tracks/trk_x/comments"],
  ["POST", "/app/tracks/trk_x/comments"],
  ["DELETE", "/app/comments/cmt_x"],
])("%s %s needs a session, not a key", async (method, address) => {
  const bare = await app.request(address, { method });
  const withKey = await app.request(address, { method, headers: { "x-api-key": app.createKey(accountId) } });

  for (const response of [bare, withKey])
    expect(await response.json()).toMatchObject({ statusCode: 401, messageCode: "missing_session_token" });
});
