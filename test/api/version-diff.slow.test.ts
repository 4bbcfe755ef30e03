import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { seededRandom, silence, wavBytes } from "../support/signals.ts";
import { tune } from "../support/tune.ts";

const RATE_HZ = 44_100;
const SECONDS = 12;
const MIX = tune(RATE_HZ, SECONDS, 1);
const hiss = seededRandom(9);
// Sound in every octave, to make each measurable.
const MASTER = MIX.map((sample) => 0.3 * sample + 0.01 * (2 * hiss() - 1));

const seconds = (time: number) => Math.round(time * RATE_HZ);
const louder = (db: number) => (sample: number) => sample * 10 ** (db / 20);

/** Applies the usual high shelf of equalisers (Audio EQ Cookbook, slope 1). */
function shelved(samples: Float32Array, hz: number, gainDb: number): Float32Array<ArrayBuffer> {
  const a = 10 ** (gainDb / 40);
  const w = (2 * Math.PI * hz) / RATE_HZ;
  const alpha = (Math.sin(w) / 2) * Math.SQRT2;
  const [c, s] = [Math.cos(w), 2 * Math.sqrt(a) * alpha];
  const a0 = a + 1 - (a - 1) * c + s;
  const b = [a * (a + 1 + (a - 1) * c + s), -2 * a * (a - 1 + (a + 1) * c), a * (a + 1 + (a - 1) * c - s)];
  const [a1, a2] = [2 * (a - 1 - (a + 1) * c), a + 1 - (a - 1) * c - s];
  const out = new Float32Array(samples.length);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (const [i, x] of samples.entries()) {
    const y = ((b[0] as number) * x + (b[1] as number) * x1 + (b[2] as number) * x2 - a1 * y1 - a2 * y2) / a0;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    out[i] = y;
  }
  return out;
}

const CHANGES = {
  shelf: shelved(MASTER, 2000, 2),
  trimmed: MASTER.slice(seconds(0.12)),
  trimmedOddly: MASTER.slice(seconds(0.12137)),
  later: Float32Array.from([...silence(RATE_HZ, 0.5), ...MASTER]),
  softer: MASTER.map(louder(-3)),
  all: shelved(MASTER.slice(seconds(0.12)), 2000, 2).map(louder(-3)),
  another: tune(RATE_HZ, SECONDS, 2).map(louder(-10)),
};

let app: TestApp;
let call: ReturnType<TestApp["as"]>;
let key: string;
let trackId: string;
let masterId: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  app = await createTestApp();
  key = app.createKey(app.createAccount().accountId);
  call = app.as(key);
  const form = formOf("files", MASTER);
  trackId = (await call("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
  await app.drainJobs();
  masterId = (await call("GET", `/tracks/single?id=${trackId}`)).body.data.activeVersionId;
  for (const [name, samples] of Object.entries(CHANGES)) {
    ids[name] = (await call("POST", `/tracks/${trackId}/versions`, formOf("file", samples))).body.data.id;
    await app.drainJobs();
  }
  await call("POST", `/tracks/${trackId}/versions/${masterId}/activate`);
});
afterAll(() => app.close());

function formOf(field: string, samples: Float32Array): FormData {
  const form = new FormData();
  form.append(field, new File([wavBytes([samples], RATE_HZ, 24)], "mix.wav", { type: "audio/wav" }));
  return form;
}

const diffOf = async (name: string, query = "") =>
  (await call("GET", `/tracks/${trackId}/versions/${ids[name]}/diff${query}`)).body.data;
const bandOf = (diff: Json, hz: number) =>
  diff.balance.find(({ centreHz }: { centreHz: number }) => centreHz === hz);

describe("GET /tracks/{trackId}/versions/{versionId}/diff", () => {
  test("a 2 dB shelf shows as 2 dB above its frequency, with nothing below and no offset", async () => {
    const diff = await diffOf("shelf");

    expect(diff.offsetMs).toBeWithin(-1, 1);
    for (const hz of [8000, 16_000]) expect(bandOf(diff, hz).changeDb).toBeWithin(1.8, 2.2);
    for (const hz of [63, 125, 250, 500]) expect(bandOf(diff, hz).changeDb).toBeWithin(-0.2, 0.2);
    const { changeDb, matchedDb } = bandOf(diff, 125);
    expect(matchedDb).toBeCloseTo(changeDb + diff.gainDb, 2);
    expect(diff.gainDb).toBeLessThan(0);
  });

  test.each([
    ["trimmed", -120],
    ["trimmedOddly", -121.37],
    ["later", 500],
    ["softer", 0],
  ])("finds the offset between versions: %s", async (name, offsetMs) => {
    const diff = await diffOf(name);

    expect(diff.offsetMs).toBeWithin(offsetMs - 1, offsetMs + 1);
    expect(diff.durationSec.change).toBeCloseTo(name === "softer" ? 0 : offsetMs / 1000, 2);
    expect(diff.similarity).toBeGreaterThan(0.7);
  });

  test("a version that is 3 dB quieter shows 3 LU, and the gain that makes up for it", async () => {
    const diff = await diffOf("softer");

    expect(diff.integratedLufs.change).toBeWithin(-3.1, -2.9);
    expect(diff.gainDb).toBeWithin(2.9, 3.1);
    expect(diff.truePeakDbtp.change).toBeWithin(-3.1, -2.9);
    expect(diff.rangeLu.change).toBeWithin(-0.1, 0.1);
    expect(diff.key.isChanged).toBe(false);
    for (const { changeDb, matchedDb } of diff.balance) {
      expect(changeDb).toBeWithin(-3.1, -2.9);
      expect(matchedDb).toBeWithin(-0.1, 0.1);
    }
  });

  test("separates all differences when they occur together", async () => {
    const diff = await diffOf("all");

    expect(diff.offsetMs).toBeWithin(-121, -119);
    expect(bandOf(diff, 8000).changeDb - bandOf(diff, 125).changeDb).toBeWithin(1.8, 2.2);
    expect(bandOf(diff, 125).changeDb).toBeWithin(-3.2, -2.8);
  });

  test("works in both directions", async () => {
    const there = await diffOf("trimmed");
    const back = (await call("GET", `/tracks/${trackId}/versions/${masterId}/diff?against=${ids.trimmed}`))
      .body.data;

    expect([back.versionId, back.against]).toEqual([there.against, there.versionId]);
    expect(back.offsetMs).toBeCloseTo(-there.offsetMs, 0);
    expect(back.integratedLufs.change).toBeCloseTo(-there.integratedLufs.change, 5);
  });

  test("has no offset for another recording, and no difference for the version itself", async () => {
    const { offsetMs } = await diffOf("another");
    const same = await diffOf("softer", `?against=${ids.softer}`);

    expect(offsetMs).toBeNull();
    expect(same).toMatchObject({ offsetMs: 0, similarity: 1, gainDb: 0 });
  });

  test("is refused for a version without analysis, and for one of another track", async () => {
    const form = formOf("file", MASTER.slice(0, 4000));
    form.append("activate", "false");
    const { id } = (await call("POST", `/tracks/${trackId}/versions`, form)).body.data;

    const early = await call("GET", `/tracks/${trackId}/versions/${id}/diff`);
    const unknown = await call("GET", `/tracks/${trackId}/versions/${masterId}/diff?against=ver_none`);

    expect([early.status, early.body.messageCode]).toEqual([409, "version_not_analysed"]);
    expect([unknown.status, unknown.body.messageCode]).toEqual([404, "version_not_found"]);
  });
});

describe("GET /tracks/{trackId}/versions/{versionId}/waveform", () => {
  const get = (headers: Record<string, string> = {}) =>
    app.request(`/api/v1/tracks/${trackId}/versions/${masterId}/waveform`, {
      headers: { "x-api-key": key, ...headers },
    });

  test("returns a header and then the outline at every zoom level", async () => {
    const answer = await get();
    const bytes = await answer.arrayBuffer();

    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    const view = new DataView(bytes);
    expect(new TextDecoder().decode(bytes.slice(0, 4))).toBe("DBPK");
    const levels = Array.from({ length: view.getUint16(6, true) }, (_, level) => {
      const at = 24 + 12 * level;
      return [0, 4, 8].map((offset) => view.getUint32(at + offset, true)) as [number, number, number];
    });
    expect([view.getUint16(4, true), view.getUint32(8, true), view.getUint32(12, true)]).toEqual([
      1,
      RATE_HZ,
      1,
    ]);
    expect(view.getFloat64(16, true)).toBe(MASTER.length);
    expect(levels[0]?.[0]).toBe(32);
    expect(levels.at(-1)?.[1]).toBeLessThanOrEqual(256);
    for (const [framesPerPair, pairs, offset] of levels) {
      expect(pairs).toBe(Math.ceil(MASTER.length / framesPerPair));
      const part = new Int8Array(bytes, offset, 2 * pairs);
      const at = Math.floor(pairs / 2);
      const stretch = MASTER.subarray(at * framesPerPair, (at + 1) * framesPerPair);
      expect(part[2 * at]).toBe(Math.round(127 * stretch.reduce((low, x) => Math.min(low, x), 1)));
      expect(part[2 * at + 1]).toBe(Math.round(127 * stretch.reduce((high, x) => Math.max(high, x), -1)));
    }
    const [, pairs = 0, offset = 0] = levels.at(-1) ?? [];
    expect(bytes.byteLength).toBe(offset + 2 * pairs);
  });

  test("is not sent again to a client that has it", async () => {
    const etag = (await get()).headers.get("etag") ?? "";

    const again = await get({ "if-none-match": etag });

    expect(etag).toMatch(/^"\w+"$/);
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  });

  test("is not found by another account", async () => {
    const stranger = app.createKey(app.createAccount().accountId);

    expect((await get({ "x-api-key": stranger })).status).toBe(404);
  });
});
