import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { comments, events, reviews } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { HOUR_MS } from "../../src/kernel/time.ts";
import { reviewByLink } from "../../src/modules/sharing/comments/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addGuest, addMember } from "../support/team.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";

type Call = ReturnType<TestApp["signedIn"]>;

let app: TestApp;
let accountId: string;
let trackId: string;
let first: string;
let second: string;
let owner: Call;
let byKey: ReturnType<TestApp["as"]>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  owner = app.signedIn(account.token);
  byKey = app.as(app.createKey(accountId));
  const createdAt = app.clock.now();
  ({ id: trackId, versionId: first } = addTrackRows(app.deps.db, accountId, { createdAt, measured: {} }));
  second = addVersionRow(app.deps.db, trackId, { versionOrder: 1, label: "v2", createdAt });
});

const reviewOf = (versionId = second) => `/app/tracks/${trackId}/versions/${versionId}/review`;
const approve = (call: Call, text?: string) =>
  call("PUT", reviewOf(), { state: "approved", ...(text !== undefined && { text }) });
/** What each version says of itself, the oldest first. */
const numbers = async () =>
  (await byKey("GET", `/tracks/${trackId}/versions`)).body.data.versions.map(({ review }: Json) => review);
const told = async (call: Call) =>
  (await call("GET", "/app/notifications")).body.data
    .filter(({ kind }: Json) => kind.startsWith("version."))
    .map(({ kind, title, by, readAt }: Json) => ({
      kind,
      title,
      by: by?.name ?? null,
      isRead: readAt !== null,
    }));
const announced = () =>
  app.deps.db
    .select({ data: events.data })
    .from(events)
    .where(eq(events.type, "review.changed"))
    .all()
    .map(({ data }) => data as Json)
    .filter((data) => data.trackId === trackId);

/** A link that asks, as its page has it. */
async function askingLink(recipient = "ida@example.com") {
  const { body } = await owner("POST", "/app/shares", { trackId, recipient, allowReview: true });
  const share = { id: body.data.id as string, ownerId: accountId, recipient, allowReview: true };
  return {
    share,
    say: (state: "approved" | "changes", text?: string, versionId = second) =>
      reviewByLink(app.deps, { share, trackId, versionId, state, text }),
  };
}

describe("PUT /app/tracks/{trackId}/versions/{versionId}/review", () => {
  test("approves a version, which its versions count", async () => {
    const { status, body } = await approve(owner, "  The one.  ");

    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^rev_/),
      versionId: second,
      state: "approved",
      text: "The one.",
      by: { id: accountId, name: "Someone" },
      shareId: null,
      at: new Date(app.clock.now()).toISOString(),
    });
    expect(await numbers()).toEqual([
      { approved: 0, changes: 0, openNotes: 0, answeredNotes: 0 },
      { approved: 1, changes: 0, openNotes: 0, answeredNotes: 0 },
    ]);
    const sheet = (await owner("GET", `/app/tracks/${trackId}/versions`)).body.data;
    expect(sheet[0].review).toEqual({ approved: 1, changes: 0, openNotes: 0, answeredNotes: 0 });
    const one = await byKey("GET", `/tracks/${trackId}/versions/${second}`);
    expect(one.body.data.review).toEqual(sheet[0].review);
    expect(announced()).toEqual([{ trackId, versionId: second, state: "approved" }]);
  });

  test("replaces what the person said before; saying the same again changes nothing", async () => {
    const approved = (await approve(owner)).body.data;
    app.clock.advance(1000);

    const again = await approve(owner);
    const changes = await owner("PUT", reviewOf(), { state: "changes", text: "Bass" });

    expect(again.body.data).toEqual(approved);
    expect(changes.body.data).toMatchObject({ id: approved.id, state: "changes", text: "Bass" });
    expect((await numbers())[1]).toMatchObject({ approved: 0, changes: 1 });
    expect(announced().map(({ state }) => state)).toEqual(["approved", "changes"]);
  });

  test("has one verdict per person, whatever their role, and per link", async () => {
    const listener = app.signedIn(addMember(app, accountId, { role: "listener" }).token);
    const { say } = await askingLink();

    await approve(owner);
    await listener("PUT", reviewOf(), { state: "changes" });
    say("approved");

    expect((await numbers())[1]).toMatchObject({ approved: 2, changes: 1 });
  });

  test("is listed with those on the track's other versions, the newest first, for whoever may read comments", async () => {
    const listener = app.signedIn(addMember(app, accountId, { role: "listener" }).token);
    const { share, say } = await askingLink("Bo");
    await approve(owner);
    app.clock.advance(1000);
    say("changes", "Bass", first);
    const list = (call: Call, query = "") => call("GET", `/app/tracks/${trackId}/reviews${query}`);

    const { body } = await list(listener);

    expect(
      body.data.map(({ versionId, state, text, by, shareId }: Json) => [
        versionId,
        state,
        text,
        by.name,
        shareId,
      ]),
    ).toEqual([
      [first, "changes", "Bass", "Bo", share.id],
      [second, "approved", null, "Someone", null],
    ]);
    const page = (await list(owner, "?limit=1")).body;
    const next = (await list(owner, `?limit=1&cursor=${page.paging.next_cursor}`)).body;
    expect([...page.data, ...next.data]).toEqual(body.data);
    expect(next.paging.next_cursor).toBeNull();
    expect((await list(app.signedIn(app.createAccount().token))).status).toBe(404);
  });

  test("is said by whoever made the key, or by the owner", async () => {
    const body = (await byKey("PUT", `/tracks/${trackId}/versions/${first}/review`, { state: "approved" }))
      .body;
    const reader = app.as(app.createKey(accountId, ["read:comments"]));

    expect(body.data.by).toEqual({ id: accountId, name: "Someone" });
    const refused = await reader("PUT", `/tracks/${trackId}/versions/${first}/review`, { state: "approved" });
    expect([refused.status, refused.body.messageCode]).toEqual([403, "insufficient_scope"]);
  });

  test("may be given by a guest of a room about its tracks, and about no others", async () => {
    const room = (await byKey("POST", "/playlists", { name: "Room", trackIds: [trackId] })).body.data.playlist
      .id;
    const guest = app.signedIn(addGuest(app, accountId, { [room]: {} }).token);
    const other = addTrackRows(app.deps.db, accountId);

    const inRoom = await approve(guest);
    const elsewhere = await guest("PUT", `/app/tracks/${other.id}/versions/${other.versionId}/review`, {
      state: "approved",
    });

    expect(inRoom.status).toBe(200);
    expect([elsewhere.status, elsewhere.body.messageCode]).toEqual([404, "track_not_found"]);
  });

  test.each([
    ["an unknown state", { state: "fine" }],
    ["no state", { text: "Yes" }],
    ["a long text", { state: "changes", text: "x".repeat(2001) }],
  ])("refuses %s", async (_, body) => {
    const answer = await owner("PUT", reviewOf(), body);

    expect([answer.status, answer.body.messageCode]).toEqual([400, "validation_failed"]);
    expect(announced()).toEqual([]);
  });

  test("keeps a blank text as none", async () => {
    expect((await approve(owner, "  \n ")).body.data.text).toBeNull();
  });

  test("finds neither another library's track nor another track's version", async () => {
    const other = addTrackRows(app.deps.db, app.createAccount().accountId);
    const own = addTrackRows(app.deps.db, accountId);
    const paths = [
      [`/app/tracks/${other.id}/versions/${other.versionId}/review`, "track_not_found"],
      [`/app/tracks/${trackId}/versions/${own.versionId}/review`, "version_not_found"],
    ];
    for (const [path = "", code] of paths)
      for (const method of ["PUT", "DELETE"]) {
        const sent = method === "PUT" ? { state: "approved" } : undefined;
        const { status, body } = await owner(method, path, sent);

        expect([method, path, status, body.messageCode]).toEqual([method, path, 404, code]);
      }
  });
});

test("of two verdicts of one person or link at once, one is left", async () => {
  const { say } = await askingLink();
  const states = ["approved", "changes", "approved", "changes"] as const;

  const answers = await Promise.all(states.map((state) => owner("PUT", reviewOf(), { state })));
  for (const state of states) say(state);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { reviews: kept } = (await owner("GET", `/app/tracks/${trackId}/versions/${second}/round`)).body.data;
  expect(kept).toHaveLength(2);
  expect(kept.find(({ shareId }: Json) => shareId !== null)).toMatchObject({ state: "changes" });
  const byId = new Set(answers.map(({ body }) => body.data.id));
  expect(byId.size).toBe(1);
});

test("open pages hear of a verdict, and of its end", async () => {
  const seqOf = async () => (await owner("GET", "/app/changes")).body.data.seq;
  const heardSince = async (seq: number) =>
    (await owner("GET", `/app/changes?after=${seq}`)).body.data.changes.filter(
      ({ topic }: Json) => topic === "comments",
    );
  const before = await seqOf();
  await approve(owner);
  const between = await seqOf();
  await owner("DELETE", reviewOf());

  expect(await heardSince(before)).toEqual([{ topic: "comments", ids: [trackId] }]);
  expect(await heardSince(between)).toEqual([{ topic: "comments", ids: [trackId] }]);
});

describe("DELETE /app/tracks/{trackId}/versions/{versionId}/review", () => {
  test("takes back one's own verdict and nobody else's; repeating it changes nothing", async () => {
    const artist = app.signedIn(addMember(app, accountId, { role: "artist" }).token);
    await approve(owner);
    await approve(artist);

    const answers = [await owner("DELETE", reviewOf()), await owner("DELETE", reviewOf())];

    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.data).toEqual({ ok: true, trackId, versionId: second });
    }
    expect((await numbers())[1]).toMatchObject({ approved: 1, changes: 0 });
    expect(announced().map(({ state }) => state)).toEqual(["approved", "approved", "none"]);
    expect((await approve(owner)).status).toBe(200);
  });
});

describe("a verdict through a link", () => {
  test("is by its recipient, and of the version that its page named", async () => {
    const { say, share } = await askingLink("Ida");

    const said = say("changes", "  Louder ", first);

    expect(said).toMatchObject({
      versionId: first,
      state: "changes",
      text: "Louder",
      by: { id: null, name: "Ida" },
      shareId: share.id,
    });
    expect((await numbers()).map(({ changes }: Json) => changes)).toEqual([1, 0]);
    expect(say("approved", undefined, first)).toMatchObject({ id: said.id, state: "approved", text: null });
  });

  test("is refused where the link does not ask, or the version is of another track", async () => {
    const { share } = await askingLink();
    const other = addTrackRows(app.deps.db, accountId);
    const ask = (change: object, versionId = second) =>
      reviewByLink(app.deps, { share: { ...share, ...change }, trackId, versionId, state: "approved" });

    expect(() => ask({ allowReview: false })).toThrow("This link does not ask for approval");
    expect(() => ask({ recipient: null })).toThrow("This link does not ask for approval");
    expect(() => ask({}, other.versionId)).toThrow("The track has no such version");
    expect(announced()).toEqual([]);
  });

  test("stays when the link is revoked, and goes with the version", async () => {
    const { say, share } = await askingLink();
    say("approved");
    await owner("DELETE", `/app/shares/${share.id}`);
    expect((await numbers())[1].approved).toBe(1);

    await byKey("DELETE", `/tracks/${trackId}/versions/${second}`);

    expect(app.deps.db.select().from(reviews).where(eq(reviews.trackId, trackId)).all()).toEqual([]);
    expect(() => say("changes")).toThrow("The track has no such version");
  });
});

describe("a verdict is told", () => {
  test("to the others of the library, not to whoever gave it", async () => {
    const artist = app.signedIn(addMember(app, accountId, { role: "artist" }).token);

    await approve(artist);
    await owner("PUT", reviewOf(), { state: "changes" });

    expect(await told(owner)).toEqual([
      {
        kind: "version.approved",
        title: "v2 of Night Bus.wav was approved",
        by: "The artist",
        isRead: false,
      },
    ]);
    expect(await told(artist)).toEqual([
      {
        kind: "version.changes",
        title: "Changes to v2 of Night Bus.wav were asked for",
        by: "Someone",
        isRead: false,
      },
    ]);
  });

  test("of a link once an hour, by the last word and without the recipient's name", async () => {
    const { say } = await askingLink();

    say("approved");
    await owner("POST", "/app/notifications/read-all");
    say("changes", "Too long");
    app.clock.advance(HOUR_MS);
    say("approved");

    const by = null;
    expect(await told(owner)).toEqual([
      {
        kind: "version.approved",
        title: "The recipient of a link approved v2 of Night Bus.wav",
        by,
        isRead: false,
      },
      {
        kind: "version.changes",
        title: "The recipient of a link asks for changes to v2 of Night Bus.wav",
        by,
        isRead: false,
      },
    ]);
  });

  test("to guests of a room with the track", async () => {
    const room = (await byKey("POST", "/playlists", { name: "Room", trackIds: [trackId] })).body.data;
    const guest = app.signedIn(addGuest(app, accountId, { [room.playlist.id]: {} }).token);

    await approve(owner);

    expect((await told(guest)).map(({ kind }: Json) => kind)).toEqual(["version.approved"]);
    expect(await told(owner)).toEqual([]);
  });

  test("no longer once it is taken back", async () => {
    const artist = app.signedIn(addMember(app, accountId, { role: "artist" }).token);
    await approve(artist);

    await artist("DELETE", reviewOf());

    expect(await told(owner)).toEqual([]);
  });
});

describe("a version's notes in numbers", () => {
  type Note = Partial<typeof comments.$inferInsert>;
  /** Adds a note on the first version, or as `columns` say. */
  const note = (columns: Note = {}) => {
    const id = newId("cmt");
    const own = { id, trackId, authorId: accountId, authorName: "Ana", text: "Kick", versionId: first };
    app.deps.db
      .insert(comments)
      .values({ ...own, createdAt: app.clock.now(), ...columns })
      .run();
    return id;
  };
  const answeredIn = (versionId: string | null): Note => ({
    resolvedAt: app.clock.now(),
    resolvedIn: versionId,
  });
  const notesOf = async () =>
    (await numbers()).map(({ openNotes, answeredNotes }: Json) => [openNotes, answeredNotes]);

  test("go from version to version until one answers them", async () => {
    const third = addVersionRow(app.deps.db, trackId, {
      versionOrder: 2,
      createdAt: app.clock.now(),
      visible: false,
    });
    note();
    note(answeredIn(second));
    note(answeredIn(first));
    note({ versionId: second });
    note({ versionId: third, ...answeredIn(third) });

    expect(await notesOf()).toEqual([
      [1, 2],
      [2, 1],
      [2, 1],
    ]);
  });

  test("count neither replies nor deleted notes", async () => {
    const parentId = note();
    note({ parentId });
    note({ deletedAt: app.clock.now() });

    expect(await notesOf()).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  test("stay with the version before and those after when the version that was heard is deleted", async () => {
    app.clock.advance(1000);
    note({ versionId: second });
    app.clock.advance(1000);
    addVersionRow(app.deps.db, trackId, { versionOrder: 2, createdAt: app.clock.now() });

    await byKey("DELETE", `/tracks/${trackId}/versions/${second}`);

    expect(await notesOf()).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });
});
