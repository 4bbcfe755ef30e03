import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import promiseEmbeddedCovers from "../../db/migrations/0010-embedded-covers.sql" with { type: "text" };
import { events, jobs } from "../../db/schema.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { flacWithPicture, picture } from "../support/pictures.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
let ownerId: string;
let call: ReturnType<TestApp["as"]>;
beforeEach(async () => {
  app = await createTestApp();
  ownerId = app.createAccount().accountId;
  call = app.as(app.createKey(ownerId));
});
afterEach(() => app.close());

/** Returns a second of sound as FLAC, with a picture in it. */
async function flacWith(image: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return flacWithPicture(await Bun.file(join(import.meta.dir, "../fixtures/tone.flac")).bytes(), image);
}

async function add(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData();
  form.append("files", new File([bytes], "a.flac"));
  const { body } = await call("POST", "/tracks/upload", form);
  return body.data.uploaded[0].id;
}

const track = async (id: string) => (await call("GET", `/tracks/single?id=${id}`)).body.data.track;
const files = (folder: string) => {
  const dir = join(app.deps.settings.dataDir, folder);
  return existsSync(dir) ? readdirSync(dir) : [];
};

describe("the picture in an audio file", () => {
  test("is the cover of its track from the first moment", async () => {
    const id = await add(await flacWith(await picture("png", { width: 900, height: 900 })));
    const { cover: first } = (await track(id)).audio_profile;

    await app.drainJobs();

    const { analysis, audio_profile: profile } = await track(id);
    expect(profile.cover).toBe(first);
    expect(analysis.status).toBe("completed");
    const shown = await (await app.request(profile.cover)).bytes();
    expect(await new Bun.Image(shown).metadata()).toEqual({ width: 900, height: 900, format: "webp" });
    expect(files("tmp")).toEqual([]);
  });

  test("does not replace the owner's choice, even if that is no cover", async () => {
    const file = await flacWith(await picture("png"));
    const [own, none] = [await add(file), await add(file)];
    const grey = (await picture("jpeg", { grey: 40 })).toString("base64");
    const { url } = (await call("POST", "/tracks/cover-art", { trackId: own, base64: grey })).body.data;
    await call("PATCH", `/tracks/details?id=${none}`, { cover: null });

    await app.drainJobs();

    expect((await track(own)).audio_profile.cover).toBe(url);
    expect((await track(none)).audio_profile.cover).toBeNull();
    expect(files("artwork")).toHaveLength(2);
    expect(files("tmp")).toEqual([]);
  });

  test("is added to tracks analysed before pictures were supported, unless the owner removed the cover", async () => {
    const file = await flacWith(await picture("png"));
    const [plain, none] = [await add(file), await add(file)];
    await app.drainJobs();
    await call("PATCH", `/tracks/details?id=${none}`, { cover: null });
    app.deps.db.$client.run("UPDATE tracks SET cover = NULL");
    app.deps.db.delete(events).run();

    app.deps.db.$client.run(promiseEmbeddedCovers);
    await app.drainJobs();

    expect((await track(plain)).audio_profile.cover).toBeString();
    expect((await track(none)).audio_profile.cover).toBeNull();
    expect(app.deps.db.select().from(events).all()).toMatchObject([
      { type: "track.updated", data: { trackId: plain, name: "a.flac", changed: ["cover"] } },
    ]);
    expect(app.deps.db.select().from(jobs).all()).toEqual([]);
  });

  test("is also found for tracks that come after many with missing files", async () => {
    const lost = Array.from({ length: 250 }, () => addTrackRows(app.deps.db, ownerId, { measured: {} }));
    const last = await add(await flacWith(await picture("png")));
    await app.drainJobs();
    app.deps.db.$client.run("UPDATE tracks SET cover = NULL");

    app.deps.db.$client.run(promiseEmbeddedCovers);
    await app.drainJobs();

    expect(lost.every(({ id }) => id < last)).toBe(true);
    expect((await track(last)).audio_profile.cover).toBeString();
  });

  test("is stored once for all tracks that contain it", async () => {
    const file = await flacWith(await picture("png"));
    const ids = [await add(file), await add(file)];

    await app.drainJobs();

    const [first, second] = await Promise.all(ids.map(track));
    expect(first.audio_profile.cover).toBe(second.audio_profile.cover);
    expect(files("artwork")).toHaveLength(2);
  });

  test("does not disturb the analysis when it is damaged", async () => {
    const broken = Buffer.from("\x89PNG\r\n\x1a\n and nothing more", "latin1");
    const id = await add(await flacWith(broken));

    await app.drainJobs();

    const { analysis, audio_profile: profile } = await track(id);
    expect([analysis.status, profile.cover]).toEqual(["completed", null]);
    expect([files("artwork"), files("tmp")]).toEqual([[], []]);
  });
});
