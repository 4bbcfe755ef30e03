import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq, inArray } from "drizzle-orm";
import { comments, reviews, shareAnswers, tracks, versions } from "../../db/schema.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { addPlaylistRows, CREATED_AT, type TrackOptions } from "../support/track-rows.ts";
import { attributesOf, createVisitor, type Seen } from "./visitor.ts";

/** Largest allowed page, in bytes. */
const LIMIT = 500_000;
/** The character that takes the most bytes in a page. */
const WIDEST = '"';
const MANY = 10_000;

let app: TestApp;
let owner: ReturnType<typeof account>;
let many: { id: string; trackIds: string[] };
beforeAll(async () => {
  app = await createTestApp({ settings: { registrationOpen: true } });
  owner = account("mara@example.com");
  many = addPlaylist(MANY, (number) => ({
    title: `Track ${number}`,
    artist: "The Lowlands",
    durationSec: 60,
  }));
});
afterAll(() => app.close());

function account(email: string) {
  const { accountId, token } = app.createAccount(email);
  return { accountId, email, signedIn: app.signedIn(token), api: app.as(app.createKey(accountId)) };
}

function addPlaylist(count: number, optionsOf: (number: number) => TrackOptions, columns = {}) {
  return addPlaylistRows(app.deps.db, owner.accountId, count, optionsOf, columns);
}

async function share(settings: object): Promise<{ id: string; path: string }> {
  const { body } = await owner.signedIn("POST", "/app/shares", settings);
  return { id: body.data.id, path: new URL(body.data.url).pathname };
}

/** Adds `count` comments through a link, one second apart. */
function addComments(
  shareId: string,
  trackIds: readonly string[],
  count: number,
  words: (number: number) => string,
) {
  const row = (number: number) => ({
    id: newId("cmt"),
    trackId: trackIds[number % trackIds.length] ?? "",
    shareId,
    authorName: WIDEST.repeat(80),
    text: words(number),
    createdAt: CREATED_AT + 1000 * number,
  });
  for (let number = 0; number < count; number++) app.deps.db.insert(comments).values(row(number)).run();
}

const sizeOf = ({ text }: Pick<Seen, "text">) => Buffer.byteLength(text);
/** Returns where the lists of a page continue: for links, and for the script. */
const linksOf = (text: string) => ({
  pages: [...text.matchAll(/<a class="button secondary" href="([^"]*)" rel="next"/g)].map(([, href = ""]) =>
    href.replaceAll("&amp;", "&"),
  ),
  lists: attributesOf(text, "data-list"),
});
const titlesOf = ({ text }: Seen) => attributesOf(text, "data-title");
const numbersOf = ({ text }: Seen) =>
  [...text.matchAll(/class="track-number">(\d+)</g)].map(([, number]) => Number(number));
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

describe("a playlist of 10,000 tracks", () => {
  test("opens with the first 200, and has links to the next and previous pages without a script", async () => {
    const { path } = await share({ playlistId: many.id, allowDownload: true, allowComments: true });
    const visitor = createVisitor(app);

    const first = await visitor.open(path);
    const second = await visitor.open(linksOf(first.text).pages[0] ?? "");

    expect(first.text).toContain("10000 tracks · Shared by Someone");
    expect(numbersOf(first)).toEqual(upTo(200));
    expect(numbersOf(second)).toEqual(upTo(200, 201));
    expect(second.text).toContain(' start="201"');
    expect(titlesOf(second)[0]).toBe("Track 201");
    expect(second.text).toContain(`<a href="${path}">From the first track on</a>`);
    expect(sizeOf(first)).toBeLessThan(LIMIT);
  });

  test("opens at a later page through the button for people mistaken for bots", async () => {
    const { path } = await share({ playlistId: many.id, maxUses: 2 });
    const [later = ""] = linksOf((await createVisitor(app).open(path)).text).pages;
    const visitor = createVisitor(app);

    const asked = await visitor.open(later, { "user-agent": "curl/8.5.0" });
    const [action = ""] = attributesOf(asked.text, "action");
    const [e = "", s = ""] = attributesOf(asked.text, "value");
    const opened = await visitor.post(action, { e, s });

    expect(asked.text).toContain("Open the playlist");
    expect(titlesOf(opened)[0]).toBe("Track 201");
  });

  test("loads to its last track by script, in order and without gaps", async () => {
    const { path } = await share({ playlistId: many.id });
    const visitor = createVisitor(app);
    let part = await visitor.open(path);
    const [seen, sizes]: [string[], number[]] = [titlesOf(part), [sizeOf(part)]];

    for (let [next] = linksOf(part.text).lists; next; [next] = linksOf(part.text).lists) {
      part = await createVisitor(app).open(next);
      seen.push(...titlesOf(part));
      sizes.push(sizeOf(part));
    }

    expect(seen).toEqual(upTo(MANY).map((number) => `Track ${number}`));
    expect(Math.max(...sizes)).toBeLessThan(LIMIT);
    expect(part.text).not.toContain("<html");
  });

  test("plays a track of a later page, and accepts a comment on it without a script", async () => {
    const { path } = await share({ playlistId: many.id, allowComments: true });
    const visitor = createVisitor(app);
    const { text } = await visitor.open(linksOf((await visitor.open(path)).text).pages[0] ?? "");
    const [action = ""] = attributesOf(text, "action");
    const [e = "", s = ""] = ["e", "s"].map(
      (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1],
    );
    const comment = { e, s, track: many.trackIds[250] ?? "", name: "Ben", text: "Lovely", at: "" };

    const wrong = await visitor.post(action, { ...comment, text: "" });
    const right = await visitor.post(action, comment);
    const back = await visitor.open(right.location?.replace("#comments", "") ?? "");

    expect(wrong.status).toBe(400);
    expect([numbersOf(wrong)[0], numbersOf(back)[0]]).toEqual([201, 201]);
    expect(wrong.text).toContain(`<option value="${many.trackIds[250]}" selected>`);
    expect(back.text).toContain('<span class="soft">Track 251</span>');
    expect((await visitor.open(path)).text).toContain('<span class="soft">Track 251</span>');
  });

  test("serves the rest only to visitors of the page: with its password, and until the link is closed", async () => {
    const { path, id } = await share({ playlistId: many.id, password: "open sesame" });
    const visitor = createVisitor(app);
    await visitor.post(path, { password: "open sesame" });
    const [next = ""] = linksOf((await visitor.open(path)).text).lists;
    const status = async (address: string) => (await createVisitor(app).open(address)).status;

    expect(await status(next)).toBe(200);
    expect(await status(next.replace(/s=[^&]*/, ""))).toBe(403);
    expect(await status(next.replace(/after=[^&]*/, "after=nonsense"))).toBe(400);
    const [page = ""] = linksOf((await visitor.open(path)).text).pages;
    expect((await createVisitor(app).open(page)).text).toContain("<h1>A private link</h1>");
    expect((await visitor.open(page)).text).toContain("Track 201");
    await owner.signedIn("PATCH", `/app/shares/${id}`, { password: "another one" });
    expect(await status(next)).toBe(403);
    await owner.signedIn("DELETE", `/app/shares/${id}`);
    expect(await status(next)).toBe(403);
  });

  test("counts as one visit and one view, however much is loaded", async () => {
    const { path, id } = await share({ playlistId: many.id, maxUses: 1 });
    const visitor = createVisitor(app);
    const { lists } = linksOf((await visitor.open(path)).text);
    await visitor.post(`${path}/seen`, {});
    await visitor.open(lists[0] ?? "");

    const { body } = await owner.signedIn("GET", `/app/shares/${id}/activity`);
    const counts = body.data.map(({ metric, leftOut }: Record<string, unknown>) => `${metric} ${leftOut}`);
    expect(counts).toEqual(["views null", "shares null"]);
    expect((await owner.signedIn("GET", `/app/shares/${id}`)).body.data.uses).toBe(1);
  });

  test("keeps its order and numbers when tracks are moved and removed meanwhile", async () => {
    const list = addPlaylist(450, (number) => ({ title: `Track ${number}` }));
    const { path } = await share({ playlistId: list.id });
    const visitor = createVisitor(app);
    const [next = ""] = linksOf((await visitor.open(path)).text).lists;

    await owner.api("DELETE", `/playlists/${list.id}/tracks/${list.trackIds[199]}`);
    const after = await visitor.open(next);

    expect(titlesOf(after).slice(0, 2)).toEqual(["Track 201", "Track 202"]);
    expect(numbersOf(after)[0]).toBe(200);
  });
});

describe("no page is larger than 500 KB, whatever people write", () => {
  const widest = { title: WIDEST.repeat(2000), artist: WIDEST.repeat(2000) };
  const columns = { name: WIDEST.repeat(120), description: WIDEST.repeat(2000) };

  /** Opens a page and all continuations of its lists, and returns the sizes. */
  async function sizesFrom(visitor: ReturnType<typeof createVisitor>, path: string): Promise<number[]> {
    const sizes: number[] = [];
    const waiting = [path];
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const part = await visitor.open(address);
      expect(part.status).toBe(200);
      sizes.push(sizeOf(part));
      const { pages, lists } = linksOf(part.text);
      waiting.push(...(address === path ? pages.map((href) => href.replace("#comments", "")) : []), ...lists);
    }
    return sizes;
  }

  test("a playlist of the longest titles, with the longest comments, stays below 500 KB", async () => {
    const list = addPlaylist(250, () => widest, columns);
    const settings = { allowDownload: true, allowComments: true, recipient: WIDEST.repeat(320) };
    const link = await share({ playlistId: list.id, ...settings });
    addComments(link.id, list.trackIds, 60, () => WIDEST.repeat(2000));
    const visitor = createVisitor(app);

    expect(Math.max(...(await sizesFrom(visitor, link.path)))).toBeLessThan(LIMIT);
    const { text } = await visitor.open(link.path);
    const [e = "", s = ""] = ["e", "s"].map(
      (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1],
    );
    const words = WIDEST.repeat(6000);
    const draft = { e, s, track: list.trackIds[0] ?? "", name: words, at: words, text: words };
    const refused = await visitor.post(`${link.path}/comments`, draft);
    expect(refused.status).toBe(400);
    expect(sizeOf(refused)).toBeLessThan(LIMIT);
  });

  test("a playlist of many tracks with usual titles and many comments stays below 500 KB", async () => {
    const list = addPlaylist(1000, (number) => ({
      title: `Night Ferry, mix ${number} of many`,
      artist: "The Lowlands",
    }));
    const link = await share({ playlistId: list.id, allowDownload: true, allowComments: true });
    addComments(link.id, list.trackIds, 1000, (number) => `${number}: ${"so it goes ".repeat(20)}`);

    expect(Math.max(...(await sizesFrom(createVisitor(app), link.path)))).toBeLessThan(LIMIT);
  });

  test("a playlist of the longest titles that asks for approval and answers, with the longest notes, replies and answers, stays below 500 KB", async () => {
    const list = addPlaylist(250, () => widest, columns);
    app.deps.db
      .update(versions)
      .set({ label: WIDEST.repeat(80) })
      .run();
    const asks = { allowReview: true, askAnswer: true, recipient: WIDEST.repeat(320) };
    const link = await share({ playlistId: list.id, ...asks });
    addComments(link.id, list.trackIds, 60, () => WIDEST.repeat(2000));
    const visitor = createVisitor(app);
    const shown = attributesOf((await visitor.open(link.path)).text, "id").filter((id) =>
      id.startsWith("cmt_"),
    );
    for (const note of app.deps.db.select().from(comments).where(inArray(comments.id, shown)).all())
      for (let number = 0; number < 60; number++) {
        const reply = { ...note, id: newId("cmt"), parentId: note.id, createdAt: CREATED_AT + number };
        app.deps.db
          .insert(comments)
          .values({ ...reply, shareId: null })
          .run();
      }
    for (const trackId of list.trackIds) {
      const track = app.deps.db.select().from(tracks).where(eq(tracks.id, trackId)).get();
      const said = { state: "changes" as const, text: WIDEST.repeat(2000), at: CREATED_AT, name: "B" };
      app.deps.db
        .insert(reviews)
        .values({
          ...said,
          id: newId("rev"),
          trackId,
          versionId: track?.activeVersionId ?? "",
          shareId: link.id,
        })
        .run();
      const answered = { answer: "instrumental" as const, text: WIDEST.repeat(1000), at: CREATED_AT };
      app.deps.db
        .insert(shareAnswers)
        .values({ ...answered, id: newId("ans"), trackId, shareId: link.id })
        .run();
    }
    const sizes = await sizesFrom(visitor, link.path);

    expect(Math.max(...sizes)).toBeLessThan(LIMIT);
    const { text } = await visitor.open(link.path);
    const rest = attributesOf(text, "href").find((href) => href.includes("note="));
    const more = await visitor.open((rest ?? "").replace(/#.*/, ""));
    expect(more.text).toContain("more replies");
    expect(sizeOf(more)).toBeLessThan(LIMIT);
  });

  test("a track with thousands of comments shows them all, newest first, below 500 KB a page", async () => {
    const { trackIds } = addPlaylist(1, () => widest);
    const link = await share({ trackId: trackIds[0], allowComments: true });
    addComments(
      link.id,
      trackIds,
      1500,
      (number) => `Number ${number}.${WIDEST.repeat(number % 7 ? 20 : 1900)}`,
    );
    const visitor = createVisitor(app);

    expect(Math.max(...(await sizesFrom(visitor, link.path)))).toBeLessThan(LIMIT);
    let part = await visitor.open(link.path);
    const seen: number[] = [];
    for (;;) {
      seen.push(...[...part.text.matchAll(/Number (\d+)\./g)].map(([, number]) => Number(number)));
      const [next] = linksOf(part.text).lists;
      if (!next) break;
      part = await visitor.open(next);
    }
    expect(seen).toEqual(upTo(1500, 0).reverse());
    const [older = ""] = linksOf((await visitor.open(link.path)).text).pages;
    expect((await visitor.open(older.replace("#comments", ""))).text).toContain(">Newest comments</a>");
  });

  test("the owner's page of a playlist stays below 500 KB", async () => {
    const list = addPlaylist(250, () => widest, columns);
    const visitor = createVisitor(app);
    await visitor.post("/signin", { email: owner.email, password: "correct horse battery" });

    const sizes = await sizesFrom(visitor, `/library/playlists/${list.id}/plain`);

    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(LIMIT);
  });

  test("a brief's page, its form after an error, and its thank-you page stay below 500 KB", async () => {
    const made = await owner.signedIn("POST", "/app/briefs", {
      name: WIDEST.repeat(200),
      description: WIDEST.repeat(5000),
      status: "open",
      publicPage: true,
    });
    const path = new URL(made.body.data.publicUrl).pathname;
    const send = async (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const origin = "http://127.0.0.1:4747";
      const init = { method: "POST", body: form, headers: { origin }, redirect: "manual" as const };
      const response = await app.request(path, init);
      return {
        status: response.status,
        location: response.headers.get("location"),
        text: await response.text(),
      };
    };
    const uploads: string[] = [];
    for (let number = 0; number < 60; number++) {
      const name = Buffer.from(`${number}${WIDEST.repeat(240)}.wav`).toString("base64");
      const headers = {
        "tus-resumable": "1.0.0",
        "upload-length": "10",
        "upload-metadata": `filename ${name}`,
      };
      const announced = await app.request(`${path}/uploads`, { method: "POST", headers });
      uploads.push(announced.headers.get("location")?.split("/").at(-1) ?? "");
    }
    const long = WIDEST.repeat(1_000_000);

    const page = await createVisitor(app).open(path);
    const refused = await send({
      name: long,
      email: long,
      message: long,
      links: long,
      uploads: uploads.join(" "),
    });
    const links = upTo(25).map((number) => `https://a.example/${number}${WIDEST.repeat(1970)}`);
    const taken = await send({ name: "Ada", links: links.join("\n") });
    const thanks = await createVisitor(app).open(taken.location ?? "");
    const signUp = { email: WIDEST.repeat(10_000), name: WIDEST.repeat(10_000), password: "short" };
    const notSignedUp = await createVisitor(app).post(taken.location ?? "", signUp);

    expect([page, refused, taken, thanks, notSignedUp].map(({ status }) => status)).toEqual([
      200, 400, 303, 200, 400,
    ]);
    const sizes = [page, refused, thanks, notSignedUp].map(sizeOf);
    expect(Math.max(...sizes)).toBeLessThan(LIMIT);
  });

  test("the sign-in page, and the consent page of an app, stay below 500 KB", async () => {
    const visitor = createVisitor(app);
    const long = WIDEST.repeat(20_000);
    const signIn = await visitor.post("/signin", { email: long, password: "x", next: "/" });
    const signUp = await visitor.post("/signup", {
      email: WIDEST.repeat(9_000),
      name: WIDEST.repeat(9_000),
      password: "x",
    });
    const redirect = `http://127.0.0.1:9/${"a".repeat(1000)}`;
    const registered = await app.request("/oauth/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: WIDEST.repeat(5000), redirect_uris: [redirect] }),
    });
    const { client_id } = await jsonOf(registered);
    await visitor.post("/signin", { email: owner.email, password: "correct horse battery" });
    const asked = new URLSearchParams({
      client_id,
      redirect_uri: redirect,
      response_type: "code",
      code_challenge: "a".repeat(43),
      code_challenge_method: "S256",
      state: WIDEST.repeat(2000),
    });
    const consent = await visitor.open(`/oauth/authorize?${asked}`);

    expect([signIn, signUp, consent].map(({ status }) => status)).toEqual([401, 400, 200]);
    expect(Math.max(...[signIn, signUp, consent].map(sizeOf))).toBeLessThan(LIMIT);
  });
});
