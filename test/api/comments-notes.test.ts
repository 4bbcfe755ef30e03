import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { commentPlaces, comments } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { planOf, watchStatements } from "../support/statements.ts";
import { addMeasuredRow, addTrackRows, addVersionRow } from "../support/track-rows.ts";

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

const path = () => `/app/tracks/${trackId}/comments`;
const texts = (body: Json) => body.data.map(({ text }: Json) => text);
const list = async (query = "") => (await call("GET", `${path()}${query}`)).body;
/** Writes a comment one second after the one before, and returns it. */
async function say(body: Json): Promise<Json> {
  app.clock.advance(1000);
  return (await call("POST", path(), body)).body.data;
}
const refusedFor = (field: string) => ({
  status: 400,
  body: { messageCode: "validation_failed", data: { errors: [{ path: field }] } },
});
/** Writes comments of one person straight into the database. */
function addRows(rows: readonly Partial<typeof comments.$inferInsert>[]): void {
  const row = { trackId, authorName: "Visitor", text: "Hi", createdAt: app.clock.now(), versionId };
  app.deps.db.transaction((tx) => {
    for (const each of rows)
      tx.insert(comments)
        .values({ ...row, id: newId("cmt"), ...each })
        .run();
  });
}

describe("a range", () => {
  test("is heard from its start to its end", async () => {
    const note = await say({ text: "Vocal", positionSec: 42, endSec: 51.5 });

    expect(note).toMatchObject({ positionSec: 42, endSec: 51.5, parentId: null });
    expect((await list()).data).toEqual([note]);
  });

  test.each([
    ["a tenth of a second, which computers cannot write", { positionSec: 0.2, endSec: 0.3 }],
    ["the whole version", { positionSec: 0, endSec: 187.25 }],
    ["no range", { positionSec: 3, endSec: null }],
  ])("may be %s", async (_, span) => {
    expect(await say({ text: "x", ...span })).toMatchObject(span);
  });

  test.each([
    ["ends before it begins", { positionSec: 9, endSec: 8 }],
    ["is shorter than a tenth of a second", { positionSec: 9, endSec: 9.099 }],
    ["ends behind the version", { positionSec: 9, endSec: 187.26 }],
    ["begins nowhere", { endSec: 8 }],
    ["is said in words", { positionSec: 9, endSec: "10" }],
  ])("that %s is refused, and nothing is stored", async (_, span) => {
    expect(await call("POST", path(), { text: "x", ...span })).toMatchObject(refusedFor("endSec"));
    expect((await list()).data).toEqual([]);
  });
});

describe("a reply", () => {
  test("names its note, has no position, and is about the active version or the named one", async () => {
    const note = await say({ text: "Too loud", positionSec: 4 });
    const second = addVersionRow(app.deps.db, trackId, { versionOrder: 1, label: "v2" });

    const reply = await say({ text: "Fixed", parentId: note.id, positionSec: null });
    const later = await say({ text: "In v2", parentId: note.id, versionId: second });

    expect(reply).toMatchObject({ parentId: note.id, positionSec: null, endSec: null, versionId });
    expect(later).toMatchObject({ versionId: second, versionLabel: "v2" });
    expect(await list()).toMatchObject({
      data: [{ id: later.id }, { id: reply.id }, { id: note.id, replyCount: 2 }],
    });
  });

  test.each([
    ["positionSec", { positionSec: 4 }],
    ["endSec", { endSec: 5 }],
  ])("with a %s is refused", async (field, more) => {
    const { id } = await say({ text: "Note" });

    expect(await call("POST", path(), { text: "x", parentId: id, ...more })).toMatchObject(refusedFor(field));
  });

  test("to a reply, or to a deleted note, is refused", async () => {
    const { id } = await say({ text: "Note" });
    const reply = await say({ text: "Reply", parentId: id });
    const gone = newId("cmt");
    addRows([{ id: gone, text: "", deletedAt: app.clock.now() }]);

    for (const parentId of [reply.id, gone])
      expect(await call("POST", path(), { text: "x", parentId })).toMatchObject({
        status: 409,
        body: { messageCode: "note_closed" },
      });
  });

  test("to a note of another track or library is refused as to one that does not exist", async () => {
    const other = addTrackRows(app.deps.db, accountId).id;
    const own = (await call("POST", `/app/tracks/${other}/comments`, { text: "Other" })).body.data.id;
    const stranger = app.createAccount();
    const theirs = addTrackRows(app.deps.db, stranger.accountId).id;
    const asStranger = app.signedIn(stranger.token);
    const foreign = (await asStranger("POST", `/app/tracks/${theirs}/comments`, { text: "Secret" })).body.data
      .id;

    const none = await call("POST", path(), { text: "x", parentId: "cmt_none" });
    expect(none).toMatchObject({ status: 404, body: { messageCode: "comment_not_found" } });
    for (const parentId of [own, foreign])
      expect((await call("POST", path(), { text: "x", parentId })).body).toEqual(none.body);
  });

  test("is the last one after 200", async () => {
    const { id } = await say({ text: "Note" });
    addRows(Array.from({ length: 199 }, () => ({ parentId: id })));

    expect((await call("POST", path(), { text: "the 200th", parentId: id })).status).toBe(200);
    expect(await call("POST", path(), { text: "x", parentId: id })).toMatchObject({
      status: 409,
      body: { messageCode: "note_closed", message: "A note has at most 200 replies" },
    });
  });
});

test("a track takes 5,000 notes, and replies to them after that", async () => {
  addRows(Array.from({ length: 4999 }, () => ({})));

  const last = await call("POST", path(), { text: "the 5,000th" });
  const refused = await call("POST", path(), { text: "x" });

  expect(last.status).toBe(200);
  expect(refused).toMatchObject({ status: 409, body: { messageCode: "too_many_notes" } });
  expect((await call("POST", path(), { text: "Reply", parentId: last.body.data.id })).status).toBe(200);
});

describe("the list", () => {
  test("has notes only, or only open or answered ones, each with cursors of its own", async () => {
    const [a, b, c] = [await say({ text: "a" }), await say({ text: "b" }), await say({ text: "c" })];
    await say({ text: "reply", parentId: a.id });
    addRows([{ text: "", deletedAt: app.clock.now(), createdAt: 1 }]);
    app.deps.db.$client.run("UPDATE comments SET resolved_at = 1, resolved_name = 'Bo' WHERE id = ?", [b.id]);

    expect(texts(await list())).toEqual(["reply", "c", "b", "a", ""]);
    expect(texts(await list("?notes=true"))).toEqual(["c", "b", "a", ""]);
    expect(texts(await list("?notes=false"))).toEqual(["reply", "c", "b", "a", ""]);
    expect(texts(await list("?state=open"))).toEqual(["c", "a"]);
    expect(texts(await list("?state=answered&notes=true"))).toEqual(["b"]);
    expect(texts(await list("?state=open,answered"))).toEqual(["c", "b", "a"]);
    expect((await list("?state=answered")).data[0]).toMatchObject({
      answeredAt: new Date(1).toISOString(),
      answeredBy: { id: null, name: "Bo" },
    });
    const first = await list("?state=open&limit=1");
    const rest = `cursor=${first.paging.next_cursor}`;
    expect(texts(await list(`?state=open&${rest}`))).toEqual([a.text]);
    expect(c.text).toBe(texts(first)[0]);
    for (const query of [rest, `state=answered&${rest}`, `notes=true&${rest}`])
      expect(await call("GET", `${path()}?${query}`)).toMatchObject(refusedFor("cursor"));
  });

  test.each([
    ["state", "state=closed"],
    ["state", "state=open,"],
    ["notes", "notes=yes"],
    ["other", "other=1"],
    ["versionId", "versionId="],
    ["state", "parentId=cmt_x&state=open"],
    ["notes", "parentId=cmt_x&notes=true"],
  ])("refuses a wrong %s: ?%s", async (field, query) => {
    expect(await call("GET", `${path()}?${query}`)).toMatchObject(refusedFor(field));
  });

  test("pages through the replies to a note, the oldest first", async () => {
    const { id } = await say({ text: "Note" });
    for (const text of ["1", "2", "3"]) await say({ text, parentId: id });
    await say({ text: "Another" });

    const first = await list(`?parentId=${id}&limit=2`);
    const second = await list(`?parentId=${id}&limit=2&cursor=${first.paging.next_cursor}`);

    expect([texts(first), texts(second)]).toEqual([["1", "2"], ["3"]]);
    expect(second.paging.next_cursor).toBeNull();
    expect(await call("GET", `${path()}?cursor=${first.paging.next_cursor}`)).toMatchObject(
      refusedFor("cursor"),
    );
    const other = addTrackRows(app.deps.db, accountId).id;
    for (const address of [`${path()}?parentId=cmt_none`, `/app/tracks/${other}/comments?parentId=${id}`])
      expect(await call("GET", address)).toMatchObject({
        status: 404,
        body: { messageCode: "comment_not_found" },
      });
  });
});

describe("the place of a note in a version", () => {
  const placesIn = async (id: string) =>
    Object.fromEntries(
      (await list(`?versionId=${id}`)).data.map(({ text, place }: Json) => [text, place ?? null]),
    );

  test("is where it was heard, where it was carried to, or about the same second", async () => {
    const short = addVersionRow(app.deps.db, trackId, { versionOrder: 1 });
    addMeasuredRow(app.deps.db, trackId, short, { durationSec: 60 });
    const moment = await say({ text: "moment", positionSec: 10 });
    const range = await say({ text: "range", positionSec: 50, endSec: 70 });
    await say({ text: "late", positionSec: 100, endSec: 110 });
    await say({ text: "whole" });
    await say({ text: "reply", parentId: moment.id });

    expect(await placesIn(versionId)).toEqual({
      moment: { positionSec: 10, endSec: null, how: "heard" },
      range: { positionSec: 50, endSec: 70, how: "heard" },
      late: { positionSec: 100, endSec: 110, how: "heard" },
      whole: null,
      reply: null,
    });
    expect(await placesIn(short)).toEqual({
      moment: { positionSec: 10, endSec: null, how: "about" },
      range: { positionSec: 50, endSec: 60, how: "about" },
      late: { positionSec: 60, endSec: null, how: "about" },
      whole: null,
      reply: null,
    });

    app.deps.db
      .insert(commentPlaces)
      .values([
        { commentId: moment.id, versionId: short, atSec: 8.5, how: "carried" },
        { commentId: range.id, versionId: short, atSec: null, how: "gone" },
      ])
      .run();

    expect(await placesIn(short)).toMatchObject({
      moment: { positionSec: 8.5, endSec: null, how: "carried" },
      range: { positionSec: null, endSec: null, how: "gone" },
    });
    expect((await placesIn(versionId)).moment).toMatchObject({ positionSec: 10, how: "heard" });
    expect((await list()).data[0]).not.toHaveProperty("place");
  });

  test("is refused in a version of another track", async () => {
    const other = addTrackRows(app.deps.db, app.createAccount().accountId).versionId;

    for (const id of [other, "ver_none"])
      expect(await call("GET", `${path()}?versionId=${id}`)).toMatchObject({
        status: 404,
        body: { messageCode: "version_not_found" },
      });
  });
});

test("notes are listed and counted by their own index, and replies by theirs, without sorting", async () => {
  const seen = watchStatements();
  const note = await say({ text: "Note", positionSec: 1 });
  for (const query of ["notes=true", "state=open", `parentId=${note.id}`]) await list(`?${query}`);

  const plans = [...seen]
    .filter((statement) => /from "comments"/.test(statement) && /limit/.test(statement))
    .map((statement) => planOf(app.deps.db.$client, statement).join("; "));

  expect(plans.length).toBeGreaterThan(3);
  for (const plan of plans) {
    expect(plan).toMatch(/SEARCH comments USING INDEX comments_(notes|by_parent) /);
    expect(plan).not.toContain("TEMP B-TREE");
  }
});
