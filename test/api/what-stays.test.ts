import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { commentPlaces, comments, reviews } from "../../db/schema.ts";
import { verifyDatabase } from "../../src/backup/verify-database.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

/** The lines of "What stays" in docs/review.md. */

let app: TestApp;
let accountId: string;
let owner: ReturnType<TestApp["signedIn"]>;
let trackId: string;
/** The version that was heard, the one that answers, and the one that plays. */
let [heard, answers, plays] = ["", "", ""];
let member: ReturnType<typeof addMember>;
let note: Json;

beforeEach(async () => {
  app = await createTestApp();
  const account = app.createAccount();
  accountId = account.accountId;
  owner = app.signedIn(account.token);
  member = addMember(app, accountId, { role: "producer" });
  const track = addTrackRows(app.deps.db, accountId, { measured: {} });
  trackId = track.id;
  plays = track.versionId;
  heard = addVersionRow(app.deps.db, trackId, { versionOrder: 1, label: "rough", sha256: "11".repeat(32) });
  answers = addVersionRow(app.deps.db, trackId, { versionOrder: 2, label: "fixed", sha256: "22".repeat(32) });
  const theirs = app.signedIn(member.token);
  note = (await theirs("POST", path(), { text: "Kick", positionSec: 4, versionId: heard })).body.data;
  await owner("POST", path(), { text: "Better?", parentId: note.id });
  await owner("PATCH", `/app/comments/${note.id}`, { answered: true, versionId: answers });
  for (const versionId of [heard, answers, plays]) {
    await theirs("PUT", `/app/tracks/${trackId}/versions/${versionId}/review`, { state: "approved" });
    if (versionId !== heard)
      await owner("PATCH", `/app/comments/${note.id}`, { place: { versionId, positionSec: 3 } });
  }
});
afterEach(() => app.close());

const path = () => `/app/tracks/${trackId}/comments`;
const rows = () => ({
  comments: app.deps.db.select().from(comments).all(),
  places: app.deps.db.select().from(commentPlaces).all(),
  reviews: app.deps.db.select().from(reviews).all(),
});
const listed = async (): Promise<Json[]> => (await owner("GET", path())).body.data;
const theNote = async (): Promise<Json> => (await listed()).find(({ id }) => id === note.id);
const deleteVersion = (id: string) => owner("DELETE", `/app/library/tracks/${trackId}/versions/${id}`);

describe("what was said of a mix", () => {
  test("stays when the version that was heard goes, with its name and its places; verdicts on it go", async () => {
    await deleteVersion(heard);

    expect(await theNote()).toMatchObject({
      versionId: null,
      versionLabel: "rough",
      answeredIn: answers,
      replyCount: 1,
    });
    expect(
      rows()
        .places.map(({ versionId }) => versionId)
        .sort(),
    ).toEqual([answers, plays].sort());
    expect(rows().reviews.map(({ versionId }) => versionId)).toEqual([answers, plays]);
  });

  test("stays answered when the version that answers it goes, by no version; its place in it goes", async () => {
    await deleteVersion(answers);

    expect(await theNote()).toMatchObject({
      versionId: heard,
      answeredIn: null,
      answeredBy: { name: "Someone" },
    });
    expect((await theNote()).answeredAt).not.toBeNull();
    expect(rows().places.map(({ versionId }) => versionId)).toEqual([plays]);
    expect(rows().reviews.map(({ versionId }) => versionId)).toEqual([heard, plays]);
  });

  test("is hidden while the track is in the bin, and gone with it for good", async () => {
    const before = await listed();
    await owner("DELETE", `/app/tracks/${trackId}`);
    const inBin = await owner("GET", path());
    await owner("POST", `/app/tracks/${trackId}/restore`);
    const back = await listed();
    await owner("DELETE", `/app/tracks/${trackId}`);
    await owner("DELETE", `/app/tracks/deleted/${trackId}`);

    expect([inBin.status, back]).toEqual([404, before]);
    expect(rows()).toEqual({ comments: [], places: [], reviews: [] });
  });

  test("stays when the link ends through which it was said", async () => {
    const { body } = await owner("POST", "/app/shares", { trackId, recipient: "Bo", allowReview: true });
    const said = { trackId, authorName: "Bo", createdAt: 1, shareId: body.data.id };
    app.deps.db
      .insert(comments)
      .values({ ...said, id: "cmt_link", text: "Through it" })
      .run();
    const review = { trackId, versionId: plays, name: "Bo", state: "approved" as const, at: 1 };
    app.deps.db
      .insert(reviews)
      .values({ ...review, id: "rev_link", shareId: body.data.id })
      .run();

    await owner("DELETE", `/app/shares/${body.data.id}`);

    expect((await listed()).find(({ id }) => id === "cmt_link")).toMatchObject({
      author: { id: null, name: "Bo" },
    });
    const round = await owner("GET", `/app/tracks/${trackId}/versions/${plays}/round`);
    expect(round.body.data.reviews.map(({ by }: Json) => by.name)).toContain("Bo");
  });

  test("stays under the name of a member who leaves, and so do their verdicts", async () => {
    const before = rows();
    await owner("DELETE", `/app/team/members/${member.memberId}`, {});

    expect((await theNote()).author.name).toBe("The producer");
    expect(rows().reviews).toEqual(before.reviews);
    expect(rows().places).toEqual(before.places);
  });

  test("loses its text when its author deletes it, and keeps its replies; who may delete all takes them too", async () => {
    await app.signedIn(member.token)("DELETE", `/app/comments/${note.id}`);
    const deleted = await theNote();
    const [text, replies, places] = [deleted.text, deleted.replyCount, rows().places.length];
    await owner("DELETE", `/app/comments/${note.id}`);

    expect(JSON.stringify([text, deleted])).not.toContain("Kick");
    expect([replies, places, deleted.deletedAt !== null]).toEqual([1, 0, true]);
    expect(await listed()).toEqual([]);
  });

  test("leaves the library sound, whatever goes", async () => {
    await app.signedIn(member.token)("DELETE", `/app/comments/${note.id}`);
    await deleteVersion(heard);
    await deleteVersion(answers);
    const found: { kind: string; detail: string }[] = [];

    verifyDatabase(app.deps.db, (finding) => {
      // The track was added as rows alone.
      if (!/full-text/.test(finding.detail)) found.push(finding);
    });

    expect(found).toEqual([]);
  });
});
