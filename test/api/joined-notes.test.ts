import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { commentPlaces, comments, type PersonId, reviews } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
let accountId: string;
let call: ReturnType<TestApp["signedIn"]>;
/** The track that stays, and the one that becomes versions of it. */
let [stays, goes] = [
  { id: "", versionId: "" },
  { id: "", versionId: "" },
];
let second: string;

const measured = { features: {}, durationSec: 60 };
beforeEach(async () => {
  app = await createTestApp();
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
  stays = addTrackRows(app.deps.db, accountId, { title: "Halo", measured });
  goes = addTrackRows(app.deps.db, accountId, { title: "Halo mix 2", measured });
  second = addVersionRow(app.deps.db, goes.id, { versionOrder: 1, label: "louder" });
  app.deps.db.$client.run("UPDATE versions SET sha256 = lower(hex(id))"); // each has bytes of its own
  app.deps.db.$client.run("UPDATE tracks SET next_version_order = 9");
});
afterEach(() => app.close());

type Comment = typeof comments.$inferInsert;
function note(columns: Partial<Comment> = {}): string {
  const id = newId("cmt");
  app.deps.db
    .insert(comments)
    .values({
      ...{ id, trackId: goes.id, authorName: "Bo", text: "Kick", createdAt: 1, positionSec: 4 },
      ...{ versionId: goes.versionId, heardLabel: "Original", ...columns },
    })
    .run();
  return id;
}

const commentsOf = async (trackId: string, query = ""): Promise<Json[]> =>
  (await call("GET", `/app/tracks/${trackId}/comments?limit=100${query}`)).body.data;
const join = async (): Promise<Json> =>
  (await call("POST", `/app/tracks/${stays.id}/join`, { trackId: goes.id, activate: false })).body.data;
const review = (columns: Partial<typeof reviews.$inferInsert>) =>
  app.deps.db
    .insert(reviews)
    .values({
      ...{ id: newId("rev"), trackId: goes.id, versionId: second, name: "Bo", state: "approved", at: 5 },
      ...columns,
    })
    .run();

describe("two tracks that are joined", () => {
  test("have the notes of both: each on the mix on which it was made, with replies, answers and places", async () => {
    const first = note({ createdAt: 1, resolvedAt: 9, resolvedName: "Ana", resolvedIn: second });
    const reply = note({ parentId: first, positionSec: null, text: "Better?", createdAt: 2 });
    note({ createdAt: 3, text: "Loud", versionId: second, heardLabel: "louder", endSec: 6 });
    app.deps.db
      .insert(commentPlaces)
      .values({ commentId: first, versionId: second, atSec: 3, how: "placed" })
      .run();
    await call("POST", `/app/tracks/${stays.id}/comments`, { text: "Ours", positionSec: 1 });

    const { versionIds } = await join();

    const [one, other] = versionIds;
    const listed = await commentsOf(stays.id, `&versionId=${other}`);
    expect(
      listed.map(({ text, versionId, answeredIn, place }) => [text, versionId, answeredIn, place?.how]),
    ).toEqual([
      ["Ours", stays.versionId, null, "about"],
      ["Loud", other, null, "heard"],
      ["Better?", one, null, undefined],
      ["Kick", one, other, "placed"],
    ]);
    expect(listed[2]?.parentId).toBe(listed[3]?.id);
    expect(listed[3]).toMatchObject({
      replyCount: 1,
      answeredBy: { id: null, name: "Ana" },
      trackId: stays.id,
    });
    expect(listed.map(({ id }) => id)).not.toContain(first);
    expect(listed.map(({ id }) => id)).not.toContain(reply);
  });

  test("have what was said of the versions, and nothing twice of the same bytes", async () => {
    const personId = accountId as PersonId;
    const same = addVersionRow(app.deps.db, stays.id, { versionOrder: 1, sha256: "ab".repeat(32) });
    const twin = addVersionRow(app.deps.db, goes.id, { versionOrder: 2, sha256: "ab".repeat(32) });
    review({ personId });
    review({ personId, versionId: twin, state: "changes" });
    review({ personId, trackId: stays.id, versionId: same });

    const { versionIds } = await join();

    const rows = app.deps.db.select().from(reviews).all();
    const ofStays = rows.filter(({ trackId }) => trackId === stays.id);
    expect(ofStays.map(({ versionId, state }) => [versionId, state])).toEqual([
      [same, "approved"],
      [versionIds[1], "approved"],
    ]);
  });

  test("keep what a link said under its name, and show it through no link", async () => {
    const link = (
      await call("POST", "/app/shares", { trackId: goes.id, allowComments: true, recipient: "Bo" })
    ).body.data;
    note({ shareId: link.id, visit: "visit-of-bo" });

    await join();

    expect(await commentsOf(stays.id)).toMatchObject([
      { text: "Kick", shareId: null, author: { name: "Bo" } },
    ]);
    expect((await app.request(new URL(link.url).pathname)).status).toBe(410);
    await call("POST", `/app/tracks/${goes.id}/restore`);
    const shown = await (await app.request(new URL(link.url).pathname)).text();
    expect(shown.split("Kick").length - 1).toBe((await commentsOf(goes.id)).length);
  });

  test("are separated with the notes of each, but for copies that somebody has replied to", async () => {
    const [kept, gone] = [note({ text: "Kept", createdAt: 1 }), note({ text: "Gone", createdAt: 2 })];
    note({ parentId: gone, positionSec: null, text: "Old reply", createdAt: 3 });
    review({ personId: accountId as PersonId });
    const { undoId } = await join();
    const [copy] = (await commentsOf(stays.id)).filter(({ text }) => text === "Kept");
    await call("POST", `/app/tracks/${stays.id}/comments`, { text: "New reply", parentId: copy.id });

    const undone = await call("POST", `/app/undo/${undoId}`);

    expect(undone.status).toBe(200);
    const left = await commentsOf(stays.id);
    expect(left.map(({ text, versionId, versionLabel }) => [text, versionId, versionLabel])).toEqual([
      ["New reply", stays.versionId, "Original"],
      ["Kept", null, "Original"],
    ]);
    const back = await commentsOf(goes.id);
    expect(back.map(({ text }) => text)).toEqual(["Old reply", "Gone", "Kept"]);
    expect(back.map(({ id }) => id)).toContain(kept);
    expect(app.deps.db.select().from(reviews).all()).toMatchObject([{ trackId: goes.id, versionId: second }]);
  });
});
