import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createTestApp, type TestApp } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { taggedMp3 } from "../support/tagged.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");
const OCTETS = "application/offset+octet-stream";

let app: TestApp;
let served: Uint8Array<ArrayBuffer>;
const store = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response(served, { headers: { "content-type": "audio/mpeg" } }),
});
beforeAll(async () => {
  app = await createTestApp({ settings: { networkAllow: [`127.0.0.1:${store.port}`] } });
});
afterAll(async () => {
  await store.stop(true);
  await app.close();
});

type Bytes = Uint8Array<ArrayBuffer>;
type Account = ReturnType<typeof owner>;

function owner() {
  const { accountId, token } = app.createAccount();
  const key = app.createKey(accountId);
  return { accountId, key, api: app.as(key), web: app.signedIn(token), token };
}

/** Sends a whole file in pieces, and returns its upload. */
async function send({ key }: Account, bytes: Bytes): Promise<string> {
  const about = { "tus-resumable": "1.0.0", "upload-length": String(bytes.length), "content-type": OCTETS };
  const headers = { "x-api-key": key, ...about };
  const { headers: begun } = await app.request("/api/v1/uploads", { method: "POST", headers, body: bytes });
  return begun.get("location")?.split("/").at(-1) ?? "";
}

/** Every way in which a file becomes a track; each resolves when the upload is answered. */
const WAYS: Readonly<Record<string, (account: Account, bytes: Bytes) => Promise<unknown>>> = {
  "an upload by REST": ({ api }, bytes) => {
    const form = new FormData();
    form.append("files", new File([bytes], "song.mp3"));
    return api("POST", "/tracks/upload", form);
  },
  "an upload by its address": ({ api }, bytes) => {
    served = bytes;
    return api("POST", "/tracks/upload/url", {
      items: [{ fileUrl: `http://127.0.0.1:${store.port}/song.mp3` }],
    });
  },
  "an upload in the console": async (account, bytes) => {
    const id = await send(account, bytes);
    return account.web("POST", "/app/uploads/finish", { uploads: [{ id, path: "song.mp3" }] });
  },
  "a file of a watched folder": async (account, bytes) => {
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    const about = { path: "song.mp3", sizeBytes: bytes.length, modifiedAt: 1, sha256 };
    const files = [{ ...about, uploadId: await send(account, bytes) }];
    return account.api("POST", "/uploads/take", { kind: "watch", source: "mac:/Bounces", files });
  },
};

test.each(Object.keys(WAYS))(
  "%s shows title, artist, album, number, label, cover and length when it is answered",
  async (way) => {
    const account = owner();
    const jpeg = await picture("jpeg", { grey: 90 });
    const tags = {
      title: `By ${way}`,
      artist: "Mara Lind",
      album: "Wanderer",
      track: "3/12",
      label: "Nachtzug",
    };

    await WAYS[way]?.(account, taggedMp3(tags, jpeg));

    const [row] = (await account.web("GET", "/app/tracks")).body.data;
    expect(row).toMatchObject({
      title: `By ${way}`,
      artist: "Mara Lind",
      album: "Wanderer",
      status: "pending",
    });
    expect(row.durationSec).toBeCloseTo(1.04, 1);
    expect((await app.request(new URL(row.cover).pathname)).status).toBe(200);
    const { track } = (await account.api("GET", `/tracks/single?id=${row.id}`)).body.data;
    expect(track).toMatchObject({
      audio_profile: { title: `By ${way}`, album: "Wanderer", track_number: "3", recordLabel: "Nachtzug" },
    });
  },
);

test("a WAV without tags has its length when it is answered, and its name", async () => {
  const account = owner();
  const form = new FormData();
  form.append("files", new File([wavBytes([sine(8000, 1.5, 220)], 8000, 16)], "Night Bus.wav"));

  await account.api("POST", "/tracks/upload", form);

  const [row] = (await account.web("GET", "/app/tracks")).body.data;
  expect(row).toMatchObject({ title: "Night Bus", durationSec: 1.5, cover: null });
});

test.each(["tone.ogg", "tone.opus", "tone.mp3", "tone-aac.m4a", "tone.aiff"])(
  "%s has its length when it is answered, also where its format says so only at the end",
  async (name) => {
    const account = owner();
    const form = new FormData();
    form.append("files", new File([await Bun.file(join(FIXTURES, name)).bytes()], name));

    await account.api("POST", "/tracks/upload", form);

    const [row] = (await account.web("GET", "/app/tracks")).body.data;
    expect(row.durationSec).toBeCloseTo(1, 0);
  },
);

test("what the owner says with an upload goes before what its file says", async () => {
  const account = owner();
  const form = new FormData();
  form.append("files", new File([taggedMp3({ title: "Of the file", artist: "File" })], "song.mp3"));
  const profile = { name: "song.mp3", audioProfile: { title: "Of the owner" } };
  form.append("audioProfiles", JSON.stringify([profile]));

  await account.api("POST", "/tracks/upload", form);
  await app.drainJobs();

  const [row] = (await account.web("GET", "/app/tracks")).body.data;
  expect(row).toMatchObject({ title: "Of the owner", artist: "File", status: "completed" });
});

test("a file whose tags are broken is taken in all the same", async () => {
  const account = owner();
  const bytes = taggedMp3({ title: "Broken" }, new Uint8Array([0xff, 0xd8, 0xff, 0, 1, 2, 3]));
  const form = new FormData();
  form.append("files", new File([bytes], "broken.mp3"));

  const { status } = await account.api("POST", "/tracks/upload", form);

  expect(status).toBe(200);
  const [row] = (await account.web("GET", "/app/tracks")).body.data;
  expect(row).toMatchObject({ title: "Broken", cover: null });
});
