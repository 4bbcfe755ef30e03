import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { migrate } from "../../db/migrations.ts";
import { comments } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let trackId: string;
let versionId: string;
let call: ReturnType<TestApp["signedIn"]>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
  ({ id: trackId, versionId } = addTrackRows(app.deps.db, accountId, { durationSec: 187.25, measured: {} }));
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
      versionId,
      versionLabel: "Original",
      endSec: null,
      parentId: null,
      answeredAt: null,
      answeredBy: null,
      answeredIn: null,
      replyCount: 0,
      shareId: null,
      deletedAt: null,
    });
    expect((await call("GET", path())).body.data).toEqual([body.data]);
    expect(await countedComments()).toBe(1);
  });

  test.each([
    ["nothing", {}],
    ["null", { positionSec: null }],
  ])("a comment with %s as its position is about the whole track", async (_, body) => {
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

describe("the version that a comment was made on", () => {
  const labels = async () =>
    (await call("GET", path())).body.data.map(({ text, versionId: of, versionLabel }: Json) => [
      text,
      of,
      versionLabel,
    ]);
  const addMix = () => addVersionRow(app.deps.db, trackId, { versionOrder: 1, label: "v2" });
  const activate = (id: string) =>
    app.as(app.createKey(accountId))("POST", `/tracks/${trackId}/versions/${id}/activate`);

  test("is the active one, and stays when another one becomes active", async () => {
    await call("POST", path(), { text: "first" });
    const second = addMix();
    await activate(second);
    app.clock.advance(1);
    await call("POST", path(), { text: "second" });

    expect(await labels()).toEqual([
      ["second", second, "v2"],
      ["first", versionId, "Original"],
    ]);
  });

  test("is the one that is named, by sessions and keys alike, within that one's length", async () => {
    const second = addMix();
    const key = app.as(app.createKey(accountId));
    const body = { text: "Here", versionId: second, positionSec: 200 };

    for (const made of [
      await call("POST", path(), body),
      await key("POST", `/tracks/${trackId}/comments`, body),
    ])
      expect(made).toMatchObject({ status: 200, body: { data: { versionId: second, versionLabel: "v2" } } });
    const late = await call("POST", path(), { ...body, versionId });
    expect(late).toMatchObject({ status: 400, body: { messageCode: "validation_failed" } });
  });

  test("is never one of another track: that is refused like an unknown one, and nothing is stored", async () => {
    const own = addTrackRows(app.deps.db, accountId).versionId;
    const foreign = addTrackRows(app.deps.db, app.createAccount().accountId).versionId;

    for (const id of [own, foreign, "ver_none"])
      expect(await call("POST", path(), { text: "x", versionId: id })).toMatchObject({
        status: 404,
        body: { messageCode: "version_not_found" },
      });
    expect((await call("POST", path(), { text: "x", versionId: "" })).status).toBe(400);
    expect(await labels()).toEqual([]);
  });

  test("is called what it is called now, and when it is deleted what it was called then", async () => {
    const second = addMix();
    await call("POST", path(), { text: "kept", versionId: second });
    const key = app.as(app.createKey(accountId));
    await key("PATCH", `/tracks/${trackId}/versions/${second}`, { label: "rough" });
    const renamed = await labels();
    const before = app.deps.db.$client.query("SELECT max(seq) AS seq FROM account_changes").get() as Json;

    await key("DELETE", `/tracks/${trackId}/versions/${second}`);

    expect(renamed).toEqual([["kept", second, "rough"]]);
    expect(await labels()).toEqual([["kept", null, "v2"]]);
    const topics = app.deps.db.$client
      .query<{ topic: string }, [number]>("SELECT DISTINCT topic FROM account_changes WHERE seq > ?")
      .all(before.seq);
    expect(topics).toContainEqual({ topic: "comments" });
  });
});

test("comments of earlier programs get the version that was probably heard, and say so", async () => {
  const client = new Database(":memory:", { strict: true });
  migrate(client, 12);
  client.run(`
    INSERT INTO accounts (id, email, name, password_hash, created_at) VALUES ('usr_1', 'a@example.com', 'A', 'x', 1);
    INSERT INTO tracks (id, owner_id, name, name_fold, created_at, active_version_id, analysis_status)
    VALUES ('trk_1', 'usr_1', 'a', 'a', 1, 'ver_2', 'completed');
    INSERT INTO versions (id, track_id, version_order, name, visible, sha256, size_bytes, media_type, container, created_at)
    VALUES ('ver_1', 'trk_1', 0, 'a', 1, 'a', 1, 'audio/wav', 'wav', 100), ('ver_2', 'trk_1', 1, 'b', 1, 'b', 1, 'audio/wav', 'wav', 200);
    INSERT INTO comments (id, track_id, author_name, text, created_at) VALUES
      ('cmt_1', 'trk_1', 'A', 'before', 50), ('cmt_2', 'trk_1', 'A', 'first', 199), ('cmt_3', 'trk_1', 'A', 'second', 200);
  `);

  migrate(client);

  expect(client.query("SELECT id, version_id, heard_label FROM comments ORDER BY id").values()).toEqual([
    ["cmt_1", "ver_1", null],
    ["cmt_2", "ver_1", null],
    ["cmt_3", "ver_2", null],
  ]);
  const row = { trackId, authorName: "A", text: "Old", createdAt: 1, versionId };
  app.deps.db
    .insert(comments)
    .values({ ...row, id: newId("cmt") })
    .run();
  expect((await call("GET", path())).body.data).toMatchObject([{ versionLabel: "probably Original" }]);
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
