import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { analyses, commentPlaces, comments, members } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addGuest, addMember } from "../support/team.ts";
import { addTrackRows, addVersionRow, MEASURED } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let trackId: string;
let first: string;
let second: string;
let call: ReturnType<TestApp["signedIn"]>;
let byKey: ReturnType<TestApp["as"]>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
  byKey = app.as(app.createKey(accountId));
  const createdAt = app.clock.now();
  const measured = { integratedLufs: -9.4 };
  ({ id: trackId, versionId: first } = addTrackRows(app.deps.db, accountId, { createdAt, measured }));
  second = addVersion(1, { label: "v2" }, -12);
});

/** Adds a version; with a loudness, an analysed one of 100 s. */
function addVersion(versionOrder: number, columns: object, integratedLufs?: number): string {
  const { db, now } = app.deps;
  const id = addVersionRow(db, trackId, { versionOrder, createdAt: now(), ...columns });
  if (integratedLufs === undefined) return id;
  const bpmCandidates = [...MEASURED.bpmCandidates];
  const measured = { ...MEASURED, bpmCandidates, durationSec: 100, integratedLufs };
  const rest = { features: {}, embedded: {}, waveform: Buffer.alloc(0), trackId, versionId: id };
  db.insert(analyses)
    .values({ ...measured, ...rest })
    .run();
  return id;
}

type Note = { text?: string; positionSec?: number | null; versionId?: string };
/** Writes a note on the first version, or as it says. */
async function note({ text = "Kick", ...rest }: Note = {}): Promise<string> {
  app.clock.advance(1000);
  const sent = { text, positionSec: 10, versionId: first, ...rest };
  const { status, body } = await call("POST", `/app/tracks/${trackId}/comments`, sent);
  expect(status).toBe(200);
  return body.data.id;
}
const answer = (id: string, versionId = second) =>
  call("PATCH", `/app/comments/${id}`, { answered: true, versionId });
const carried = (commentId: string, atSec: number | null, how: "carried" | "about" | "gone" = "carried") =>
  app.deps.db.insert(commentPlaces).values({ commentId, versionId: second, atSec, endSec: null, how }).run();
const round = async (versionId = second): Promise<Json> => {
  const { status, body } = await call("GET", `/app/tracks/${trackId}/versions/${versionId}/round`);
  expect(status).toBe(200);
  return body.data;
};
const ids = ({ notes }: Json) => notes.map(({ id }: Json) => id);
const counts = ({ inherited, fresh, answered, open }: Json) => ({ inherited, fresh, answered, open });

describe("GET /app/tracks/{trackId}/versions/{versionId}/round", () => {
  test("has the notes of earlier versions and its own, and who approves it", async () => {
    const kick = await note({ text: "Kick" });
    const bass = await note({ text: "Bass", positionSec: 30 });
    await answer(bass);
    const own = await note({ text: "Hats", versionId: second, positionSec: 20 });
    await call("POST", `/app/tracks/${trackId}/comments`, { text: "Yes", parentId: kick });
    await call("PUT", `/app/tracks/${trackId}/versions/${second}/review`, { state: "changes", text: "Kick" });

    const { notes, reviews, ...rest } = await round();

    expect(rest).toEqual({
      versionId: second,
      label: "v2",
      previous: { id: first, label: "Original" },
      offsetMs: null,
      gainDb: 2.6,
      inherited: 2,
      fresh: 1,
      answered: 1,
      open: 2,
    });
    expect(ids({ notes })).toEqual([kick, own, bass]);
    expect(notes[0]).toMatchObject({ text: "Kick", replyCount: 1, place: { positionSec: 10, how: "about" } });
    expect(notes[1]).toMatchObject({ versionId: second, place: { positionSec: 20, how: "heard" } });
    expect(notes[2]).toMatchObject({ answeredIn: second });
    expect(reviews).toMatchObject([{ state: "changes", text: "Kick", by: { name: "Someone" } }]);
  });

  test("says the same as the version's own numbers", async () => {
    await answer(await note());
    await note();
    await note({ versionId: second });

    const { versions } = (await byKey("GET", `/tracks/${trackId}/versions`)).body.data;

    for (const { id, review } of versions) {
      const { answered, open, inherited, fresh } = await round(id);
      expect([review.answeredNotes, review.openNotes]).toEqual([answered, open]);
      expect(inherited + fresh).toBe(answered + open);
    }
  });

  test("shows notes in the order of their places in it, whatever their order before", async () => {
    const [late, early, cut] = [
      await note({ positionSec: 10 }),
      await note({ positionSec: 40 }),
      await note({ positionSec: 5 }),
    ];
    const whole = await note({ positionSec: null });
    carried(late, 60);
    carried(early, 20.5);
    carried(cut, null, "gone");

    const shown = await round();

    expect(ids(shown)).toEqual([whole, early, late, cut]);
    expect(shown.notes.map(({ place }: Json) => place)).toEqual([
      undefined,
      { positionSec: 20.5, endSec: null, how: "carried" },
      { positionSec: 60, endSec: null, how: "carried" },
      { positionSec: null, endSec: null, how: "gone" },
    ]);
    expect(counts(shown)).toEqual({ inherited: 4, fresh: 0, answered: 0, open: 4 });
    expect(ids(await round(first))).toEqual([whole, cut, late, early]);
  });

  test("leaves to a version what it answered: the next one inherits the rest", async () => {
    const third = addVersion(2, { visible: false });
    await answer(await note());
    const open = await note();
    const later = await note({ versionId: third });

    expect(counts(await round(third))).toEqual({ inherited: 1, fresh: 1, answered: 0, open: 2 });
    expect(ids(await round(third))).toEqual([open, later]);
    expect(counts(await round(second))).toEqual({ inherited: 2, fresh: 0, answered: 1, open: 1 });
    expect(counts(await round(first))).toEqual({ inherited: 0, fresh: 2, answered: 1, open: 1 });
    expect((await round(third)).previous).toEqual({ id: second, label: "v2" });
  });

  test("begins with nothing before it, and compares only what was analysed", async () => {
    const third = addVersion(2, {});

    expect(await round(first)).toMatchObject({
      previous: null,
      offsetMs: null,
      gainDb: null,
      label: "Original",
    });
    expect(await round(third)).toMatchObject({
      label: "Version 3",
      previous: { id: second },
      offsetMs: null,
      gainDb: null,
    });
  });

  test("keeps the notes of a deleted version, and goes with its own", async () => {
    const lost = await note({ versionId: second, text: "Snare" });
    app.clock.advance(1000);
    const third = addVersion(2, {});
    await call("PUT", `/app/tracks/${trackId}/versions/${second}/review`, { state: "approved" });

    await byKey("DELETE", `/tracks/${trackId}/versions/${second}`);

    expect((await round(third)).notes).toMatchObject([{ id: lost, versionId: null, versionLabel: "v2" }]);
    expect(await round(third)).toMatchObject({ previous: { id: first }, reviews: [] });
    const gone = await call("GET", `/app/tracks/${trackId}/versions/${second}/round`);
    expect([gone.status, gone.body.messageCode]).toEqual([404, "version_not_found"]);
  });

  test("forgets what is deleted, and opens what is opened again", async () => {
    const [one, other] = [await note(), await note()];
    await answer(one);
    await call("PATCH", `/app/comments/${one}`, { answered: false });
    await call("POST", `/app/tracks/${trackId}/comments`, { text: "Why?", parentId: other });

    await call("DELETE", `/app/comments/${other}`);

    expect(ids(await round())).toEqual([one]);
    expect(counts(await round())).toEqual({ inherited: 1, fresh: 0, answered: 0, open: 1 });
  });

  test("shows at most 500 notes, by place, and counts them all", async () => {
    const of = {
      trackId,
      versionId: first,
      authorId: accountId,
      authorName: "Ana",
      createdAt: app.clock.now(),
    };
    const many = Array.from({ length: 502 }, (_, index) => ({
      text: "Kick",
      positionSec: 100 - index / 10,
      ...of,
    }));
    app.deps.db
      .insert(comments)
      .values(many.map((row) => ({ id: newId("cmt"), ...row })))
      .run();

    const shown = await round();

    expect(shown.notes).toHaveLength(500);
    expect(shown.notes[0].positionSec).toBe(49.9);
    expect(counts(shown)).toEqual({ inherited: 502, fresh: 0, answered: 0, open: 502 });
  });

  test("needs read:comments, and finds nothing of another library or track", async () => {
    const path = `/tracks/${trackId}/versions/${second}/round`;
    const withoutScope = app.as(app.createKey(accountId, ["read:tracks", "create:comments"]));
    const other = app.signedIn(app.createAccount().token);
    const own = addTrackRows(app.deps.db, accountId);

    const refused = await withoutScope("GET", path);
    const foreign = await other("GET", `/app${path}`);
    const mixed = await call("GET", `/app/tracks/${own.id}/versions/${second}/round`);

    expect((await byKey("GET", path)).status).toBe(200);
    expect([refused.status, refused.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect([foreign.status, foreign.body.messageCode]).toEqual([404, "track_not_found"]);
    expect([mixed.status, mixed.body.messageCode]).toEqual([404, "version_not_found"]);
  });

  test("is open to a guest of a room with the track, and to none without", async () => {
    const make = async (trackIds: string[]) =>
      (await byKey("POST", "/playlists", { name: "Room", trackIds })).body.data.playlist.id;
    const guestOf = (room: string) => app.signedIn(addGuest(app, accountId, { [room]: {} }).token);
    const [inside, outside] = [
      guestOf(await make([trackId])),
      guestOf(await make([addTrackRows(app.deps.db, accountId).id])),
    ];
    const path = `/app/tracks/${trackId}/versions/${second}/round`;

    expect((await inside("GET", path)).status).toBe(200);
    expect((await outside("GET", path)).status).toBe(404);
  });

  test("calls somebody who has left as they were called", async () => {
    const { token, memberId } = addMember(app, accountId, { role: "artist" });
    await app.signedIn(token)("PUT", `/app/tracks/${trackId}/versions/${second}/review`, {
      state: "approved",
    });

    app.deps.db.delete(members).where(eq(members.id, memberId)).run();

    expect((await round()).reviews).toMatchObject([{ by: { name: "The artist" } }]);
  });
});
