import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { LibraryId } from "../../db/schema.ts";
import { HOUR_MS } from "../../src/kernel/time.ts";
import { addLinkComment, answerLinkNote } from "../../src/modules/sharing/comments/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addGuest, addMember } from "../support/team.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
let label: Awaited<ReturnType<typeof createLabel>>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  label = await createLabel();
});

type Web = ReturnType<TestApp["signedIn"]>;

/** A label with a track of two versions, a link to it, its owner, the producer Bo, the artist Ana, and a guest. */
async function createLabel() {
  const { accountId, token } = app.createAccount();
  const { db } = app.deps;
  const track = addTrackRows(db, accountId, { name: "Night Drive.wav", measured: {} });
  const second = addVersionRow(db, track.id, { versionOrder: 1, label: "v2" });
  const web = app.signedIn(token);
  const made = await app.as(app.createKey(accountId))("POST", "/playlists", {
    name: "R",
    trackIds: [track.id],
  });
  const guest = addGuest(app, accountId, { [made.body.data.playlist.id]: { role: "artist" } });
  const share = (await web("POST", "/app/shares", { trackId: track.id, allowComments: true })).body.data;
  const link = {
    id: share.id,
    ownerId: accountId as LibraryId,
    entity: "track" as const,
    entityId: track.id,
  };
  const [bo, ana] = [
    addMember(app, accountId, { role: "producer" }),
    addMember(app, accountId, { role: "artist" }),
  ];
  return {
    ...{ accountId, trackId: track.id, second, link, owner: web },
    ...{ bo: app.signedIn(bo.token), boId: bo.personId, ana: app.signedIn(ana.token) },
    guest: app.signedIn(guest.token),
  };
}

async function say(web: Web, more: Json = {}): Promise<string> {
  app.clock.advance(1000);
  const { body } = await web("POST", `/app/tracks/${label.trackId}/comments`, { text: "Louder", ...more });
  return body.data.id;
}
const answer = (web: Web, id: string, more: Json = {}) =>
  web("PATCH", `/app/comments/${id}`, { answered: true, versionId: label.second, ...more });
const visitor = { authorId: null, authorName: "ada@studio.example" };
function sayAsVisitor(more: Partial<Parameters<typeof addLinkComment>[1]> = {}): string {
  app.clock.advance(1000);
  const { link: share, trackId } = label;
  return addLinkComment(app.deps, { share, trackId, versionId: undefined, text: "Hi", ...visitor, ...more })
    .id;
}
/** What each is told, newest first. */
const told = async (web: Web) =>
  (await web("GET", "/app/notifications")).body.data.map(({ kind, title }: Json) => [kind, title]);
const everyone = async () => {
  const { owner, bo, ana, guest } = label;
  return { owner: await told(owner), bo: await told(bo), ana: await told(ana), guest: await told(guest) };
};
const NOBODY = { owner: [], bo: [], ana: [], guest: [] };
const REPLY = ["comment.reply", "A reply to your note on Night Drive.wav"];

describe("a reply", () => {
  test("is told to the author of the note alone, once an hour of each who replies", async () => {
    const { ana, bo, owner, boId } = label;
    const notes = [await say(ana), await say(ana)];
    for (const parentId of notes) await say(bo, { parentId });

    expect(await everyone()).toEqual({ ...NOBODY, ana: [REPLY] });
    const [first] = (await ana("GET", "/app/notifications")).body.data;
    expect(first).toMatchObject({ entityKey: "track", entityId: label.trackId, by: { id: boId } });
    await say(owner, { parentId: notes[0] });
    app.clock.advance(HOUR_MS);
    await say(bo, { parentId: notes[0] });
    expect(await everyone()).toEqual({ ...NOBODY, ana: [REPLY, REPLY, REPLY] });
  });

  test("is not told to whoever wrote it, and to a guest who wrote the note", async () => {
    const { owner, guest } = label;
    await say(owner, { parentId: await say(owner) });
    await say(owner, { parentId: await say(guest) });

    expect(await everyone()).toEqual({ ...NOBODY, guest: [REPLY] });
  });

  test("of a visitor is told to the library, once an hour of a link and version, without a name", async () => {
    const parentId = sayAsVisitor();
    for (let count = 0; count < 3; count++) sayAsVisitor({ parentId });
    sayAsVisitor({ parentId, versionId: label.second });

    const replied = ["comment.reply", "A visitor replied to a note on Night Drive.wav"];
    const note = ["track.comment", "A visitor commented on Night Drive.wav"];
    const all = [replied, replied, note];
    expect(await everyone()).toEqual({ owner: all, bo: all, ana: all, guest: all });
  });
});

describe("an answer", () => {
  const answeredIn = (which: string) => ["comment.answered", `${which} answered in v2`];

  test("is told to the author of the note: of all in an hour at once, unread again", async () => {
    const { ana, bo } = label;
    const notes = [await say(ana), await say(ana), await say(bo)];
    for (const id of notes) await answer(bo, id);
    await answer(bo, notes[0] ?? "");

    expect(await everyone()).toEqual({
      ...NOBODY,
      ana: [answeredIn("2 of your notes on Night Drive.wav were")],
    });
    await ana("POST", "/app/notifications/read");
    app.clock.advance(1000);
    await answer(bo, await say(ana));
    const { data, unreadCount } = (await ana("GET", "/app/notifications")).body;
    expect([data.length, unreadCount, data[0].title]).toEqual([
      1,
      1,
      "3 of your notes on Night Drive.wav were answered in v2",
    ]);
  });

  test("of many at once is told to each author once", async () => {
    const { ana, bo, guest, owner, trackId, second } = label;
    for (const web of [ana, ana, bo, guest, owner]) await say(web);
    sayAsVisitor();
    await owner("POST", "/app/notifications/read");
    const before = await told(owner);

    await owner("POST", `/app/tracks/${trackId}/comments/answered`, { versionId: second });

    const one = answeredIn("Your note on Night Drive.wav was");
    const [first, ...rest] = [await told(ana), await told(bo), await told(guest)];
    expect(first?.[0]).toEqual(answeredIn("2 of your notes on Night Drive.wav were"));
    expect(rest.map(([newest]) => newest)).toEqual([one, one]);
    expect(await told(owner)).toEqual(before);
  });

  test("that a visitor is not content with is told to the library, in place of the reply", async () => {
    const { link: share, owner, bo } = label;
    const noteId = sayAsVisitor();
    await answer(bo, noteId);
    await owner("POST", "/app/notifications/read");

    const no = { share, noteId, answered: false, versionId: label.second, ...visitor };
    answerLinkNote(app.deps, { ...no, text: "Still too quiet" });
    answerLinkNote(app.deps, no);

    const [newest, ...older] = await told(owner);
    expect(newest).toEqual([
      "comment.reply",
      "A visitor says that a note on Night Drive.wav is still not right",
    ]);
    expect(older.map(([kind]: string[]) => kind)).toEqual(["track.comment"]);
    expect(JSON.stringify(app.deps.db.$client.query("SELECT title FROM notifications").all())).not.toContain(
      "@",
    );
  });
});

test("a note that is refused tells nobody, and leaves no event and no activity", async () => {
  const { owner, ana, trackId } = label;
  const note = await say(ana);
  const counts = () =>
    ["comments", "events", "activity", "notifications", "jobs"].map(
      (table) => (app.deps.db.$client.query(`SELECT count(*) AS n FROM ${table}`).get() as Json).n,
    );
  const before = counts();

  await owner("POST", `/app/tracks/${trackId}/comments`, { text: "x", parentId: note, positionSec: 1 });
  await owner("PATCH", `/app/comments/${note}`, {
    answered: true,
    place: { versionId: label.second, positionSec: 1e5 },
  });

  expect(counts()).toEqual(before);
});
