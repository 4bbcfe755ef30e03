import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { comments, type LibraryId, type PersonId } from "../../db/schema.ts";
import { DomainError } from "../../src/kernel/errors.ts";
import { newId } from "../../src/kernel/ids.ts";
import { addLinkComment, answerLinkNote } from "../../src/modules/sharing/comments/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMeasuredRow, addTrackRows, addVersionRow } from "../support/track-rows.ts";

let app: TestApp;
let label: Awaited<ReturnType<typeof createLabel>>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  label = await createLabel();
});

/** A track of two versions, of which the first plays, and two links to it. */
async function createLabel() {
  const { accountId, token } = app.createAccount();
  const { db } = app.deps;
  const track = addTrackRows(db, accountId, { durationSec: 187.25, measured: {} });
  const second = addVersionRow(db, track.id, { versionOrder: 1, label: "v2" });
  addMeasuredRow(db, track.id, second, { durationSec: 60 });
  const web = app.signedIn(token);
  const share = async () => {
    const { body } = await web("POST", "/app/shares", { trackId: track.id, allowComments: true });
    return {
      id: body.data.id as string,
      ownerId: accountId as LibraryId,
      entity: "track" as const,
      entityId: track.id,
    };
  };
  const links = { bo: await share(), ana: await share() };
  return { accountId, web, trackId: track.id, first: track.versionId, second, ...links };
}

type Said = Partial<Parameters<typeof addLinkComment>[1]>;
/** Says something through Bo's link, as its page does. */
function say(said: Said = {}) {
  app.clock.advance(1000);
  const visitor = { authorId: null, authorName: "Bo", visit: "visit-1" };
  return addLinkComment(app.deps, {
    ...{ share: label.bo, trackId: label.trackId, versionId: label.first, text: "Louder", ...visitor },
    ...said,
  });
}
type Answered = Partial<Parameters<typeof answerLinkNote>[1]>;
const answer = (noteId: string, answered: boolean, more: Answered = {}) =>
  answerLinkNote(app.deps, {
    ...{ share: label.bo, noteId, answered, versionId: label.second, authorId: null, authorName: "Bo" },
    ...more,
  });
const listed = async (query = ""): Promise<Json[]> =>
  (await label.web("GET", `/app/tracks/${label.trackId}/comments${query}`)).body.data;
function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return "nothing";
}

describe("through a link", () => {
  test("a range and a reply are said, by the visit that said them", async () => {
    const note = say({ positionSec: 4, endSec: 6 });
    const reply = say({ parentId: note.id, text: "Much" });

    expect(note).toMatchObject({ positionSec: 4, endSec: 6, shareId: label.bo.id, versionId: label.first });
    expect(reply).toMatchObject({ parentId: note.id, positionSec: null, shareId: label.bo.id });
    expect((await listed()).map(({ id }) => id)).toEqual([reply.id, note.id]);
    const visits = app.deps.db.select({ visit: comments.visit }).from(comments).all();
    expect(visits.filter(({ visit }) => visit === "visit-1").length).toBe(2);
  });

  test("only a note of this link is replied to and answered", async () => {
    const own = say();
    const others = say({ share: label.ana });
    const body = { text: "Of the library" };
    const library = (await label.web("POST", `/app/tracks/${label.trackId}/comments`, body)).body.data;
    const reply = say({ parentId: own.id });

    for (const { id } of [others, library, { id: "cmt_none" }]) {
      expect(codeOf(() => say({ parentId: id }))).toBe("comment_not_found");
      expect(codeOf(() => answer(id, true))).toBe("comment_not_found");
    }
    expect(codeOf(() => say({ parentId: reply.id }))).toBe("note_closed");
    expect(codeOf(() => answer(reply.id, true))).toBe("note_closed");
    expect(codeOf(() => say({ parentId: own.id, positionSec: 1 }))).toBe("validation_failed");
    expect((await listed("?state=answered")).length).toBe(0);
  });

  test("what was heard in a version that is gone is about the active one, not past its end", async () => {
    await label.web("POST", `/app/library/tracks/${label.trackId}/versions/${label.second}/activate`);
    const note = say({ versionId: "ver_gone", positionSec: 100, endSec: 110 });

    expect(note).toMatchObject({ versionId: label.second, positionSec: 60, endSec: null });
    await app.drainJobs();
    const [shown] = await listed(`?versionId=${label.second}`);
    expect(shown.place).toEqual({ positionSec: 60, endSec: null, how: "about" });
    const place = { versionId: label.second, positionSec: 42 };
    const placed = await label.web("PATCH", `/app/comments/${note.id}`, { place });
    expect(placed.body.data.place).toEqual({ positionSec: 42, endSec: null, how: "placed" });
  });

  test("the recipient says that it is right, or still not right with a reply", async () => {
    const note = say();

    const right = answer(note.id, true);
    const wrong = answer(note.id, false, { text: " Still too quiet " });

    expect(right).toMatchObject({
      answeredAt: new Date(app.clock.now()).toISOString(),
      answeredBy: { id: null, name: "Bo" },
      answeredIn: label.second,
    });
    expect(wrong).toMatchObject({ answeredAt: null, answeredBy: null, answeredIn: null, replyCount: 1 });
    expect(await listed(`?parentId=${note.id}`)).toMatchObject([
      { text: "Still too quiet", author: { id: null, name: "Bo" }, shareId: label.bo.id },
    ]);
  });

  test("a member is known by the member's id, and the first answer stands", async () => {
    const note = say();
    const authorId = label.accountId as string as PersonId;

    const first = answer(note.id, true, { authorId, versionId: "ver_gone" });
    const second = answer(note.id, true, { authorName: "Ana" });

    expect(first).toMatchObject({ answeredBy: { id: label.accountId }, answeredIn: label.first });
    expect(second).toEqual(first);
  });

  test("nothing is said about a deleted note, and of a refused answer nothing stays", async () => {
    const note = say();
    const gone = newId("cmt");
    const row = { trackId: label.trackId, shareId: label.bo.id, text: "", authorName: "Bo", createdAt: 1 };
    app.deps.db
      .insert(comments)
      .values({ ...row, id: gone, deletedAt: 2 })
      .run();

    expect(codeOf(() => answer(gone, true))).toBe("note_closed");
    expect(codeOf(() => say({ parentId: gone }))).toBe("note_closed");
    expect(codeOf(() => answer(note.id, true, { text: "x".repeat(2001) }))).toBe("validation_failed");
    expect(codeOf(() => answer(note.id, true, { authorName: " " }))).toBe("validation_failed");
    expect((await listed("?state=open")).map(({ id }) => id)).toEqual([note.id]);
  });
});
