import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { and, asc, eq } from "drizzle-orm";
import { events, shares } from "../../db/schema.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

const BASE = "http://127.0.0.1:4747";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes a new account with a track and a playlist of it, its API with a key, and the app API with its session. */
async function owner() {
  const { accountId, token } = app.createAccount();
  const api = app.as(app.createKey(accountId));
  const { id: trackId } = addTrackRows(app.deps.db, accountId, { name: "Night Bus.wav" });
  const made = await api("POST", "/playlists", { name: "Set", trackIds: [trackId] });
  const signedIn = app.signedIn(token);
  return {
    accountId,
    api,
    signedIn,
    trackId,
    playlistId: made.body.data.playlist.id as string,
    /** Shares the track; returns the share. */
    share: async (settings: object = {}) =>
      (await signedIn("POST", "/app/shares", { trackId, ...settings })).body.data,
    link: async () => (await api("GET", `/tracks/single?id=${trackId}`)).body.data.track.link,
    /** Returns how often the track was announced because of its link. */
    announced: () =>
      app.deps.db
        .select({ data: events.data })
        .from(events)
        .where(and(eq(events.ownerId, accountId), eq(events.type, "track.updated")))
        .orderBy(asc(events.at), asc(events.id))
        .all()
        .map(({ data }) => data),
  };
}

describe("POST /app/shares", () => {
  test("creates a public link, which becomes the track's link", async () => {
    const { signedIn, trackId, link, announced, api } = await owner();

    const { status, body } = await signedIn("POST", "/app/shares", { trackId });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^lnk_/),
      entity: "track",
      entityId: trackId,
      name: "Night Bus.wav",
      link: expect.stringMatching(/^[\w-]{22}$/),
      url: `${BASE}/track/${body.data.link}`,
      hasPassword: false,
      expiresAt: null,
      maxUses: null,
      uses: 0,
      wholeFamily: false,
      allowDownload: false,
      allowComments: false,
      allowReview: false,
      askAnswer: false,
      showDetails: false,
      showLyrics: false,
      isMarked: false,
      noteParts: true,
      recipient: null,
      recipientEmail: null,
      notBefore: null,
      answer: null,
      opened: false,
      active: true,
      createdAt: "2026-01-15T12:00:00.000Z",
      revokedAt: null,
    });
    expect(await link()).toBe(body.data.url);
    expect(announced()).toEqual([{ trackId, name: "Night Bus.wav", changed: ["link"] }]);
    const listed = (await api("GET", "/tracks")).body.data[0];
    expect(listed.link).toBe(body.data.url);
    expect((await api("GET", "/tracks?fields=share_link")).body.data).toEqual([
      { id: trackId, share_link: body.data.url },
    ]);
    expect((await api("GET", "/tracks?fields=link,share_link,name")).body.data).toEqual([
      { id: trackId, name: "Night Bus.wav", link: body.data.url, share_link: body.data.url },
    ]);
  });

  test("stores every setting, and the password only as an Argon2id hash", async () => {
    const { share } = await owner();

    const made = await share({
      password: "open sesame",
      expiresAt: "2026-02-01",
      maxUses: 3,
      allowDownload: true,
      allowComments: true,
      recipient: " someone@example.com ",
    });

    expect(made).toMatchObject({
      hasPassword: true,
      expiresAt: "2026-02-01T23:59:59.999Z",
      maxUses: 3,
      allowDownload: true,
      allowComments: true,
      recipient: "someone@example.com",
    });
    expect(JSON.stringify(made)).not.toContain("sesame");
    const row = app.deps.db.select().from(shares).where(eq(shares.id, made.id)).get();
    expect(row?.passwordHash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await Bun.password.verify("open sesame", row?.passwordHash ?? "")).toBe(true);
  });

  test("shares a playlist", async () => {
    const { signedIn, playlistId, announced } = await owner();

    const { body } = await signedIn("POST", "/app/shares", { playlistId });

    const { link } = body.data;
    expect(body.data).toMatchObject({ entity: "playlist", entityId: playlistId, name: "Set" });
    expect(body.data.url).toBe(`${BASE}/playlist/${link}`);
    expect(announced()).toEqual([]);
  });

  test("counts as a share of the track", async () => {
    const { api, share, trackId, playlistId } = await owner();

    await share();
    await share({ recipient: "someone@example.com" });

    const stats = await api("GET", `/analytics/stats?entity=track&ids=${trackId}`);
    expect(stats.body.data.items[0].stats.shares).toBe(2);
    const own = await api("GET", `/analytics/stats?entity=playlist&ids=${playlistId}`);
    expect(own.body.data.items[0].stats.shares).toBe(0);
  });

  test.each([
    ["nothing to share", {}, "trackId"],
    ["both", { trackId: "TRACK", playlistId: "PLAYLIST" }, "trackId"],
    ["a time in the past", { trackId: "TRACK", expiresAt: "2026-01-15T12:00:00.000Z" }, "expiresAt"],
    ["a day that does not exist", { trackId: "TRACK", expiresAt: "2027-02-30" }, "expiresAt"],
    ["a time that is not valid", { trackId: "TRACK", expiresAt: "" }, "expiresAt"],
    ["0 uses", { trackId: "TRACK", maxUses: 0 }, "maxUses"],
    ["half a use", { trackId: "TRACK", maxUses: 1.5 }, "maxUses"],
    ["a password of 3 characters", { trackId: "TRACK", password: "abc" }, "password"],
    ["a password of 201 characters", { trackId: "TRACK", password: "x".repeat(201) }, "password"],
    ["a blank recipient", { trackId: "TRACK", recipient: "  " }, "recipient"],
    ["text for a boolean", { trackId: "TRACK", allowDownload: "yes" }, "allowDownload"],
  ])("refuses %s", async (_, sent, path) => {
    const { signedIn, trackId, playlistId, link } = await owner();
    const own = JSON.stringify(sent).replace("TRACK", trackId).replace("PLAYLIST", playlistId);

    const { status, body } = await signedIn("POST", "/app/shares", JSON.parse(own));

    expect([status, body.messageCode, body.data.errors[0].path]).toEqual([400, "validation_failed", path]);
    expect(await link()).toBeNull();
  });

  test("refuses unknown items and another account's", async () => {
    const { signedIn } = await owner();
    const foreign = await owner();

    for (const trackId of ["trk_nothing", foreign.trackId]) {
      const { status, body } = await signedIn("POST", "/app/shares", { trackId });
      expect([status, body.messageCode]).toEqual([404, "track_not_found"]);
    }
    for (const playlistId of ["pl_nothing", foreign.playlistId]) {
      const { status, body } = await signedIn("POST", "/app/shares", { playlistId });
      expect([status, body.messageCode]).toEqual([404, "playlist_not_found"]);
    }
    expect(await foreign.link()).toBeNull();
  });
});

describe("a track's link", () => {
  test("is the newest live share without a recipient", async () => {
    const { share, link, signedIn, announced } = await owner();
    const first = await share();
    await share({ recipient: "someone@example.com" });
    expect(await link()).toBe(first.url);

    const second = await share({ expiresAt: "2026-01-20T00:00:00Z" });
    expect(await link()).toBe(second.url);
    expect(announced()).toHaveLength(2);

    await signedIn("PATCH", `/app/shares/${second.id}`, { recipient: "someone@example.com" });
    expect(await link()).toBe(first.url);
    await signedIn("PATCH", `/app/shares/${second.id}`, { recipient: null, allowDownload: true });
    expect(await link()).toBe(second.url);
    await signedIn("DELETE", `/app/shares/${second.id}`);
    expect(await link()).toBe(first.url);
    await signedIn("PATCH", `/app/shares/${first.id}`, { allowComments: true });
    expect(announced()).toHaveLength(5);
    await signedIn("DELETE", `/app/shares/${first.id}`);
    expect(await link()).toBeNull();
    expect(announced()).toHaveLength(6);
  });

  test("ends when the share expires or is used up, in the list and on the track", async () => {
    const { api, share, link } = await owner();
    const listed = async () => (await api("GET", "/tracks?fields=link")).body.data[0].link;
    const lasting = await share();
    const short = await share({ expiresAt: new Date(app.clock.now() + DAY_MS).toISOString() });
    const once = await share({ maxUses: 1 });
    expect([await link(), await listed()]).toEqual([once.url, once.url]);

    app.deps.db.update(shares).set({ uses: 1 }).where(eq(shares.id, once.id)).run();
    expect([await link(), await listed()]).toEqual([short.url, short.url]);
    app.clock.advance(DAY_MS);
    expect([await link(), await listed()]).toEqual([lasting.url, lasting.url]);
  });
});

describe("GET /app/shares", () => {
  test("lists links newest first, page by page, revoked ones too", async () => {
    const { signedIn, share, trackId, playlistId } = await owner();
    const made = [await share(), await share(), await share({ recipient: "x" })].map(({ id }) => id);
    await signedIn("DELETE", `/app/shares/${made[0]}`);

    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await signedIn("GET", `/app/shares?limit=2${cursor}`);
      seen.push(...body.data.map((each: { id: string }) => each.id));
      cursor = body.paging.next_cursor === null ? "" : `&cursor=${body.paging.next_cursor}`;
    } while (cursor !== "");

    expect(seen.slice(0, 3)).toEqual(made.toReversed());
    expect(seen).toHaveLength(4); // the playlist's own link was made first
    const ofTrack = await signedIn("GET", `/app/shares?trackId=${trackId}`);
    expect(ofTrack.body.data.map(({ id }: { id: string }) => id)).toEqual(made.toReversed());
    const ofPlaylist = await signedIn("GET", `/app/shares?playlistId=${playlistId}`);
    expect(ofPlaylist.body.data.map(({ id }: { id: string }) => id)).toEqual([seen[3]]);
    expect(ofPlaylist.body.paging).toEqual({ limit: 50, next_cursor: null });
  });

  test.each(["limit=0", "limit=201", "cursor=nonsense", "trackId=a&playlistId=b"])(
    "refuses %s",
    async (query) => {
      const { signedIn } = await owner();

      expect((await signedIn("GET", `/app/shares?${query}`)).status).toBe(400);
    },
  );
});

describe("PATCH /app/shares/{id}", () => {
  test("changes the fields sent; null removes limits and the password", async () => {
    const { signedIn, share } = await owner();
    const made = await share({ password: "open sesame", maxUses: 2, expiresAt: "2027-01-01" });

    const same = await signedIn("PATCH", `/app/shares/${made.id}`, {});
    expect(same.body.data).toEqual(made);
    const { body } = await signedIn("PATCH", `/app/shares/${made.id}`, {
      password: null,
      maxUses: null,
      expiresAt: null,
      allowDownload: true,
    });

    expect(body.data).toEqual({
      ...made,
      hasPassword: false,
      maxUses: null,
      expiresAt: null,
      allowDownload: true,
    });
    expect((await signedIn("GET", `/app/shares/${made.id}`)).body.data).toEqual(body.data);
  });

  test("refuses to change a revoked link", async () => {
    const { signedIn, share } = await owner();
    const { id } = await share();
    await signedIn("DELETE", `/app/shares/${id}`);

    const { status, body } = await signedIn("PATCH", `/app/shares/${id}`, { maxUses: 5 });

    expect([status, body.messageCode]).toEqual([409, "invalid_transition"]);
  });
});

describe("a link that asks for approval", () => {
  test("has a recipient, who may comment", async () => {
    const { share, signedIn } = await owner();

    const made = await share({ recipient: "Ida", allowReview: true, allowComments: false });
    const asked = await signedIn("PATCH", `/app/shares/${(await share({ recipient: "Bo" })).id}`, {
      allowReview: true,
    });

    expect(made).toMatchObject({ recipient: "Ida", allowReview: true, allowComments: true });
    expect(asked.body.data).toMatchObject({ recipient: "Bo", allowReview: true, allowComments: true });
  });

  test("is not public: without a recipient it is refused, and nothing is made or changed", async () => {
    const { share, signedIn, trackId, playlistId } = await owner();
    const { id } = await share();
    const before = (await signedIn("GET", "/app/shares")).body.data;

    const refused = [
      await signedIn("POST", "/app/shares", { trackId, allowReview: true }),
      await signedIn("POST", "/app/shares", { playlistId, recipient: null, allowReview: true }),
      await signedIn("PATCH", `/app/shares/${id}`, { allowReview: true }),
      await signedIn("PATCH", `/app/shares/${id}`, { allowReview: true, recipient: null }),
    ];

    for (const { status, body } of refused) {
      expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
      expect(body.data.errors).toMatchObject([{ path: "allowReview", code: "no_recipient" }]);
    }
    expect((await signedIn("GET", "/app/shares")).body.data).toEqual(before);
  });

  test.each([
    ["its recipient", { recipient: null }, { recipient: null, allowComments: true }],
    ["its comments", { allowComments: false }, { recipient: "Ida", allowComments: false }],
  ])("no longer asks once it loses %s", async (_, change, after) => {
    const { share, signedIn } = await owner();
    const { id } = await share({ recipient: "Ida", allowReview: true });

    const { status, body } = await signedIn("PATCH", `/app/shares/${id}`, change);

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...after, allowReview: false });
  });

  test("asks on while other settings change, and in every list", async () => {
    const { share, signedIn, api } = await owner();
    const { id } = await share({ recipient: "Ida", allowReview: true });

    const renamed = await signedIn("PATCH", `/app/shares/${id}`, { recipient: "Ida Berg", maxUses: 3 });

    expect(renamed.body.data).toMatchObject({ recipient: "Ida Berg", allowReview: true });
    expect((await signedIn("GET", `/app/links/${id}`)).body.data.allowReview).toBe(true);
    expect((await api("GET", "/shares")).body.data[0]).toMatchObject({ id, allowReview: true });
  });
});

describe("a link that asks for an answer", () => {
  test("has a recipient: without one it is refused, and nothing is made", async () => {
    const { share, signedIn, trackId } = await owner();

    const asking = await share({ recipient: "Bo", askAnswer: true });
    const refused = await signedIn("POST", "/app/shares", { trackId, askAnswer: true });

    expect(asking).toMatchObject({ recipient: "Bo", askAnswer: true, allowComments: false, answer: null });
    expect([refused.status, refused.body.data.errors[0].code]).toEqual([400, "no_recipient"]);
    expect((await signedIn("GET", `/app/shares?trackId=${trackId}`)).body.data).toHaveLength(1);
  });

  test("no longer asks once it loses its recipient, and asks on while other settings change", async () => {
    const { share, signedIn } = await owner();
    const { id } = await share({ recipient: "Bo", askAnswer: true });

    const changed = await signedIn("PATCH", `/app/shares/${id}`, { allowDownload: true });
    const without = await signedIn("PATCH", `/app/shares/${id}`, { recipient: null });

    expect(changed.body.data).toMatchObject({ askAnswer: true, allowDownload: true });
    expect(without.body.data).toMatchObject({ askAnswer: false, recipient: null });
  });
});

describe("a link that opens later", () => {
  const inDays = (days: number) => new Date(app.clock.now() + days * DAY_MS).toISOString();

  test("is not active, nor the track's link, until then", async () => {
    const { share, signedIn, link } = await owner();
    const notBefore = inDays(3);
    const { id, url, ...made } = await share({ notBefore });
    const early = await link();
    app.clock.advance(3 * DAY_MS - 1);
    const last = await signedIn("GET", `/app/shares/${id}`);
    app.clock.advance(1);
    const then = await signedIn("GET", `/app/shares/${id}`);

    expect(made).toMatchObject({ notBefore, active: false });
    expect(early ?? null).toBeNull();
    expect([last.body.data.active, then.body.data.active]).toEqual([false, true]);
    expect(await link()).toBe(url);
  });

  test("opens at the beginning of a day, at once where that has passed, and at any time with null", async () => {
    const { share, signedIn } = await owner();
    const day = inDays(3).slice(0, 10);

    const later = await share({ notBefore: day });
    const passed = await share({ notBefore: "2026-01-01" });
    const { body } = await signedIn("PATCH", `/app/shares/${later.id}`, { notBefore: null });

    expect(later).toMatchObject({ notBefore: `${day}T00:00:00.000Z`, active: false });
    expect(passed).toMatchObject({ active: true });
    expect(body.data).toMatchObject({ notBefore: null, active: true });
  });

  test.each([
    ["on a day that does not exist", () => ({ notBefore: "2026-02-30" }), "invalid_date"],
    ["after its end", () => ({ notBefore: inDays(3), expiresAt: inDays(2) }), "order"],
    ["at its end", () => ({ notBefore: inDays(3), expiresAt: inDays(3) }), "order"],
  ])("is refused when it opens %s", async (_, settings, code) => {
    const { signedIn, trackId } = await owner();

    const { status, body } = await signedIn("POST", "/app/shares", { trackId, ...settings() });

    expect([status, body.data.errors[0]]).toMatchObject([400, { path: "notBefore", code }]);
  });

  test("does not end before it opens, whichever of the two changes", async () => {
    const { share, signedIn } = await owner();
    const { id } = await share({ notBefore: inDays(3), expiresAt: inDays(9) });
    const patch = (body: object) => signedIn("PATCH", `/app/shares/${id}`, body);

    const [end, opening] = [await patch({ expiresAt: inDays(2) }), await patch({ notBefore: inDays(10) })];
    const both = await patch({ notBefore: inDays(10), expiresAt: inDays(11) });

    expect(end.body.data.errors[0]).toMatchObject({ path: "expiresAt", code: "order" });
    expect(opening.body.data.errors[0]).toMatchObject({ path: "notBefore", code: "order" });
    expect(both.status).toBe(200);
  });

  test("stays closed when its playlist is made private before it opens", async () => {
    const { signedIn, share, playlistId } = await owner();
    const { id } = await share({ trackId: undefined, playlistId, notBefore: inDays(3) });

    await signedIn("DELETE", `/app/playlists/${playlistId}/public`);
    app.clock.advance(3 * DAY_MS);

    expect((await signedIn("GET", `/app/shares/${id}`)).body.data.active).toBe(false);
  });
});

describe("DELETE /app/shares/{id}", () => {
  test("revokes permanently; repeating it changes nothing", async () => {
    const { signedIn, share, announced } = await owner();
    const { id } = await share();
    app.clock.advance(1000);

    const { body } = await signedIn("DELETE", `/app/shares/${id}`);
    const first = (await signedIn("GET", `/app/shares/${id}`)).body.data;
    app.clock.advance(1000);
    const again = await signedIn("DELETE", `/app/shares/${id}`);

    expect(body.data).toEqual({ ok: true, id });
    expect(again.body).toEqual(body);
    expect(first).toMatchObject({ active: false, revokedAt: expect.any(String) });
    expect((await signedIn("GET", `/app/shares/${id}`)).body.data).toEqual(first);
    expect(announced()).toHaveLength(2);
  });
});

describe("GET /app/shares/{id}/activity", () => {
  test("lists who did what through this link, newest first", async () => {
    const { signedIn, share, trackId } = await owner();
    const [made, other] = [await share(), await share()];

    const { body } = await signedIn("GET", `/app/shares/${made.id}/activity`);

    expect(other.id).not.toBe(made.id);
    expect(body.paging).toEqual({ limit: 50, next_cursor: null });
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^act_/),
        metric: "shares",
        entity: "track",
        entityId: trackId,
        sentAt: made.createdAt,
        actor: { type: "user", name: "Someone" },
        counted: true,
        leftOut: null,
        heardSec: null,
        visit: null,
      },
    ]);
    expect((await signedIn("GET", `/app/shares/${made.id}/activity?cursor=nonsense`)).status).toBe(400);
  });
});

test.each([
  ["GET", ""],
  ["PATCH", ""],
  ["DELETE", ""],
  ["GET", "/activity"],
])("%s /app/shares/{id}%s does not find an unknown link or another account's", async (method, path) => {
  const { signedIn } = await owner();
  const foreign = await owner();
  const { id } = await foreign.share();
  const body = method === "PATCH" ? { maxUses: 1 } : undefined;

  for (const each of ["lnk_nothing", id]) {
    const answer = await signedIn(method, `/app/shares/${each}${path}`, body);
    expect([answer.status, answer.body.messageCode]).toEqual([404, "share_not_found"]);
  }
  expect((await foreign.signedIn("GET", `/app/shares/${id}`)).body.data).toMatchObject({
    maxUses: null,
    active: true,
  });
});

test.each([
  ["GET", "/app/shares"],
  ["POST", "/app/shares"],
  ["GET", "/app/shares/x"],
  ["PATCH", "/app/shares/x"],
  ["DELETE", "/app/shares/x"],
  ["GET", "/app/shares/x/activity"],
])("%s %s needs a session, not an API key", async (method, path) => {
  const { accountId } = app.createAccount();
  const key = app.createKey(accountId);

  const none = await app.request(path, { method });
  const withKey = await app.request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, "x-api-key": key },
  });

  expect([none.status, (await jsonOf(none)).messageCode]).toEqual([401, "missing_session_token"]);
  expect([withKey.status, (await jsonOf(withKey)).messageCode]).toEqual([401, "invalid_session_token"]);
});
