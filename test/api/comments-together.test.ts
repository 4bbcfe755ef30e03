import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { comments } from "../../db/schema.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addGuest, addMember } from "../support/team.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

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
  const { id: trackId, versionId: first } = addTrackRows(db, accountId, { durationSec: 180, measured: {} });
  const second = addVersionRow(db, trackId, { versionOrder: 1, label: "v2" });
  const member = (role: "producer" | "artist") => {
    const { personId, token: session, memberId } = addMember(app, accountId, { role });
    return { personId, memberId, web: app.signedIn(session) };
  };
  const key = app.as(app.createKey(accountId));
  const [bo, ana] = [member("producer"), member("artist")];
  return { accountId, trackId, first, second, web: app.signedIn(token), key, bo, ana };
}

const path = () => `/app/tracks/${label.trackId}/comments`;
async function say(web: Web, text: string, more: Json = {}): Promise<string> {
  app.clock.advance(1000);
  return (await web("POST", path(), { text, ...more })).body.data.id;
}
const answer = (web: Web, body: Json = {}) => web("POST", `${path()}/answered`, body);
const undo = (web: Web, undoId: string) => web("POST", `/app/undo/${undoId}`);
const texts = async (query: string): Promise<string[]> =>
  (await label.web("GET", `${path()}?${query}`)).body.data.map(({ text }: Json) => text).sort();
const refused = (status: number, messageCode: string) => ({ status, body: { messageCode } });

describe("notes that are answered together", () => {
  test("are all open ones, and are open again after an undo", async () => {
    const { web, bo, ana, first } = label;
    await say(ana.web, "a");
    const b = await say(bo.web, "b");
    await say(web, "reply", { parentId: b });
    await web("PATCH", `/app/comments/${b}`, { answered: true });

    await say(web, "c");
    const { body } = await answer(bo.web);
    const answered = await texts("state=answered");
    const undone = await undo(bo.web, body.data.undoId);

    expect(body.data).toEqual({ answered: 2, undoId: expect.stringMatching(/^undo_/) });
    expect(answered).toEqual(["a", "b", "c"]);
    expect(undone.body.data).toEqual({ undone: 2, failed: [] });
    expect([await texts("state=open"), await texts("state=answered")]).toEqual([["a", "c"], ["b"]]);
    expect(await undo(bo.web, body.data.undoId)).toMatchObject(refused(404, "undo_not_found"));
    expect((await answer(web, { ids: [b] })).body.data).toEqual({ answered: 0, undoId: null });
    const versions = (await web("GET", `${path()}?state=answered`)).body.data;
    expect(versions[0]).toMatchObject({ answeredIn: first, answeredBy: { id: label.accountId } });
  });

  test("may be named, with the version that answers them, by session and key", async () => {
    const { web, key, trackId, second } = label;
    const [a, b] = [await say(web, "a"), await say(web, "b")];
    await say(web, "c");

    const bySession = await answer(web, { ids: [a, a], versionId: second });
    const byKey = await key("POST", `/tracks/${trackId}/comments/answered`, { ids: [b] });
    const undone = await key("POST", `/bulk/${byKey.body.data.undoId}/undo`);

    expect([bySession.body.data.answered, byKey.body.data.answered]).toEqual([1, 1]);
    expect((await web("GET", `${path()}?state=answered`)).body.data).toMatchObject([
      { id: a, answeredIn: second },
    ]);
    expect(undone.body.data).toMatchObject({ undone: 1 });
  });

  test("are one's own where the role may not change tracks, and somebody else's are refused whole", async () => {
    const { ana, bo } = label;
    const [hers, his] = [await say(ana.web, "hers"), await say(bo.web, "his")];

    expect(await answer(ana.web, { ids: [hers, his] })).toMatchObject(refused(403, "insufficient_scope"));
    expect(await texts("state=open")).toEqual(["hers", "his"]);
    const { undoId } = (await answer(ana.web)).body.data;
    expect(await texts("state=answered")).toEqual(["hers"]);
    expect(await undo(bo.web, undoId)).toMatchObject(refused(404, "undo_not_found"));
    expect((await undo(ana.web, undoId)).status).toBe(200);
    expect(await texts("state=open")).toEqual(["hers", "his"]);
  });

  test.each<[string, () => Promise<Json>, [number, string]]>([
    ["no ids", async () => ({ ids: [] }), [400, "validation_failed"]],
    ["an unknown note", async () => ({ ids: [await say(label.web, "n"), "x"] }), [404, "comment_not_found"]],
    [
      "a note of another track",
      async () => {
        const { id } = addTrackRows(app.deps.db, label.accountId);
        return { ids: [(await label.web("POST", `/app/tracks/${id}/comments`, { text: "x" })).body.data.id] };
      },
      [404, "comment_not_found"],
    ],
    [
      "a reply",
      async () => ({ ids: [await say(label.web, "r", { parentId: await say(label.web, "n") })] }),
      [409, "note_closed"],
    ],
    ["a version of another track", async () => ({ versionId: "ver_x" }), [404, "version_not_found"]],
  ])("are refused with %s, and nothing is answered", async (_, bodyOf, [status, code]) => {
    expect(await answer(label.web, await bodyOf())).toMatchObject(refused(status, code));
    expect(await texts("state=answered")).toEqual([]);
  });

  test("are not opened again where somebody has changed them since", async () => {
    const { web, bo } = label;
    const [a, b] = [await say(web, "a"), await say(web, "b")];
    await say(web, "c");
    const { undoId } = (await answer(bo.web)).body.data;
    app.clock.advance(1000);
    const change = (id: string, answered: boolean) => web("PATCH", `/app/comments/${id}`, { answered });
    await change(a, false);
    for (const answered of [false, true]) await change(b, answered);

    const undone = await undo(bo.web, undoId);

    expect(undone.body.data).toEqual({ undone: 1, failed: [] });
    expect([await texts("state=open"), await texts("state=answered")]).toEqual([["a", "c"], ["b"]]);
    const again = (await answer(bo.web)).body.data.undoId;
    app.clock.advance(1000);
    for (const { id } of (await web("GET", path())).body.data) await change(id, false);
    expect(await undo(bo.web, again)).toMatchObject(refused(409, "changed_since"));
  });

  test("stay answered after ten minutes, and when their track is gone or the role is a smaller one", async () => {
    const { web, bo, ana, trackId } = label;
    await say(ana.web, "a");
    const first = (await answer(bo.web)).body.data.undoId;
    app.deps.db.$client.run("UPDATE members SET role = 'artist' WHERE id = ?", [bo.memberId]);
    expect(await undo(bo.web, first)).toMatchObject(refused(403, "insufficient_scope"));
    app.deps.db.$client.run("UPDATE members SET role = 'producer' WHERE id = ?", [bo.memberId]);
    await web("DELETE", `/app/tracks/${trackId}`);
    expect(await undo(bo.web, first)).toMatchObject(refused(404, "track_not_found"));
    await web("POST", `/app/tracks/${trackId}/restore`);
    app.clock.advance(10 * MINUTE_MS);
    expect(await undo(bo.web, first)).toMatchObject(refused(404, "undo_not_found"));
    expect(await texts("state=answered")).toEqual(["a"]);
  });

  test("are a guest's own, who may undo it while the track is in their room", async () => {
    const { key, trackId, accountId, web } = label;
    const made = await key("POST", "/playlists", { name: "Room", trackIds: [trackId] });
    const room: string = made.body.data.playlist.id;
    const guest = app.signedIn(addGuest(app, accountId, { [room]: { role: "listener" } }).token);
    await say(web, "owner's");
    await say(guest, "guest's");

    const { undoId } = (await answer(guest)).body.data;
    expect(await texts("state=answered")).toEqual(["guest's"]);
    expect((await undo(guest, undoId)).body.data.undone).toBe(1);
    const again = (await answer(guest)).body.data.undoId;
    await key("DELETE", `/playlists/${room}/tracks/${trackId}`);
    expect(await undo(guest, again)).toMatchObject(refused(404, "undo_not_found"));
  });
});

describe("a note that is deleted", () => {
  const remove = (web: Web, id: string) => web("DELETE", `/app/comments/${id}`);
  const found = async (words: string) => {
    const answered = await label.web("GET", `/app/search/suggest?q=${words}`);
    return JSON.stringify(answered.body);
  };

  test("by its author keeps the replies of others, and nothing of what it said", async () => {
    const { ana, bo, web, trackId, second } = label;
    const note = await say(ana.web, "Zanzibarian remark", { positionSec: 4 });
    const reply = await say(bo.web, "Really?", { parentId: note });
    const place = { versionId: second, positionSec: 5 };
    await ana.web("PATCH", `/app/comments/${note}`, { place });
    app.clock.advance(1000);
    const deletedAt = new Date(app.clock.now()).toISOString();

    expect((await remove(ana.web, note)).status).toBe(200);

    expect((await web("GET", `${path()}?versionId=${second}`)).body.data).toMatchObject([
      { id: reply, text: "Really?", deletedAt: null },
      { id: note, text: "", deletedAt, replyCount: 1 },
    ]);
    const [, deleted] = (await web("GET", `${path()}?versionId=${second}`)).body.data;
    expect(deleted).not.toHaveProperty("place");
    expect(await texts("state=open")).toEqual([]);
    const round = await web("GET", `/app/tracks/${trackId}/versions/${label.first}/round`);
    expect(round.body.data.open).toBe(0);
    for (const table of [
      "comments",
      "library_names",
      "notifications",
      "undo_steps",
      "account_changes",
      "events",
    ])
      expect(JSON.stringify(app.deps.db.$client.query(`SELECT * FROM ${table}`).all())).not.toContain(
        "Zanzibarian",
      );
    expect(await found("Zanzibarian")).not.toContain(note);
    const again = [
      await remove(ana.web, note),
      await ana.web("PATCH", `/app/comments/${note}`, { answered: true }),
    ];
    expect(again.map(({ body }) => body.messageCode)).toEqual(["comment_not_found", "note_closed"]);
  });

  test("by its author goes with its last reply, and at once when it has none", async () => {
    const { ana, bo } = label;
    const [note, other] = [await say(ana.web, "note"), await say(ana.web, "other")];
    const replies = [await say(bo.web, "1", { parentId: note }), await say(ana.web, "2", { parentId: note })];
    for (const id of [note, other]) await remove(ana.web, id);

    await remove(bo.web, replies[0] ?? "");
    const left = await texts("");
    await remove(ana.web, replies[1] ?? "");

    expect([left, await texts("")]).toEqual([["", "2"], []]);
  });

  test("by whoever may delete anybody's goes whole, also when its author deleted it before", async () => {
    const { ana, bo, web } = label;
    const notes = [await say(ana.web, "a"), await say(ana.web, "b")];
    for (const parentId of notes) await say(bo.web, "reply", { parentId });
    await remove(ana.web, notes[0] ?? "");

    for (const id of notes) expect((await remove(web, id)).status).toBe(200);

    expect(await texts("")).toEqual([]);
    expect(
      app.deps.db
        .select()
        .from(comments)
        .all()
        .filter(({ trackId }) => trackId === label.trackId),
    ).toEqual([]);
  });

  test("is never somebody else's for who may not", async () => {
    const { ana, bo } = label;
    const note = await say(bo.web, "his");

    expect(await remove(ana.web, note)).toMatchObject(refused(404, "comment_not_found"));
    expect(await texts("")).toEqual(["his"]);
  });
});
