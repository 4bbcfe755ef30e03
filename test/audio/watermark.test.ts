import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alignmentsOf } from "../../src/audio/watermark/align.ts";
import { readBlind } from "../../src/audio/watermark/blind.ts";
import { createMarker } from "../../src/audio/watermark/embed.ts";
import { readInformed } from "../../src/audio/watermark/informed.ts";
import { codeOf, patternOf, signOf } from "../../src/audio/watermark/pattern.ts";
import { chanceOfError, matchesOf, RISK, scoresOf } from "../../src/audio/watermark/verdict.ts";
import { derive } from "../../src/kernel/secrets.ts";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { addNote, chordProgression, drumLoop, noise, seededRandom } from "../support/signals.ts";
import { tune } from "../support/tune.ts";

const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH)?.path;
const folder = mkdtempSync(join(tmpdir(), "dubplate-watermark-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Planes = readonly Float32Array[];
const SECONDS = 16;
const pattern = patternOf(derive(Buffer.alloc(32, 7), "watermark ver_1"));
const random = seededRandom(5);
const candidates = Array.from({ length: 1000 }, (_, index) => ({
  candidate: index,
  code: codeOf(Uint8Array.from({ length: 16 }, () => 256 * random())),
}));
const ANNA = 3;
const BEN = 4;

/** Two channels that have much in common, with something in all bands. */
function song(rateHz: number, seconds = SECONDS): Planes {
  const parts = [tune(rateHz, seconds, 3), drumLoop(rateHz, seconds, 97), noise(rateHz, seconds, 0.02)];
  const chords = chordProgression(rateHz, seconds, { tonic: 2, minor: true });
  const mixed = (levels: readonly number[]) =>
    chords.map(
      (x, at) => 0.3 * x + parts.reduce((sum, part, i) => sum + (levels[i] ?? 0) * (part[at] ?? 0), 0),
    );
  return [mixed([0.5, 0.3, 1]), mixed([0.3, 0.4, 0.5])];
}

function marked(planes: Planes, rateHz: number, recipient: number, step = 5000): Planes {
  const out = planes.map(({ length }) => new Float32Array(length));
  let at = 0;
  const code = candidates[recipient]?.code ?? new Uint8Array();
  const marker = createMarker(
    { sampleRateHz: rateHz, channels: planes.length, pattern, code },
    (blocks, count) => {
      for (const [i, block] of blocks.entries()) out[i]?.set(block.subarray(0, count), at);
      at += count;
    },
  );
  const length = planes[0]?.length ?? 0;
  for (let from = 0; from < length; from += step)
    marker.push(
      planes.map((plane) => plane.subarray(from, from + step)),
      Math.min(step, length - from),
    );
  marker.finish();
  expect(at).toBe(length);
  return out;
}

/** A leak as it is read: stereo at 44.1 kHz, of a part of a sound that was coded with `options`. */
function leakOf(planes: Planes, rateHz: number, ending: string, options: readonly string[]) {
  const path = join(folder, `leak.${ending}`);
  const length = planes[0]?.length ?? 0;
  const interleaved = new Float32Array(length * planes.length);
  for (const [i, plane] of planes.entries())
    for (let at = 0; at < length; at++) interleaved[at * planes.length + i] = plane[at] ?? 0;
  const raw = ["-f", "f32le", "-ar", String(rateHz), "-ac", String(planes.length), "-i", "-"];
  run([...raw, ...options, path], new Uint8Array(interleaved.buffer));
  const both = new Float32Array(
    Uint8Array.from(run(["-i", path, "-f", "f32le", "-ac", "2", "-ar", "44100", "-"])).buffer,
  );
  return soundOf([0, 1].map((channel) => both.filter((_, i) => i % 2 === channel)));
}

function run(args: readonly string[], stdin?: Uint8Array): Buffer {
  const command = [FFMPEG ?? "", "-v", "error", "-y", ...args];
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, stdin ? { stdin } : {});
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout;
}

function soundOf(planes: Planes) {
  const [left = new Float32Array(), right = left] = planes;
  return { left, right };
}
const cut = (planes: Planes, rateHz: number, from: number, seconds: number): Planes =>
  planes.map((plane) => plane.slice(from * rateHz, (from + seconds) * rateHz));

const named = (readings: readonly Float64Array[]) =>
  matchesOf(readings, candidates).map((match) => match.candidate);

/** The same four notes over and over, which ring long, on a bass: a moment of it fits at many places. */
function arpeggioOf(seconds: number): Float32Array {
  const ringing = new Float32Array(5 * 44_100);
  for (const [i, hz] of [220, 330, 440, 550].entries())
    addNote(ringing, { sampleRateHz: 44_100, at: 0.06 * i, hz, amplitude: 0.2, harmonics: 8, decay: 1 });
  const period = 0.24 * 44_100;
  const loop = Float32Array.from({ length: period }, (_, at) => {
    let sum = 0;
    for (let i = at; i < ringing.length; i += period) sum += ringing[i] ?? 0;
    return sum;
  });
  const out = noise(44_100, seconds, 0.02, 5).map((x, at) => x + (loop[at % period] ?? 0));
  for (let at = 0; at < seconds; at++)
    addNote(out, {
      ...{ sampleRateHz: 44_100, at, hz: 110 * 2 ** random() },
      ...{ amplitude: 0.1, harmonics: 4, decay: 3 },
    });
  return out;
}

let music: Planes;
let annas: Planes;
let original: ReturnType<typeof soundOf>;
beforeAll(() => {
  music = song(44_100);
  annas = marked(music, 44_100, ANNA);
  original = soundOf(music);
});

describe.skipIf(FFMPEG === undefined)("a leak of a marked copy", () => {
  test.each([
    ["MP3 128 of 10 s", "mp3", ["-b:a", "128k"]],
    ["Opus 64, mono", "opus", ["-ac", "1", "-c:a", "libopus", "-b:a", "64k"]],
    [
      "0.1 % faster and 7 dB softer",
      "mp3",
      ["-af", "asetrate=44144.1,aresample=44100,volume=-7dB", "-b:a", "128k"],
    ],
  ])("%s, names its recipient and no other", (_, ending, options) => {
    const leak = leakOf(cut(annas, 44_100, 5.3, 10), 44_100, ending, options);

    const readings = readInformed(leak, original, pattern).map(({ soft }) => soft);

    expect(named(readings)).toEqual([ANNA]);
  });

  test.each([48_000, 96_000])("of a master at %d Hz is read at 44.1 kHz", (rateHz) => {
    const master = song(rateHz, 9);
    const leak = leakOf(cut(marked(master, rateHz, BEN), rateHz, 0.5, 8), rateHz, "mp3", ["-b:a", "128k"]);

    const readings = readInformed(leak, leakOf(master, rateHz, "wav", []), pattern).map(({ soft }) => soft);

    expect(named(readings)).toEqual([BEN]);
  });

  test("says where in the original it was cut", () => {
    const leak = leakOf(cut(annas, 44_100, 5.5, 10), 44_100, "wav", []);

    const places = readInformed(leak, original, pattern).map(({ where }) => where);

    expect(places.some(({ offsetSec }) => Math.abs(offsetSec - 5.5) < 0.001)).toBe(true);
  });
});

test("a leak of an arpeggio that fits at each of its notes is laid where it was cut", () => {
  const hiss = noise(44_100, 12, 0.02, 6);
  const arpeggio = arpeggioOf(12);
  const leak = arpeggio.map((x, at) => x + (hiss[at] ?? 0)).slice(3.3 * 44_100, 11 * 44_100);

  const [place] = alignmentsOf(soundOf([leak]), soundOf([arpeggio]));

  expect(place?.offsetSec).toBeCloseTo(3.3, 4);
  expect(place?.speed).toBeCloseTo(1, 6);
});

test("copies of two recipients that were mixed name both", () => {
  const bens = marked(music, 44_100, BEN);
  const mixed = annas.map((plane, i) => plane.map((x, at) => (x + (bens[i]?.[at] ?? 0)) / 2));

  const readings = readInformed(soundOf(mixed), original, pattern).map(({ soft }) => soft);

  expect(named(readings).sort()).toEqual([ANNA, BEN]);
});

test("a mark is read without the original", () => {
  const hiss = [noise(44_100, 30, 0.3)];

  expect(named(readBlind(soundOf(marked(hiss, 44_100, BEN)), pattern))).toEqual([BEN]);
});

test("nobody is named for sound that has no mark, or the mark of another version", () => {
  const other = patternOf(derive(Buffer.alloc(32, 7), "watermark ver_2"));
  const readings = [
    ...readInformed(original, original, pattern).map(({ soft }) => soft),
    ...readBlind(original, pattern),
    ...readInformed(soundOf(annas), original, other).map(({ soft }) => soft),
    ...readBlind(soundOf(annas), other),
  ];

  expect(named(readings)).toEqual([]);
});

describe("a marked copy", () => {
  test("keeps the bits of silence", () => {
    const quiet = music.map((plane) => plane.map((x, at) => (at > 200_000 && at < 300_000 ? 0 : x)));

    const copy = marked(quiet, 44_100, ANNA);

    // A frame is 2048 samples: the last that reads music ends as much later.
    expect(copy.map((plane) => plane.subarray(202_048, 297_952).every((x) => x === 0))).toEqual([true, true]);
  });

  test("differs by less than a thousandth of the power", () => {
    const [plain = [], copy = []] = [music[0], annas[0]];
    let [power, change] = [0, 0];
    for (let at = 0; at < plain.length; at++) {
      power += (plain[at] ?? 0) ** 2;
      change += ((copy[at] ?? 0) - (plain[at] ?? 0)) ** 2;
    }
    expect(10 * Math.log10(power / change)).toBeGreaterThan(30);
  });

  test("is the same however the sound comes in, and on one channel", () => {
    const mono = [cut(music, 44_100, 0, 2)[0] as Float32Array];

    const copies = [1, 777, 1024, 88_200].map((step) => marked(mono, 44_100, ANNA, step));

    for (const copy of copies) expect(copy).toEqual(copies[0] as Planes);
    expect(copies[0]).not.toEqual(mono);
  });
});

describe("the bound", () => {
  test("holds for any sound: chance stays below it, and no code of nobody reaches a name", () => {
    const loud = Float64Array.from({ length: 512 }, () => Math.tan(3 * (random() - 0.5)));
    const codes = Array.from({ length: 20_000 }, () => Uint8Array.from({ length: 64 }, () => 256 * random()));

    const scores = scoresOf([loud], codes);

    for (const t of [2, 3, 4])
      expect(scores.filter((score) => score >= t).length / scores.length).toBeLessThanOrEqual(
        Math.exp(-(t * t) / 2),
      );
  });

  test("judges the product of soft bits and signs, of the best reading", () => {
    const code = codeOf(new Uint8Array(16).fill(9));
    const soft = Float64Array.from({ length: 512 }, (_, bit) => (bit % 3) * signOf(code, bit));
    const sum = soft.reduce((all, x) => all + Math.abs(x), 0);
    const length = Math.hypot(...soft);

    const [score] = scoresOf([soft.map((x) => -x), soft], [code]);

    expect(score).toBeCloseTo(sum / length, 9);
  });

  test("asks for more as more codes are tried, and never says more than certainty", () => {
    expect(chanceOfError(7.4, 8)).toBeLessThan(RISK);
    expect(chanceOfError(7.4, 8 * 1_000_000)).toBeGreaterThan(RISK);
    expect(chanceOfError(0, 8)).toBe(1);
    expect(chanceOfError(-20, 8)).toBe(1);
    expect([...scoresOf([new Float64Array(512)], [codeOf(new Uint8Array(16))])]).toEqual([0]);
  });
});
