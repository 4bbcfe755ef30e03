import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addGuest, addMember } from "../support/team.ts";
import { addMeasuredRow, addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
let label: ReturnType<typeof createLabel>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  label = createLabel();
});

type Web = ReturnType<TestApp["signedIn"]>;

/** A label with a track of two versions, its owner, the producer Bo, who may change tracks, and the artist Ana, who may not. */
function createLabel() {
  const { accountId, token } = app.createAccount();
  const { db } = app.deps;
  const track = addTrackRows(db, accountId, { durationSec: 187.25, measured: {}, title: "Night Drive" });
  const second = addVersionRow(db, track.id, { versionOrder: 1, label: "v2" });
  addMeasuredRow(db, track.id, second, { durationSec: 180 });
  const [bo, ana] = [
    addMember(app, accountId, { role: "producer" }),
    addMember(app, accountId, { role: "artist" }),
  ];
  return {
    accountId,
    ownerId: accountId,
    trackId: track.id,
    first: track.versionId,
    second,
    web: app.signedIn(token),
    key: app.as(app.createKey(accountId)),
    bo: { id: bo.personId, web: app.signedIn(bo.token) },
    ana: { id: ana.personId, web: app.signedIn(ana.token) },
  };
}

/** Says something on the track a second after what was said before. */
async function say(web: Web, body: Json = {}): Promise<Json> {
  app.clock.advance(1000);
  const said = { text: "Louder", positionSec: 10, ...body };
  return (await web("POST", `/app/tracks/${label.trackId}/comments`, said)).body.data;
}
const change = (web: Web, id: string, body: Json) => web("PATCH", `/app/comments/${id}`, body);
const asItIs = async (id: string) =>
  (await label.web("GET", `/app/tracks/${label.trackId}/comments`)).body.data.find(
    (each: Json) => each.id === id,
  );
const refused = (status: number, messageCode: string) => ({ status, body: { messageCode } });

describe("a note", () => {
  test("is answered by the active version, or by the one that is named, and opened again", async () => {
    const { web, second, first, ownerId } = label;
    const note = await say(web);
    const at = new Date(app.clock.now()).toISOString();

    const answered = await change(web, note.id, { answered: true });
    const reopened = await change(web, note.id, { answered: false });
    const inSecond = await change(web, note.id, { answered: true, versionId: second });

    const by = { answeredAt: at, answeredBy: { id: ownerId, name: "Someone" } };
    expect(answered.body.data).toEqual({ ...note, ...by, answeredIn: first });
    expect(reopened.body.data).toEqual(note);
    expect(inSecond.body.data).toEqual({ ...note, ...by, answeredIn: second });
    expect(await asItIs(note.id)).toEqual(inSecond.body.data);
  });

  test("that is answered twice stays as the first one answered it, and an open one stays open", async () => {
    const { bo, web, second } = label;
    const note = await say(web);
    const still = await change(web, note.id, { answered: false });
    const first = await change(bo.web, note.id, { answered: true });
    app.clock.advance(5000);

    const again = await change(web, note.id, { answered: true, versionId: second });

    expect(still.body.data).toEqual(note);
    expect(first.body.data.answeredBy).toMatchObject({ id: bo.id });
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
  });

  test("keeps its answer when the version that answers it is deleted", async () => {
    const { web, key, second, trackId } = label;
    const note = await say(web);
    await change(web, note.id, { answered: true, versionId: second });

    await key("DELETE", `/tracks/${trackId}/versions/${second}`);

    expect(await asItIs(note.id)).toMatchObject({ answeredAt: expect.any(String), answeredIn: null });
  });

  test("is answered by a key in the name of the library's owner", async () => {
    const note = await say(label.bo.web);

    const { body } = await label.key("PATCH", `/comments/${note.id}`, { answered: true });

    expect(body.data.answeredBy).toEqual({ id: label.ownerId, name: "Someone" });
  });
});

describe("who may answer and place a note:", () => {
  test("its author, and whoever may change tracks", async () => {
    const { ana, bo } = label;
    const [hers, his] = [await say(ana.web), await say(bo.web)];

    for (const body of [{ answered: true }, { answered: false }]) {
      expect((await change(ana.web, hers.id, body)).status).toBe(200);
      expect((await change(bo.web, hers.id, body)).status).toBe(200);
      expect(await change(ana.web, his.id, body)).toMatchObject(refused(403, "insufficient_scope"));
    }
    const place = { versionId: label.second, positionSec: 1 };
    expect((await change(ana.web, hers.id, { place })).status).toBe(200);
    expect(await change(ana.web, his.id, { place })).toMatchObject(refused(403, "insufficient_scope"));
    expect(await asItIs(his.id)).toEqual(his);
  });

  test("a guest only their own notes, as long as the track is in a room of theirs", async () => {
    const { key, trackId, web, accountId } = label;
    const made = await key("POST", "/playlists", { name: "Room", trackIds: [trackId] });
    const room: string = made.body.data.playlist.id;
    const guest = app.signedIn(addGuest(app, accountId, { [room]: { role: "artist" } }).token);
    const [theirs, owners] = [await say(guest), await say(web)];

    expect((await change(guest, theirs.id, { answered: true })).status).toBe(200);
    expect(await change(guest, owners.id, { answered: true })).toMatchObject(
      refused(403, "insufficient_scope"),
    );
    await key("DELETE", `/playlists/${room}/tracks/${trackId}`);
    expect(await change(guest, theirs.id, { answered: false })).toMatchObject(
      refused(404, "comment_not_found"),
    );
  });

  test("nobody of another library, and not even that it is there", async () => {
    const note = await say(label.web);
    const stranger = app.signedIn(app.createAccount().token);

    const foreign = await change(stranger, note.id, { answered: true });
    const none = await change(stranger, "cmt_none", { answered: true });

    expect(foreign).toMatchObject(refused(404, "comment_not_found"));
    expect(foreign.body).toEqual(none.body);
    await label.web("DELETE", `/app/tracks/${label.trackId}`);
    expect(await change(label.web, note.id, { answered: true })).toMatchObject(
      refused(404, "comment_not_found"),
    );
  });
});

describe("a place by hand", () => {
  const placesOf = async (versionId: string) =>
    (await label.web("GET", `/app/tracks/${label.trackId}/comments?versionId=${versionId}`)).body.data.map(
      ({ place }: Json) => place,
    );

  test("is where the note belongs in another version, as long as the note unless an end is said", async () => {
    const { web, second, first } = label;
    const note = await say(web, { positionSec: 10, endSec: 14 });
    const put = async (place: Json) =>
      (await change(web, note.id, { place: { versionId: second, ...place } })).body.data.place;

    expect(await put({ positionSec: 20 })).toEqual({ positionSec: 20, endSec: 24, how: "placed" });
    expect(await put({ positionSec: 178 })).toEqual({ positionSec: 178, endSec: 180, how: "placed" });
    expect(await put({ positionSec: 180 })).toEqual({ positionSec: 180, endSec: null, how: "placed" });
    expect(await put({ positionSec: 30, endSec: null })).toMatchObject({ positionSec: 30, endSec: null });
    expect(await put({ positionSec: 30, endSec: 31 })).toMatchObject({ positionSec: 30, endSec: 31 });
    expect(await placesOf(second)).toEqual([{ positionSec: 30, endSec: 31, how: "placed" }]);
    expect(await placesOf(first)).toEqual([{ positionSec: 10, endSec: 14, how: "heard" }]);
    expect(await asItIs(note.id)).toEqual(note);
  });

  test.each<[string, (versions: { first: string; second: string }) => Json, string]>([
    ["behind the end", ({ second }) => ({ versionId: second, positionSec: 181 }), "place.positionSec"],
    [
      "of a range that ends behind the end",
      ({ second }) => ({ versionId: second, positionSec: 1, endSec: 181 }),
      "place.endSec",
    ],
    [
      "of a range that is too short",
      ({ second }) => ({ versionId: second, positionSec: 1, endSec: 1.05 }),
      "place.endSec",
    ],
    ["without a second", ({ second }) => ({ versionId: second }), "place.positionSec"],
    [
      "in the version that was heard",
      ({ first }) => ({ versionId: first, positionSec: 1 }),
      "place.versionId",
    ],
  ])("%s is refused", async (_, placeOf, field) => {
    const note = await say(label.web);

    const answer = await change(label.web, note.id, { answered: true, place: placeOf(label) });

    expect(answer).toMatchObject(refused(400, "validation_failed"));
    expect(answer.body.data.errors[0].path).toBe(field);
    expect(await asItIs(note.id)).toEqual(note);
  });

  test("in a version of another track, or of a note on the whole track, is refused", async () => {
    const other = addTrackRows(app.deps.db, label.accountId).versionId;
    const [note, whole] = [await say(label.web), await say(label.web, { positionSec: null })];

    const elsewhere = await change(label.web, note.id, { place: { versionId: other, positionSec: 1 } });
    const nowhere = await change(label.web, whole.id, {
      place: { versionId: label.second, positionSec: 1 },
    });

    expect(elsewhere).toMatchObject(refused(404, "version_not_found"));
    expect(nowhere).toMatchObject(refused(400, "validation_failed"));
  });
});

describe("a change that is refused:", () => {
  test.each([
    ["nothing", {}],
    ["another text", { text: "New" }],
    ["a version without an answer", { versionId: "ver_x" }],
    ["a version that opens it", { answered: false, versionId: "ver_x" }],
    ["an answer in words", { answered: "yes" }],
  ])("%s", async (_, body) => {
    const note = await say(label.web);

    expect(await change(label.web, note.id, body)).toMatchObject(refused(400, "validation_failed"));
    expect(await asItIs(note.id)).toEqual(note);
  });

  test("a version of another track", async () => {
    const other = addTrackRows(app.deps.db, label.accountId).versionId;
    const note = await say(label.web);

    expect(await change(label.web, note.id, { answered: true, versionId: other })).toMatchObject(
      refused(404, "version_not_found"),
    );
    expect(await asItIs(note.id)).toEqual(note);
  });

  test("of a reply, which is neither open nor answered", async () => {
    const note = await say(label.web);
    const reply = await say(label.web, { parentId: note.id, positionSec: null });

    expect(await change(label.web, reply.id, { answered: true })).toMatchObject(refused(409, "note_closed"));
  });
});
