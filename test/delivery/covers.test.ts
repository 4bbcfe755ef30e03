import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseBuffer } from "music-metadata";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { cmykJpeg, picture, transparentPng, withExif } from "../support/pictures.ts";
import { unzipped } from "../support/unzipped.ts";

const TONE = readFileSync(join(import.meta.dir, "../fixtures/tone.flac"));
const PLACE = "52.5200 N 13.4050 E, the kitchen";

let app: TestApp;
let large: Buffer;
beforeAll(async () => {
  app = await createTestApp();
  large = await picture("jpeg", { width: 3000, height: 3000 });
});
afterAll(() => app.close());

const filesIn = (folder: string) => {
  const dir = join(app.deps.settings.dataDir, folder);
  return existsSync(dir) ? readdirSync(dir).sort() : [];
};

/** An owner with an album of one song. */
async function album() {
  const { accountId, token } = app.createAccount();
  const key = app.as(app.createKey(accountId));
  const form = new FormData();
  form.append("files", new File([TONE], "one.flac"));
  const uploaded = await key("POST", "/tracks/upload", form);
  const [trackId]: string[] = uploaded.body.data.uploaded.map(({ id }: Json) => id);
  const made = await key("POST", "/playlists", { name: "Night", trackIds: [trackId] });
  const playlistId: string = made.body.data.playlist.id;
  const patch = (body: Json) => key("PATCH", `/playlists/${playlistId}`, body);
  await patch({ kind: "album", artist: "Ana" });
  const cover = async (bytes: Buffer): Promise<string> => {
    const { status, body } = await patch({ image: `data:;base64,${bytes.toString("base64")}` });
    expect(status).toBe(200);
    return new URL(body.data.playlist.image).pathname.slice("/artwork/".length);
  };
  const faults = async (): Promise<Json[]> => {
    const { body } = await key("GET", `/playlists/${playlistId}/readiness`);
    return body.data.findings.filter(({ scope }: Json) => scope === "cover");
  };
  const delivered = async () => {
    const asked = { profile: "store", name: "Night", where: { playlistId } };
    const { body } = await app.signedIn(token)("POST", "/app/deliveries", asked);
    const headers = { authorization: `Bearer ${token}` };
    return unzipped(await (await app.request(body.data.path, { headers })).bytes());
  };
  return { key, web: app.signedIn(token), trackId, playlistId, patch, cover, faults, delivered };
}

describe("the cover of an album", () => {
  test("goes into the package and its copies as it came, and is large enough for stores", async () => {
    const { cover, faults, delivered } = await album();
    await cover(large);

    const files = await delivered();

    expect(await faults()).toEqual([]);
    expect(files.find(({ name }) => name === "Night/artwork/cover.jpg")?.content.equals(large)).toBe(true);
    const copy = files.find(({ name }) => name.endsWith(".flac"))?.content ?? Buffer.alloc(0);
    const { common } = await parseBuffer(copy);
    expect(common.picture?.map(({ data }) => large.equals(data))).toEqual([true]);
  });

  test("is delivered without the place where it was taken, and as upright as before", async () => {
    const { cover, delivered } = await album();
    const photograph = withExif(await picture("jpeg"), PLACE);
    await cover(photograph);

    const file = (await delivered()).find(({ name }) => name === "Night/artwork/cover.jpg");

    expect(photograph.includes(PLACE)).toBe(true);
    expect(file?.content.includes(PLACE)).toBe(false);
    const pixels = async (bytes: Buffer) => Buffer.from(await new Bun.Image(bytes).png().bytes());
    expect(await new Bun.Image(file?.content ?? "").metadata()).toMatchObject({ width: 40, height: 60 });
    expect((await pixels(file?.content ?? photograph)).equals(await pixels(photograph))).toBe(true);
  });

  test("is shown to visitors only as it was drawn again", async () => {
    const key = await (await album()).cover(large);
    const [stem] = key.split(".");

    const shown = await app.request(`/artwork/${key}`);

    expect(await new Bun.Image(await shown.bytes()).metadata()).toMatchObject({ width: 1600, height: 1600 });
    expect(filesIn("artwork-originals")).toContain(`${stem}.jpg`);
    for (const path of [
      `/artwork/${key}?size=original`,
      `/artwork/${stem}.original.jpg`,
      `/artwork/..%2Fartwork-originals%2F${stem}.jpg`,
      `/artwork-originals/${stem}.jpg`,
    ])
      expect([path, [400, 404].includes((await app.request(path)).status)]).toEqual([path, true]);
  });

  test("leaves with its original when it is removed, and with a track that is deleted for good", async () => {
    const { cover, patch, key, web, trackId } = await album();
    const kept = (stem: string) =>
      [...filesIn("artwork"), ...filesIn("artwork-originals")].filter((name) => name.startsWith(stem));
    const [ofAlbum = ""] = (await cover(await picture("png", { grey: 10 }))).split(".");
    const base64 = (await picture("png", { grey: 11 })).toString("base64");
    const { body } = await key("POST", "/tracks/cover-art", { trackId, base64 });
    const [ofTrack = ""] = body.data.key.split(".");
    const before = [kept(ofAlbum), kept(ofTrack)];

    await patch({ image: null });
    await web("DELETE", `/app/tracks/${trackId}`);
    await web("DELETE", `/app/bin/tracks/${trackId}`);

    expect(before).toEqual(
      [ofAlbum, ofTrack].map((stem) => [`${stem}.thumb.webp`, `${stem}.webp`, `${stem}.png`]),
    );
    expect([kept(ofAlbum), kept(ofTrack)]).toEqual([[], []]);
    expect(filesIn("quarantine/2026-01-15/artwork-originals")).toEqual(
      expect.arrayContaining([`${ofAlbum}.png`, `${ofTrack}.png`]),
    );
  });

  test("from before originals were kept is delivered as it is, and said to be too small", async () => {
    const { cover, faults, delivered, playlistId } = await album();
    const key = await cover(large);
    const dir = join(app.deps.settings.dataDir, "artwork");
    const former = `0${key.slice(1)}`;
    for (const size of [".", ".thumb."])
      renameSync(join(dir, key.replace(".", size)), join(dir, former.replace(".", size)));
    app.deps.db.$client.run("UPDATE playlists SET image = ? WHERE id = ?", [former, playlistId]);

    const files = await delivered();

    expect(await faults()).toMatchObject([
      { code: "cover_redrawn", level: "stop", value: 1600, limit: 3000 },
    ]);
    const { content = Buffer.alloc(0) } = files.find(({ name }) => name === "Night/artwork/cover.jpg") ?? {};
    expect(content.equals(readFileSync(join(dir, former)))).toBe(true);
  });

  test("with a lost original is delivered as it was drawn", async () => {
    const { cover, faults, delivered } = await album();
    await cover(large);
    rmSync(join(app.deps.settings.dataDir, "artwork-originals"), { recursive: true });

    expect((await delivered()).map(({ name }) => name)).toContain("Night/artwork/cover.jpg");
    expect((await faults()).map(({ code }) => code)).toEqual(["cover_redrawn"]);
  });

  test.each([
    ["in the colours of print", () => cmykJpeg(64), ["cover_cmyk"]],
    ["with a hole", () => transparentPng(64, 0), ["cover_alpha"]],
    ["with a channel for holes, and none", () => transparentPng(64, 255), []],
  ])("%s is measured by its pixels", async (_, bytes, codes) => {
    const { cover, faults } = await album();
    await cover(bytes());

    const found = (await faults()).map(({ code }) => code).filter((code) => code !== "cover_small");
    expect(found).toEqual(codes);
  });
});
