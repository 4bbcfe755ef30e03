import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { briefSubmissions } from "../../db/schema.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTracks, type LibraryTrack } from "../support/library.ts";

let app: TestApp;
let accountId: string;
let call: ReturnType<TestApp["signedIn"]>;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  const account = app.createAccount();
  accountId = account.accountId;
  call = app.signedIn(account.token);
});

const NIGHT: LibraryTrack = {
  title: "Cellar",
  artist: "Lumen Vale",
  bpm: 132,
  tags: { genres: ["Techno"], moods: ["Dark"] },
};
const DAY: LibraryTrack = { title: "Sunday", tags: { genres: ["Folk"], moods: ["Happy"] } };

const brief = async (body: object = {}): Promise<Json> =>
  (await call("POST", "/app/briefs", { name: "Dark techno", status: "open", ...body })).body.data;
const submit = async (briefId: string, body: object): Promise<string> =>
  (await call("POST", `/app/briefs/${briefId}/submissions`, body)).body.data.id;
const inbox = async (query = "") => (await call("GET", `/app/inbox${query}`)).body.data;
const decide = (id: string, body: object) => call("PATCH", `/app/submissions/${id}`, body);
const visible = async (trackId: string) =>
  (await call("GET", "/app/tracks")).body.data.find(({ id }: { id: string }) => id === trackId).visible;

describe("the inbox", () => {
  test("lists the submissions to open briefs, newest first, with their facts", async () => {
    const [track = ""] = addTracks(app, accountId, [NIGHT]);
    const [open, closed] = [await brief(), await brief({ name: "Draft", status: "draft" })];
    await call("PATCH", `/app/briefs/${closed.id}`, { status: "open" });
    await submit(closed.id, { link: "https://example.com/b" });
    await call("PATCH", `/app/briefs/${closed.id}`, { status: "closed" });
    await submit(open.id, { trackId: track, message: "For you" });
    await submit(open.id, { link: "https://example.com/a" });

    const items = await inbox();

    expect(items.map(({ link }: Json) => link)).toEqual(["https://example.com/a", null]);
    expect(items[1]).toMatchObject({
      briefName: "Dark techno",
      message: "For you",
      state: "new",
      note: null,
      wasAsked: false,
      track: { id: track, title: "Cellar", artist: "Lumen Vale", bpm: 132, isOwn: true, genres: ["Techno"] },
    });
    expect(await inbox(`?briefId=${closed.id}`)).toHaveLength(1);
  });

  test("keeps decisions and notes, and counts them", async () => {
    const { id } = await brief();
    const [one, two] = [
      await submit(id, { link: "https://example.com/1" }),
      await submit(id, { link: "https://example.com/2" }),
    ];
    await submit(id, { link: "https://example.com/3" });

    const { body } = await decide(one, { state: "shortlisted", note: "  The bridge! " });
    await decide(two, { state: "passed" });

    expect(body.data).toMatchObject({ state: "shortlisted", note: "The bridge!" });
    expect(body.data.decidedAt).not.toBeNull();
    expect((await call("GET", "/app/inbox/counts")).body.data).toEqual({
      new: 1,
      shortlisted: 1,
      passed: 1,
      kept: 0,
    });
    expect(await inbox("?state=passed")).toMatchObject([{ id: two }]);
    expect((await decide(two, { state: "new" })).body.data.decidedAt).toBeNull();
  });

  test("shows a kept track in the library, and hides it again when that is undone", async () => {
    const [hidden = "", shown = ""] = addTracks(app, accountId, [NIGHT, DAY]);
    await call("POST", "/app/tracks/bulk", { where: { ids: [hidden] }, do: { visible: false } });
    const { id } = await brief();
    const [one, two] = [await submit(id, { trackId: hidden }), await submit(id, { trackId: shown })];

    await decide(one, { state: "kept" });
    await decide(two, { state: "kept" });
    const kept = await visible(hidden);
    await decide(one, { state: "new" });
    await decide(two, { state: "new" });

    expect([kept, await visible(hidden), await visible(shown)]).toEqual([true, false, true]);
  });

  test("removes submissions that were passed 30 days ago", async () => {
    const { id } = await brief();
    const one = await submit(id, { link: "https://example.com/1" });
    await decide(one, { state: "passed" });

    const longAgo = app.clock.now() - 31 * DAY_MS;
    app.deps.db
      .update(briefSubmissions)
      .set({ decidedAt: longAgo })
      .where(eq(briefSubmissions.id, one))
      .run();

    expect(await inbox()).toEqual([]);
    expect((await call("GET", `/app/briefs/${id}/submissions`)).body.data).toHaveLength(1);
  });

  test("ranks submissions, and nothing else, by the text of the brief or another", async () => {
    const [night = "", day = ""] = addTracks(app, accountId, [NIGHT, DAY, { ...NIGHT, title: "Not sent" }]);
    const { id } = await brief({ description: "A dark track, 128-134 bpm" });
    await submit(id, { trackId: day });
    await submit(id, { trackId: night });

    const fit = (await call("GET", `/app/inbox/fit?briefId=${id}`)).body.data;
    const sought = (await call("GET", "/app/inbox/fit?q=happy%20folk")).body.data;

    expect(fit.query).toBe("Dark techno. A dark track, 128-134 bpm");
    expect(fit.results[0]).toMatchObject({ trackId: night });
    expect(fit.results[0].reason.length).toBeGreaterThan(0);
    expect(sought.results[0].trackId).toBe(day);
    expect(sought.results.every(({ trackId }: Json) => [night, day].includes(trackId))).toBe(true);
    expect((await call("GET", "/app/inbox/fit")).status).toBe(400);
  });

  test("is the owner's alone", async () => {
    const { id } = await brief();
    const one = await submit(id, { link: "https://example.com/1" });
    const other = app.signedIn(app.createAccount().token);

    expect((await other("PATCH", `/app/submissions/${one}`, { state: "kept" })).status).toBe(404);
    expect((await other("GET", `/app/inbox?briefId=${id}`)).status).toBe(404);
    expect((await other("GET", `/app/briefs/${id}/pack`)).status).toBe(404);
    expect((await other("GET", "/app/inbox")).body.data).toEqual([]);
  });
});

test("a submission names the person who was asked for it", async () => {
  const { id } = await brief();
  const asked = await call("POST", `/app/briefs/${id}/requests`, { name: " Ada Berg " });
  const refused = await call("POST", `/app/briefs/${id}/requests`, { message: "Would you?" });

  const page = await app.request(new URL(asked.body.data.link).pathname);

  expect(asked.body.data).toMatchObject({ name: "Ada Berg", email: "" });
  expect(refused.status).toBe(400);
  expect(await page.text()).toContain("Ada Berg");
});

describe("the shortlist pack", () => {
  test("is ranked, has one version of each song, and says what is missing in the credits", async () => {
    const [demo = "", master = "", day = "", own = ""] = addTracks(app, accountId, [
      { ...NIGHT, title: "Night Ferry demo", tags: { moods: ["Dark"] } },
      { ...NIGHT, title: "Night Ferry master" },
      DAY,
      { ...NIGHT, title: "Underpass" },
    ]);
    const { id } = await brief({ description: "Dark techno around 130 bpm" });
    for (const trackId of [demo, master, day])
      await decide(await submit(id, { trackId }), { state: "shortlisted" });
    const composer = await call("POST", "/app/composers", { fullName: "Ada Berg", ipi: "00017798450" });
    await app.as(app.createKey(accountId))("PUT", `/tracks/shareholders?id=${master}`, {
      shareholders: [{ shareholderId: composer.body.data.id, share: 85, role: "Composer" }],
    });

    const { songs } = (await call("GET", `/app/briefs/${id}/pack`)).body.data;

    expect(songs[0]).toMatchObject({ trackId: master, source: "submission", others: [{ trackId: demo }] });
    expect(songs[0].problems).toEqual(["Shares add up to 85 %", "Ada Berg has no e-mail address, society"]);
    expect(songs.map(({ trackId }: Json) => trackId)).toEqual([master, day, own]);
    expect(songs[2]).toMatchObject({ source: "library", state: null, problems: ["No composers"] });
  });

  test("keeps an order made by hand, whichever version of a song is the best one now", async () => {
    const [demo = "", master = "", day = "", own = ""] = addTracks(app, accountId, [
      { ...NIGHT, title: "Night Ferry demo", tags: { moods: ["Dark"] } },
      { ...NIGHT, title: "Night Ferry master" },
      DAY,
      { ...NIGHT, title: "Underpass" },
    ]);
    const { id } = await brief({ description: "Dark techno around 130 bpm" });
    for (const trackId of [demo, master, day])
      await decide(await submit(id, { trackId }), { state: "shortlisted" });
    const ids = async () =>
      (await call("GET", `/app/briefs/${id}/pack`)).body.data.songs.map(
        ({ trackId, isIn }: Json) => `${isIn ? "in" : "out"} ${trackId}`,
      );

    expect(await ids()).toEqual([`in ${master}`, `in ${day}`, `out ${own}`]);
    await call("PUT", `/app/briefs/${id}/pack`, { trackIds: [own, demo], leftOut: [day] });
    expect(await ids()).toEqual([`in ${own}`, `in ${master}`, `out ${day}`]);

    const other = app.signedIn(app.createAccount().token);
    const refused = await other("PUT", `/app/briefs/${id}/pack`, { trackIds: [], leftOut: [] });
    expect(refused.status).toBe(404);
  });

  test("is a playlist with a link for each recipient that ends", async () => {
    const trackIds = addTracks(app, accountId, [NIGHT, DAY]);
    const { id } = await brief();

    const { body } = await call("POST", `/app/briefs/${id}/pack`, {
      name: "For Northern Label",
      trackIds,
      recipients: ["Ida", " Ida ", "Ben"],
      expiresInDays: 7,
    });
    const unknown = await call("POST", `/app/briefs/${id}/pack`, {
      name: "x",
      trackIds: ["trk_none"],
      recipients: ["Ida"],
    });

    const { playlistId, links } = body.data;
    expect(links.map(({ recipient }: Json) => recipient)).toEqual(["Ida", "Ben"]);
    expect(new Set(links.map(({ url }: Json) => url)).size).toBe(2);
    expect(Date.parse(links[0].expiresAt) - app.clock.now()).toBeLessThanOrEqual(7 * DAY_MS);
    const listed = (await call("GET", `/app/playlists/${playlistId}/tracks`)).body.data;
    expect(listed.map((row: Json) => row.id)).toEqual(trackIds);
    expect((await app.request(new URL(links[0].url).pathname)).status).toBe(200);
    expect(unknown.status).toBe(404);
  });
});
