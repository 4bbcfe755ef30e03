import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { activity, comments, reviews, shareAnswers } from "../../db/schema.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { attributesOf, createVisitor, textOf } from "./visitor.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const SECRET = "Halo Before Dawn";
const ENTITIES = ["track", "playlist"] as const;
type Entity = (typeof ENTITIES)[number];

/** Makes a library with a playlist of two tracks; `share` returns a link to the first, or to the playlist. */
async function library() {
  const { accountId, token } = app.createAccount();
  const add = (name: string) =>
    addTrackRows(app.deps.db, accountId, { name, title: SECRET, durationSec: 187.25, measured: {} });
  const [first, second] = [add("a.wav"), add("b.wav")];
  const made = await app.as(app.createKey(accountId))("POST", "/playlists", {
    name: SECRET,
    trackIds: [first.id, second.id],
  });
  const signedIn = app.signedIn(token);
  return {
    first,
    signedIn,
    share: async (entity: Entity, settings: object = {}) => {
      const of = entity === "track" ? { trackId: first.id } : { playlistId: made.body.data.playlist.id };
      const { body } = await signedIn("POST", "/app/shares", { ...of, ...settings });
      return { id: body.data.id as string, path: new URL(body.data.url).pathname };
    },
  };
}

const EVERYTHING = {
  recipient: "Bo Berg",
  allowDownload: true,
  allowComments: true,
  allowReview: true,
  askAnswer: true,
  showDetails: true,
};

/** Everything that a page of a link gives its visitor: addresses, and the proofs of its forms. */
function gatesOf(html: string, path: string) {
  const all = (name: string) => attributesOf(html, name);
  const form = (action: string) => {
    const [, inner = ""] =
      new RegExp(`action="${path}/${action}[^"]*"[^>]*>([\\s\\S]*?)</form>`).exec(html) ?? [];
    return Object.fromEntries(
      [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name = "", value = ""]) => [name, value],
      ),
    );
  };
  const [listen = "", wave = ""] = [...all("data-src"), ...all("data-wave").slice(0, 1)];
  const hrefs = all("href");
  return {
    listen,
    waveform: all("data-wave")[0] ?? wave,
    download: hrefs.find((href) => href.includes("/download/")) ?? "",
    archive: hrefs.find((href) => href.includes("/download?")) ?? "",
    form,
  };
}

/** A request for each route below a link, as its page would make it; `undefined`: the page has no such address. */
function requestsOf(entity: Entity, path: string, html: string, versionId: string, noteId: string) {
  const { listen, waveform, download, archive, form } = gatesOf(html, path);
  const proof = listen.slice(listen.indexOf("?"));
  const { e = "", s = "", version = "" } = form("review");
  const answered = { e, s, version };
  const typed = { name: "Bo", text: "Hi" };
  const post = (to: string, fields: Record<string, string>) => ({ method: "POST", to, fields });
  const get = (to: string) => ({ method: "GET", to, fields: undefined });
  return {
    [`GET /${entity}/:token`]: get(path),
    [`POST /${entity}/:token`]: post(path, { password: "anything" }),
    [`POST /${entity}/:token/comments`]: post(`${path}/comments`, { ...form("comments"), ...typed }),
    [`GET /${entity}/:token/listen/:version`]: get(listen),
    [`GET /${entity}/:token/download/:version`]: get(download),
    [`GET /${entity}/:token/download`]: get(archive || `${path}/download${proof}`),
    [`GET /${entity}/:token/waveform/:version`]: get(waveform),
    [`GET /${entity}/:token/seen`]: get(`${path}/seen`),
    [`POST /${entity}/:token/seen`]: post(`${path}/seen`, {}),
    [`POST /${entity}/:token/heard/:version`]: post(listen.replace("/listen/", "/heard/"), {
      parts: "0-100",
      at: "100",
    }),
    [`POST /${entity}/:token/review`]: post(`${path}/review`, { ...form("review"), state: "approved" }),
    [`POST /${entity}/:token/answer`]: post(`${path}/answer`, { ...form("answer"), answer: "interested" }),
    [`POST /${entity}/:token/comments/:id/answered`]: post(`${path}/comments/${noteId}/answered`, {
      ...answered,
      answered: "true",
    }),
    [`GET /${entity}/:token/comments`]: get(`${path}/comments?${proof.slice(1)}`),
    [`GET /${entity}/:token/renewed/:version`]: get(`${path}/renewed/${versionId}`),
    ...(entity === "playlist" && { "GET /playlist/:token/tracks": get(`${path}/tracks${proof}`) }),
  };
}

test.each(ENTITIES)(
  "before a %s's link opens, every address below it is refused and says nothing",
  async (entity) => {
    const { first, signedIn, share } = await library();
    const { id, path } = await share(entity, EVERYTHING);
    const visitor = createVisitor(app);
    const open = await visitor.open(path);
    const commented = await visitor.post(`${path}/comments`, {
      ...gatesOf(open.text, path).form("comments"),
      track: first.id,
      name: "Bo",
      text: "Hi",
    });
    expect(commented.status).toBe(303);
    const [note] = app.deps.db.select().from(comments).where(eq(comments.shareId, id)).all();
    const requests = requestsOf(entity, path, open.text, first.versionId, note?.id ?? "");
    const routes = app.app.routes.map(({ method, path: at }) => `${method} ${at}`);
    const below = new Set(routes.filter((each) => each.startsWith("GET /") || each.startsWith("POST /")));
    expect(Object.keys(requests).toSorted()).toEqual(
      [...below].filter((each) => each.includes(` /${entity}/:token`)).toSorted(),
    );
    const rowsBefore = app.deps.db.select().from(activity).where(eq(activity.shareId, id)).all().length;

    const notBefore = new Date(app.clock.now() + DAY_MS).toISOString();
    await signedIn("PATCH", `/app/shares/${id}`, { notBefore });

    for (const [route, { method, to, fields }] of Object.entries(requests)) {
      const kinds: Record<string, string>[] = [{}, { range: "bytes=0-9" }, { accept: "application/json" }];
      for (const headers of kinds) {
        const answer = fields ? await visitor.post(to, fields, headers) : await visitor.open(to, headers);
        expect([route, headers, answer.status]).toEqual([route, headers, 404]);
        expect(answer.text).not.toContain(SECRET);
        expect([...answer.headers.keys()].join(" ")).not.toMatch(
          /content-(range|disposition)|etag|set-cookie/,
        );
      }
      if (method === "GET") expect([route, (await visitor.head(to)).status]).toEqual([route, 404]);
    }
    const ofShare = <Row extends { shareId: string | null }>(rows: Row[]) =>
      rows.filter((row) => row.shareId === id);
    expect(ofShare(app.deps.db.select().from(comments).all())).toHaveLength(1);
    expect(ofShare(app.deps.db.select().from(reviews).all())).toHaveLength(0);
    expect(ofShare(app.deps.db.select().from(shareAnswers).all())).toHaveLength(0);
    expect(ofShare(app.deps.db.select().from(activity).all())).toHaveLength(rowsBefore);

    app.clock.advance(DAY_MS);
    expect((await visitor.open(path)).text).toContain(SECRET);
  },
);

test("the page before says when it opens, in a sentence, and nothing of what it leads to", async () => {
  const { share } = await library();
  const notBefore = "2026-03-03T18:00:00Z";
  const { path } = await share("track", { notBefore, password: "hidden words", maxUses: 1 });
  const visitor = createVisitor(app);

  const page = await visitor.open(path);

  expect(page.status).toBe(404);
  expect(textOf(page)).toContain("This opens on 3 March at 18:00.");
  expect(page.text).not.toMatch(/Halo|Someone|password|og:(image|description)|<audio|player|artwork/i);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(visitor.cookieNames()).toEqual([]);
  const bot = await visitor.open(path, { "user-agent": "Slackbot-LinkExpanding 1.0" });
  expect([bot.status, bot.text]).toEqual([404, page.text]);
});

test("the page names the year where that is another one", async () => {
  const { share } = await library();
  const { path } = await share("track", { notBefore: "2027-12-01T09:05:00+01:00" });

  expect(textOf(await createVisitor(app).open(path))).toContain("This opens on 1 December 2027 at 08:05.");
});

test("a link that has ended says so, though it would open later", async () => {
  const { share, signedIn } = await library();
  const { id, path } = await share("track", { notBefore: new Date(app.clock.now() + DAY_MS).toISOString() });

  await signedIn("DELETE", `/app/shares/${id}`);

  expect(textOf(await createVisitor(app).open(path))).toContain("This link was closed");
});
