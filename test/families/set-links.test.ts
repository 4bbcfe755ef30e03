import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { attributesOf, createVisitor, textOf } from "../pages/visitor.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { unzipped } from "../support/unzipped.ts";

let app: TestApp;
let owner: ReturnType<TestApp["createAccount"]>;
let key: ReturnType<TestApp["as"]>;
let web: ReturnType<TestApp["signedIn"]>;
let hertz = 300;

async function upload(name: string, body?: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData();
  hertz += 7;
  const bytes = body ?? (wavBytes([sine(8000, 1, hertz)], 8000, 16) as Uint8Array<ArrayBuffer>);
  form.append("files", new File([bytes], name));
  app.clock.advance(1000);
  const { uploaded } = (await key("POST", "/tracks/upload", form)).body.data;
  return uploaded[0].id;
}

beforeAll(async () => {
  app = await createTestApp();
  owner = app.createAccount();
  key = app.as(app.createKey(owner.accountId));
  web = app.signedIn(owner.token);
});
afterAll(() => app.close());

const join = (id: string, body: Json) => key("PUT", `/tracks/${id}/family`, body);

/** A set of a mix, its instrumental and a stem, with a link to the instrumental that brings all of it. */
async function sharedSet(settings: Json = {}) {
  const mix = await upload("Tide.wav");
  const inst = await upload("Tide Inst.wav");
  const drums = await upload("Tide Drums.wav");
  await join(inst, { with: mix, kind: "instrumental" });
  await join(drums, { with: mix, kind: "stem", part: "drums" });
  const { body } = await web("POST", "/app/shares", { trackId: inst, wholeFamily: true, ...settings });
  const visitor = createVisitor(app);
  const path = new URL(body.data.url).pathname;
  return { mix, inst, drums, link: body.data, visitor, path, open: () => visitor.open(path) };
}

const tracksOf = (html: string) => attributesOf(html, "data-track");

describe("a link to a whole set", () => {
  test("shows the main mix large and the others below, and plays each at its own address", async () => {
    const { mix, inst, drums, link, open, visitor } = await sharedSet();
    const page = await open();

    expect(link.wholeFamily).toBe(true);
    expect(page.text).toContain("<h1>Tide</h1>");
    expect(textOf(page)).toContain("Also in this set");
    expect(textOf(page)).toContain("Stem: drums");
    expect(tracksOf(page.text)).toEqual([mix, inst, drums]);
    for (const address of attributesOf(page.text, "data-src"))
      expect((await visitor.open(address)).status).toBe(200);
  });

  test("is live: what joins later is on it, and what leaves, goes into the bin or is kept off links is not", async () => {
    const { mix, inst, drums, open, visitor } = await sharedSet();
    const clean = await upload("Tide Clean.wav");
    await join(clean, { with: mix, kind: "clean" });
    const before = (await open()).text;
    expect(tracksOf(before)).toEqual([mix, inst, clean, drums]);
    const sources = attributesOf(before, "data-src");
    const status = async (index: number) => (await visitor.open(sources[index] ?? "")).status;

    await join(clean, { with: mix, kind: "clean", hiddenFromLinks: true });
    expect(tracksOf((await open()).text)).toEqual([mix, inst, drums]);
    expect(await status(2)).toBe(404);
    await web("DELETE", `/app/tracks/${drums}`);
    expect(tracksOf((await open()).text)).toEqual([mix, inst]);
    expect(await status(3)).toBe(404);
    await key("DELETE", `/tracks/${mix}/family`);
    expect(tracksOf((await open()).text)).toEqual([inst]);
    expect([await status(0), await status(1)]).toEqual([404, 200]);
  });

  test("shows nothing of a file that could not be read, and no track of the Inbox", async () => {
    const { mix, inst, drums, open } = await sharedSet();
    const broken = await upload("Broken.wav");
    await join(broken, { with: mix, kind: "other" });
    app.deps.db.$client.run(
      "UPDATE tracks SET analysis_status = 'failed', analysis_version_id = NULL WHERE id = ?",
      [broken],
    );

    expect(tracksOf((await open()).text)).toEqual([mix, inst, drums]);
  });

  test("ends its addresses at once when it no longer brings the set", async () => {
    const { inst, link, open, visitor, path } = await sharedSet({ allowDownload: true });
    const before = (await open()).text;
    const all = attributesOf(before, "href").find((href) => href.includes("/download?")) ?? "";
    const [ofMix = "", ofInst = ""] = attributesOf(before, "data-src");
    const [wave = ""] = attributesOf(before, "data-wave");
    const [download = ""] = attributesOf(before, "href").filter((href) => href.includes("/download/"));
    const renewal = { version: attributesOf(before, "data-version")[0] ?? "" };
    await web("PATCH", `/app/shares/${link.id}`, { wholeFamily: false });

    expect(tracksOf((await open()).text)).toEqual([inst]);
    for (const address of [ofMix, wave, download, all])
      expect((await visitor.open(address)).status).toBe(404);
    expect((await visitor.post(`${path}/heard/${renewal.version}`, { parts: "0-1" })).status).toBeOneOf([
      403, 404,
    ]);
    expect((await visitor.open(ofInst)).status).toBe(200);
  });

  test("packs everything in folders by kind", async () => {
    const { mix, open, visitor } = await sharedSet({ allowDownload: true });
    const short = await upload("Tide 30.wav");
    await join(short, { with: mix, kind: "main", editSec: 30 });
    const page = await open();
    expect(textOf(page)).toContain("Download all");
    const all = attributesOf(page.text, "href").find((href) => href.includes("/download?")) ?? "";
    const answer = await app.request(all, { headers: { "user-agent": "Mozilla/5.0 Chrome/140.0" } });

    expect(answer.headers.get("content-disposition")).toContain("Tide.zip");
    expect(unzipped(await answer.bytes()).map(({ name }) => name)).toEqual([
      "Main mix/Tide.wav",
      "Instrumental/Tide Inst.wav",
      "Main mix/Tide 30.wav",
      "Stems/Tide Drums.wav",
    ]);
    const without = await sharedSet();
    expect(textOf(await without.open())).not.toContain("Download");
    expect((await visitor.open(`${without.path}/download?e=1&s=AAAAAAAAAAAAAAAAAAAAAA`)).status).toBe(403);
  });

  test("counts a play for the track that sounded, and keeps its password and end for all of them", async () => {
    const { drums, link, open, visitor } = await sharedSet();
    const html = (await open()).text;
    const address = attributesOf(html, "data-src")[2] ?? "";
    await visitor.open(`${address}&plain`);
    app.clock.advance(40 * 60_000);
    app.app.counting.flush();
    const log = (await web("GET", `/app/shares/${link.id}/activity`)).body.data;
    expect(log.filter(({ metric }: Json) => metric === "plays")).toMatchObject([{ entityId: drums }]);

    await web("DELETE", `/app/shares/${link.id}`);
    expect((await visitor.open(address)).status).toBe(403);
  });

  test("says how many links there are before something joins, and not to guests or by links of one track", async () => {
    const { mix, inst } = await sharedSet();
    const links = async (id: string) => (await key("GET", `/tracks/${id}/family`)).body.data.liveLinks;
    await web("POST", "/app/shares", { trackId: mix, wholeFamily: true, recipient: "Bo" });
    await web("POST", "/app/shares", { trackId: mix });
    const off = (await web("POST", "/app/shares", { trackId: mix, wholeFamily: true })).body.data;
    await web("PATCH", `/app/shares/${off.id}`, { shared: false });

    expect([await links(mix), await links(inst)]).toEqual([2, 2]);
    expect(await links(await upload("Alone.wav"))).toBe(0);
  });
});

test("a playlist has no set to bring along", async () => {
  const trackId = await upload("One.wav");
  const made = await key("POST", "/playlists", { name: "P", trackIds: [trackId] });
  const playlistId = made.body.data.playlist.id;

  const refused = await web("POST", "/app/shares", { playlistId, wholeFamily: true });
  expect([refused.status, refused.body.messageCode]).toEqual([400, "validation_failed"]);
  const { id } = (await web("POST", "/app/shares", { playlistId })).body.data;
  expect((await web("PATCH", `/app/shares/${id}`, { wholeFamily: true })).status).toBe(400);
  expect((await web("PATCH", `/app/shares/${id}`, { wholeFamily: false })).status).toBe(200);
});

test("the notes of a set's link are on the tracks that they were made on", async () => {
  const { drums, mix, open, visitor, path, link } = await sharedSet({ allowComments: true });
  const html = (await open()).text;
  const [, form = ""] =
    new RegExp(`action="${path}/comments[^"]*"[^>]*>([\\s\\S]*?)</form>`).exec(html) ?? [];
  const proof = Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([es])" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );
  const write = (trackId: string) =>
    visitor.post(`${path}/comments`, { ...proof, track: trackId, name: "Bo", text: "Louder", at: "0:00" });
  expect((await write(drums)).status).toBeOneOf([302, 303]);
  await web("PATCH", `/app/shares/${link.id}`, { wholeFamily: false });
  expect((await write(mix)).status).toBe(404);

  const notes = async (id: string) => (await key("GET", `/tracks/${id}/comments`)).body.data;
  expect(await notes(drums)).toMatchObject([{ text: "Louder" }]);
  expect(await notes(mix)).toEqual([]);
});
