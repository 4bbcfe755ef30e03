import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");
const FORMATS = ["wav", "aiff", "flac", "mp3", "ogg", "opus"].map((ending) => `tone.${ending}`);
const NEEDS_FFMPEG = ["tone-aac.m4a", "tone-alac.m4a"];
/** Bytes left intact, to keep the file recognisable as audio. */
const HEAD_BYTES = 300;

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await createTestApp();
  key = app.createKey(app.createAccount().accountId);
});
afterAll(() => app.close());

const cut = (bytes: Uint8Array) => bytes.slice(0, Math.floor(bytes.length / 2));
/** Inverts every seventh byte after the head. */
const scrambled = (bytes: Uint8Array) =>
  bytes.map((byte, index) => (index > HEAD_BYTES && index % 7 === 0 ? byte ^ 0xa5 : byte));

describe("a damaged file is kept as sent, and its track shows the result", () => {
  const damages = [
    ["cut in half", cut],
    ["scrambled", scrambled],
  ] as const;
  const cases = [...FORMATS, ...NEEDS_FFMPEG].flatMap((name) =>
    damages.map(([what, damage]) => [name, what, damage] as const),
  );

  test.each(cases)("%s, %s", async (name, _, damage) => {
    const bytes = damage(await Bun.file(join(FIXTURES, name)).bytes());
    const form = new FormData();
    form.append("files", new File([bytes], name));
    const { body } = await app.as(key)("POST", "/tracks/upload", form);
    const id = body.data.uploaded[0].id;

    await app.drainJobs();

    const { track } = (await app.as(key)("GET", `/tracks/single?id=${id}`)).body.data;
    const { versions } = (await app.as(key)("GET", `/tracks/${id}/versions`)).body.data;
    expect(["completed", "failed"]).toContain(track.analysis.status);
    // A reason is a sentence for a person; decoded audio has a length.
    if (track.analysis.status === "failed") expect(track.analysis.reason).toMatch(/^[A-Z].{15,}\.$/);
    else expect(track.audio_profile.durationSec).toBeGreaterThan(0);
    expect(await (await app.request(versions[0].downloadUrl)).bytes()).toEqual(new Uint8Array(bytes));
  });
});

test("a file that cannot be audio is refused at upload, and nothing is kept", async () => {
  const refused = [];
  for (const [name, content] of [
    ["empty.wav", ""],
    ["words.wav", "these are words"],
    ["list.mp3", "#EXTM3U\nhttp://127.0.0.1/secret"],
  ]) {
    const form = new FormData();
    form.append("files", new File([content ?? ""], name ?? ""));
    const response = await app.request("/api/v1/tracks/upload", {
      method: "POST",
      headers: { "x-api-key": key },
      body: form,
    });
    refused.push((await jsonOf(response)).messageCode);
  }

  expect(refused).toEqual(["invalid_file_type", "invalid_file_type", "invalid_file_type"]);
});
