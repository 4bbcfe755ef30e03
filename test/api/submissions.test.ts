import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { briefSubmissions, notifications, renditions, tracks, versions } from "../../db/schema.ts";
import { submitToBrief } from "../../src/modules/briefs/briefs/service.ts";
import { renditionPath } from "../../src/modules/library/renditions/files.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

type Account = ReturnType<TestApp["createAccount"]>;

let app: TestApp;
let owner: Account;
let sender: Account;
let asOwner: ReturnType<TestApp["signedIn"]>;
let asSender: ReturnType<TestApp["signedIn"]>;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  owner = app.createAccount();
  sender = app.createAccount();
  asOwner = app.signedIn(owner.token);
  asSender = app.signedIn(sender.token);
});

const now = () => new Date(app.clock.now()).toISOString();
const createBrief = async (body: object = {}): Promise<Json> =>
  (await asOwner("POST", "/app/briefs", { name: "Trailer", status: "open", publicPage: true, ...body })).body
    .data;
const submit = (briefId: string, body: unknown, as = asSender) =>
  as("POST", `/app/briefs/${briefId}/submissions`, body);
const rowsOf = (briefId: string) =>
  app.deps.db
    .select()
    .from(briefSubmissions)
    .where(eq(briefSubmissions.briefId, briefId))
    .orderBy(asc(briefSubmissions.id))
    .all();
const toldTo = (accountId: string) =>
  app.deps.db.select().from(notifications).where(eq(notifications.accountId, accountId)).all();
const hashOf = (identity: string) =>
  createHmac("sha256", app.deps.secrets("submitter-ids")).update(identity).digest("base64url");
const isRefused = (status: number, messageCode: string) => ({ status, body: { messageCode } });

describe("POST /app/briefs/{id}/submissions", () => {
  test("sends the account's own track to another account's brief, and notifies its owner", async () => {
    const brief = await createBrief();
    const track = addTrackRows(app.deps.db, sender.accountId, { name: "Demo.wav", artist: "Lumen Vale" });

    const { status, body } = await submit(brief.id, { trackId: track.id, message: " For scene 3 " });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^sub_/),
      briefId: brief.id,
      briefName: "Trailer",
      type: "track",
      track: { id: track.id, name: "Demo.wav", artist: "Lumen Vale" },
      link: null,
      message: "For scene 3",
      kind: "free",
      createdAt: now(),
    });
    expect(toldTo(owner.accountId)).toMatchObject([
      {
        kind: "brief.submission",
        title: "New submission to Trailer",
        entityKey: "brief",
        entityId: brief.id,
      },
    ]);
    expect(toldTo(sender.accountId)).toEqual([]);
    expect((await asOwner("GET", `/app/briefs/${brief.id}`)).body.data.submissionCount).toBe(1);
  });

  test("sends a link", async () => {
    const brief = await createBrief();

    const { body } = await submit(brief.id, { link: " https://example.com/song?x=1 " });

    expect(body.data).toMatchObject({
      type: "link",
      track: null,
      link: "https://example.com/song?x=1",
      message: null,
    });
  });

  test("accepts the owner's own track too, without a notification", async () => {
    const brief = await createBrief();
    const track = addTrackRows(app.deps.db, owner.accountId);

    expect((await submit(brief.id, { trackId: track.id }, asOwner)).status).toBe(200);
    expect(toldTo(owner.accountId)).toEqual([]);
  });

  test("counts as paid or free, depending on the brief at that moment", async () => {
    const brief = await createBrief();
    const link = "https://example.com/song";

    const free = await submit(brief.id, { link });
    await asOwner("PATCH", `/app/briefs/${brief.id}`, { paid: true });
    const paid = await submit(brief.id, { link });
    await asOwner("PATCH", `/app/briefs/${brief.id}`, { paid: false });

    expect([free.body.data.kind, paid.body.data.kind]).toEqual(["free", "paid"]);
    expect(rowsOf(brief.id).map(({ kind }) => kind)).toEqual(["free", "paid"]);
  });

  test("stores the sender's identity as a keyed hash, the same for every brief, and never the address", async () => {
    const briefs = [await createBrief(), await createBrief()];
    for (const { id } of briefs) await submit(id, { link: "https://example.com/song" });

    const rows = briefs.flatMap(({ id }) => rowsOf(id));

    expect(rows.map(({ submitterHash }) => submitterHash)).toEqual([
      hashOf(sender.email),
      hashOf(sender.email),
    ]);
    expect(new Set(rows.map(({ batchId }) => batchId)).size).toBe(2);
    expect(JSON.stringify([rows, app.logged])).not.toContain(sender.email);
  });

  test.each([
    ["a draft", { status: "draft" }, []],
    ["closed", {}, ["closed"]],
    ["archived", {}, ["closed", "archived"]],
    ["past its deadline", { deadline: "2026-01-14" }, []],
  ])("is refused by a brief that is %s", async (_, body, path) => {
    const brief = await createBrief(body);
    for (const status of path) await asOwner("PATCH", `/app/briefs/${brief.id}`, { status });

    const refused = await submit(brief.id, { link: "https://example.com/song" });

    expect(refused).toMatchObject(isRefused(409, "brief_not_open"));
    expect(rowsOf(brief.id)).toEqual([]);
    expect(toldTo(owner.accountId)).toEqual([]);
  });

  test("is refused by another account's brief without a public page like by one that does not exist", async () => {
    const brief = await createBrief({ publicPage: false });
    const link = "https://example.com/song";

    const [unlisted, unknown] = [await submit(brief.id, { link }), await submit("brf_none", { link })];
    const own = await submit(brief.id, { link }, asOwner);

    expect(unlisted).toMatchObject(isRefused(404, "brief_not_found"));
    expect(unlisted.body.message).toBe(unknown.body.message);
    expect(own.status).toBe(200);
  });

  test("is accepted until the deadline's last millisecond", async () => {
    const brief = await createBrief({ deadline: new Date(app.clock.now() + 1).toISOString() });
    const link = "https://example.com/song";

    const before = await submit(brief.id, { link });
    app.clock.advance(1);
    const after = await submit(brief.id, { link });

    expect([before.status, after.status]).toEqual([200, 409]);
  });

  test("is accepted again by a reopened brief", async () => {
    const brief = await createBrief();
    for (const status of ["closed", "open"]) await asOwner("PATCH", `/app/briefs/${brief.id}`, { status });

    expect((await submit(brief.id, { link: "https://example.com/song" })).status).toBe(200);
  });

  test.each([
    ["nothing", {}],
    ["no body", undefined],
    ["both a track and a link", { trackId: "trk_x", link: "https://example.com" }],
    ["an address without a protocol", { link: "example.com/song" }],
    ["a script instead of a link", { link: "javascript:alert(1)" }],
    ["a file instead of a link", { link: "file:///etc/passwd" }],
    ["a link with a user name", { link: "https://me@example.com/" }],
    ["a link to nowhere", { link: "https://" }],
    ["a link in two lines", { link: "https://example.com/\nsong" }],
    ["a link of 2001 characters", { link: `https://example.com/${"x".repeat(1981)}` }],
    ["a message of 2001 characters", { link: "https://example.com", message: "x".repeat(2001) }],
    ["a number instead of a track", { trackId: 7 }],
  ])("refuses %s", async (_, body) => {
    const brief = await createBrief();

    expect(await submit(brief.id, body)).toMatchObject(isRefused(400, "validation_failed"));
    expect(rowsOf(brief.id)).toEqual([]);
  });

  test("refuses another account's track like an unknown one, before it checks the brief's state", async () => {
    const brief = await createBrief();
    const foreign = addTrackRows(app.deps.db, owner.accountId, { name: "Private.wav" });

    const refused = await submit(brief.id, { trackId: foreign.id });
    await asOwner("PATCH", `/app/briefs/${brief.id}`, { status: "closed" });
    const closed = await submit(brief.id, { trackId: foreign.id });
    const none = await submit(brief.id, { trackId: "trk_none" });

    expect(refused).toMatchObject(isRefused(404, "track_not_found"));
    expect(closed.body).toEqual(refused.body);
    expect(none.body).toEqual(refused.body);
    expect(rowsOf(brief.id)).toEqual([]);
  });

  test("refuses a brief that does not exist", async () => {
    const track = addTrackRows(app.deps.db, sender.accountId);

    expect(await submit("brf_none", { trackId: track.id })).toMatchObject(isRefused(404, "brief_not_found"));
  });

  test("is stored once for an Idempotency-Key", async () => {
    const brief = await createBrief();
    const send = () =>
      asSender(
        "POST",
        `/app/briefs/${brief.id}/submissions`,
        { link: "https://example.com/song" },
        { "idempotency-key": "once" },
      );

    const [first, second] = [await send(), await send()];

    expect(second.body).toEqual(first.body);
    expect(rowsOf(brief.id).length).toBe(1);
  });
});

describe("GET /app/briefs/{id}/submissions", () => {
  test("lets the brief's owner hear the track, and shows nothing else of the sender's library", async () => {
    const brief = await createBrief({ paid: true });
    const track = addTrackRows(app.deps.db, sender.accountId, {
      name: "Demo.wav",
      artist: "Lumen Vale",
      notes: "Do not show this",
      lyrics: "Nor this",
    });
    addTrackRows(app.deps.db, sender.accountId, { name: "Unsent.wav" });
    const { id } = (await submit(brief.id, { trackId: track.id })).body.data;

    const { status, body } = await asOwner("GET", `/app/briefs/${brief.id}/submissions`);

    expect(status).toBe(200);
    expect(body.paging).toEqual({ limit: 50, next_cursor: null });
    expect(body.data).toEqual([
      {
        id,
        type: "track",
        message: null,
        link: null,
        createdAt: now(),
        track: { id: track.id, name: "Demo.wav", artist: "Lumen Vale" },
        viaRequestEmail: null,
        kind: "paid",
        submitterName: null,
        submitterEmail: null,
        listenUrl: expect.stringContaining(`/media/${track.versionId}/Demo.wav?`),
      },
    ]);
  });

  test("plays the rendition if there is one, through a link that does not open the original", async () => {
    const brief = await createBrief();
    const track = addTrackRows(app.deps.db, sender.accountId);
    const sha256 = "cd".repeat(32);
    app.deps.db.update(versions).set({ sha256 }).where(eq(versions.id, track.versionId)).run();
    const rendition = { sha256, encoding: "opus" as const, sizeBytes: 5, createdAt: app.clock.now() };
    app.deps.db.insert(renditions).values(rendition).run();
    await Bun.write(renditionPath(app.deps.settings, rendition), "sound");
    await submit(brief.id, { trackId: track.id });

    const { listenUrl } = (await asOwner("GET", `/app/briefs/${brief.id}/submissions`)).body.data[0];
    const played = await app.request(listenUrl);
    const original = await app.request(listenUrl.replace("/media/renditions/", "/media/"));

    expect(played.status).toBe(200);
    expect(await played.text()).toBe("sound");
    expect(original.status).toBe(403);
  });

  test("keeps the submission of a deleted track, without the track", async () => {
    const brief = await createBrief();
    const track = addTrackRows(app.deps.db, sender.accountId);
    await submit(brief.id, { trackId: track.id, message: "Soon gone" });
    app.deps.db.delete(tracks).where(eq(tracks.id, track.id)).run();

    const { body } = await asOwner("GET", `/app/briefs/${brief.id}/submissions`);

    expect(body.data).toMatchObject([{ type: "track", track: null, listenUrl: null, message: "Soon gone" }]);
  });

  test("returns pages, newest first", async () => {
    const brief = await createBrief();
    for (const name of ["a", "b", "c"]) await submit(brief.id, { link: `https://example.com/${name}` });

    const first = await asOwner("GET", `/app/briefs/${brief.id}/submissions?limit=2`);
    const cursor = first.body.paging.next_cursor;
    const second = await asOwner("GET", `/app/briefs/${brief.id}/submissions?limit=2&cursor=${cursor}`);
    const other = await createBrief();

    const links = [...first.body.data, ...second.body.data].map(({ link }: Json) => link);
    expect(links).toEqual(["c", "b", "a"].map((name) => `https://example.com/${name}`));
    expect(second.body.paging.next_cursor).toBeNull();
    expect(await asOwner("GET", `/app/briefs/${other.id}/submissions?cursor=${cursor}`)).toMatchObject(
      isRefused(400, "validation_failed"),
    );
  });

  test("is not open to the senders", async () => {
    const brief = await createBrief();
    await submit(brief.id, { link: "https://example.com/song" });

    expect(await asSender("GET", `/app/briefs/${brief.id}/submissions`)).toMatchObject(
      isRefused(404, "brief_not_found"),
    );
  });
});

describe("GET /tracks/submissions", () => {
  const read = (account: Account, id: string) =>
    app.as(app.createKey(account.accountId, ["read:tracks"]))("GET", `/tracks/submissions?id=${id}`);

  test("lists the account's own and other accounts' briefs, newest first; of others only the name and state", async () => {
    const track = addTrackRows(app.deps.db, sender.accountId, { name: "Demo.wav" });
    const foreign = await createBrief({ contactEmail: "private@example.com", deadline: "2026-02-01" });
    const own = (await asSender("POST", "/app/briefs", { name: "Mine", status: "open" })).body.data;
    const first = (await submit(foreign.id, { trackId: track.id, message: "Hello" })).body.data;
    app.clock.advance(1);
    const second = (await submit(own.id, { trackId: track.id })).body.data;
    await asOwner("PATCH", `/app/briefs/${foreign.id}`, { status: "closed" });

    const { status, body } = await read(sender, track.id);

    expect(status).toBe(200);
    expect(body.data).toEqual({
      trackId: track.id,
      trackName: "Demo.wav",
      submissions: [
        {
          id: second.id,
          briefId: own.id,
          briefName: "Mine",
          briefStatus: "open",
          briefDeadline: null,
          message: null,
          createdAt: now(),
          viaRequestEmail: null,
        },
        {
          id: first.id,
          briefId: foreign.id,
          briefName: "Trailer",
          briefStatus: "closed",
          briefDeadline: "2026-02-01T23:59:59.999Z",
          message: "Hello",
          createdAt: first.createdAt,
          viaRequestEmail: null,
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain("private@example.com");
  });

  test("is empty for a track that was not submitted", async () => {
    const track = addTrackRows(app.deps.db, sender.accountId);

    expect((await read(sender, track.id)).body.data).toMatchObject({ trackId: track.id, submissions: [] });
  });

  test("says TRACK_NOT_FOUND inside a 200, even to the owner of the brief", async () => {
    const brief = await createBrief();
    const track = addTrackRows(app.deps.db, sender.accountId);
    await submit(brief.id, { trackId: track.id });

    for (const answer of [await read(owner, track.id), await read(owner, "trk_none")]) {
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ ok: false, error: "TRACK_NOT_FOUND" });
    }
  });

  test("needs an id, a key, and the scope read:tracks", async () => {
    const wrong = app.createKey(sender.accountId, ["read:briefs"]);
    const right = app.createKey(sender.accountId);

    expect(await app.as(right)("GET", "/tracks/submissions")).toMatchObject(
      isRefused(400, "validation_failed"),
    );
    expect(await app.as(right)("GET", "/tracks/submissions?id=")).toMatchObject(
      isRefused(400, "validation_failed"),
    );
    expect(await app.as(wrong)("GET", "/tracks/submissions?id=trk_x")).toMatchObject(
      isRefused(403, "insufficient_scope"),
    );
    expect(await (await app.request("/api/v1/tracks/submissions?id=trk_x")).json()).toMatchObject({
      statusCode: 401,
      messageCode: "missing_api_key",
    });
  });
});

describe("a submission from a public page", () => {
  const visitor = { accountId: null, identity: null };
  const link = (name: string) => ({ link: `https://example.com/${name}`, message: null });

  test("keeps several items together, notifies the owner once, and stores its visitor only as a hash", async () => {
    const brief = await createBrief();
    const upload = addTrackRows(app.deps.db, owner.accountId, { name: "Upload.wav" });

    const receipts = submitToBrief(app.deps, brief.id, { accountId: null, identity: " Ana@Example.com " }, [
      link("a"),
      { trackId: upload.id, message: "  " },
    ]);

    expect(receipts).toMatchObject([
      { type: "link", link: "https://example.com/a" },
      { type: "track", track: { id: upload.id, name: "Upload.wav" }, message: null },
    ]);
    const rows = rowsOf(brief.id);
    expect(rows).toMatchObject([{ type: "link" }, { type: "track", trackId: upload.id }]);
    expect(new Set(rows.map(({ batchId }) => batchId)).size).toBe(1);
    expect(new Set(rows.map(({ submitterHash }) => submitterHash))).toEqual(
      new Set([hashOf("ana@example.com")]),
    );
    expect(rows.map(({ submitterAccountId }) => submitterAccountId)).toEqual([null, null]);
    expect(toldTo(owner.accountId).map(({ title }) => title)).toEqual(["2 new submissions to Trailer"]);
  });

  test("has no identity if the visitor gave none", async () => {
    const brief = await createBrief();

    submitToBrief(app.deps, brief.id, visitor, [link("a")]);
    submitToBrief(app.deps, brief.id, { accountId: null, identity: "  " }, [link("b")]);

    expect(rowsOf(brief.id).map(({ submitterHash }) => submitterHash)).toEqual([null, null]);
  });

  test("a submission through a personal link shows its recipient wherever submissions are shown", async () => {
    const brief = await createBrief();
    const asked = (await asOwner("POST", `/app/briefs/${brief.id}/requests`, { email: "ana@example.com" }))
      .body.data;
    const upload = addTrackRows(app.deps.db, owner.accountId);
    const requestToken = asked.link.split("/").at(-1);
    const ownersKey = app.createKey(owner.accountId);

    submitToBrief(app.deps, brief.id, { ...visitor, requestToken }, [{ trackId: upload.id, message: null }]);

    const { submissions } = (await app.as(ownersKey)("GET", `/briefs/${brief.id}/submissions`)).body.data;
    const ofTrack = (await app.as(ownersKey)("GET", `/tracks/submissions?id=${upload.id}`)).body.data;
    const requests = (await asOwner("GET", `/app/briefs/${brief.id}/requests`)).body.data;
    expect(submissions).toMatchObject([{ viaRequestEmail: "ana@example.com" }]);
    expect(ofTrack.submissions).toMatchObject([{ viaRequestEmail: "ana@example.com" }]);
    expect(requests).toMatchObject([{ id: asked.id, submissionCount: 1 }]);
    expect(rowsOf(brief.id)).toMatchObject([{ submitterHash: hashOf("ana@example.com") }]);
  });

  test("is refused completely if one item is refused", async () => {
    const brief = await createBrief();
    const foreign = addTrackRows(app.deps.db, sender.accountId);

    const sendForeign = () =>
      submitToBrief(app.deps, brief.id, visitor, [link("a"), { trackId: foreign.id, message: null }]);
    const sendScript = () =>
      submitToBrief(app.deps, brief.id, visitor, [link("a"), { link: "javascript:1", message: null }]);

    expect(sendForeign).toThrow(expect.objectContaining({ code: "track_not_found" }));
    expect(sendScript).toThrow(expect.objectContaining({ code: "validation_failed" }));
    expect(rowsOf(brief.id)).toEqual([]);
  });

  test("is refused with another brief's personal link, without items, and with 26 items", async () => {
    const [brief, other] = [await createBrief(), await createBrief()];
    const asked = (await asOwner("POST", `/app/briefs/${other.id}/requests`, { email: "ana@example.com" }))
      .body.data;
    const requestToken = asked.link.split("/").at(-1);
    const items = Array.from({ length: 26 }, (_, index) => link(String(index)));

    expect(() => submitToBrief(app.deps, brief.id, { ...visitor, requestToken }, [link("a")])).toThrow(
      expect.objectContaining({ code: "invalid_link" }),
    );
    for (const wrong of [[], items])
      expect(() => submitToBrief(app.deps, brief.id, visitor, wrong)).toThrow(
        expect.objectContaining({ code: "validation_failed" }),
      );
    expect(submitToBrief(app.deps, brief.id, visitor, items.slice(1)).length).toBe(25);
  });
});
