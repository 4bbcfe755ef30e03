import { describe, expect, test } from "bun:test";
import {
  type AudioAnalysis,
  createAnalyzer,
  DESCRIPTOR_DIMENSIONS,
  DESCRIPTOR_NAMES,
} from "../../src/audio/analyzer.ts";
import {
  BACKBEAT,
  chordProgression,
  drumLoop,
  FOUR_TO_THE_FLOOR,
  interleaved,
  noise,
  silence,
  sine,
} from "../support/signals.ts";

const RATE = 44_100;
const TONICS = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];

function analyze(samples: Float32Array, sampleRateHz = RATE, channels = 1, chunk = 8192): AudioAnalysis {
  const analyzer = createAnalyzer({ sampleRateHz, channels });
  for (let from = 0; from < samples.length; from += chunk)
    analyzer.push(samples.subarray(from, from + chunk));
  return analyzer.finish();
}

/** Returns every number anywhere in an analysis. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (value instanceof Int8Array || value instanceof Float32Array) return [...value];
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(numbersIn);
  return [];
}

describe("tempo", () => {
  test.each([90, 100, 112, 120, 128.5, 140, 150, 174])(
    "the tempo of a backbeat at %d BPM is found within 0.1 BPM",
    (bpm) => {
      const { tempo } = analyze(drumLoop(RATE, 20, bpm, BACKBEAT));

      expect(Math.abs((tempo.bpm ?? 0) - bpm)).toBeLessThan(0.1);
      expect(tempo.confidence).toBeGreaterThan(0.5);
    },
  );

  test.each([90, 112, 120, 128.5, 140, 150, 174])(
    "the tempo of four to the floor at %d BPM is found within 0.1 BPM",
    (bpm) => {
      const { tempo } = analyze(drumLoop(RATE, 20, bpm, FOUR_TO_THE_FLOOR));

      expect(Math.abs((tempo.bpm ?? 0) - bpm)).toBeLessThan(0.1);
      expect(tempo.confidence).toBeGreaterThan(0.5);
    },
  );

  test.each([BACKBEAT, FOUR_TO_THE_FLOOR])(
    "the tempo of a slow drum loop is found, or its double, with the other as second candidate",
    (pattern) => {
      const { tempo } = analyze(drumLoop(RATE, 20, 75, pattern));

      const likeliest = tempo.candidates.slice(0, 2).map(({ bpm }) => Math.round(bpm));
      expect(likeliest.toSorted((a, b) => a - b)).toEqual([75, 150]);
    },
  );

  test("comes with its alternatives, likeliest first, each within 30..300", () => {
    const { tempo } = analyze(drumLoop(RATE, 20, 120));

    expect(tempo.candidates[0]).toEqual({ bpm: tempo.bpm ?? 0, confidence: tempo.confidence });
    expect(tempo.candidates.length).toBe(3);
    const confidences = tempo.candidates.map(({ confidence }) => confidence);
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
    for (const { bpm } of tempo.candidates) expect(bpm >= 30 && bpm <= 300).toBe(true);
  });

  test.each([8000, 22_050, 48_000, 96_000])("is the same at %d Hz", (rate) => {
    expect(analyze(drumLoop(rate, 15, 120), rate).tempo.bpm).toBe(120);
  });

  test.each<[string, Float32Array]>([
    ["noise", noise(RATE, 20)],
    ["other noise", noise(RATE, 20, 0.1, 5)],
    ["a held tone", sine(RATE, 10, 440)],
    [
      "a drone of three tones",
      sine(RATE, 10, 110, 0.3).map((v, i) => v + 0.2 * Math.sin((2 * Math.PI * 165 * i) / RATE)),
    ],
    ["silence", silence(RATE, 10)],
  ])("of %s is null", (_, samples) => {
    expect(analyze(samples).tempo).toEqual({ bpm: null, confidence: 0, candidates: [] });
  });
});

describe("key", () => {
  const keys = TONICS.flatMap((name, tonic) => [
    { name: `${name} major`, tonic, minor: false },
    { name: `${name} minor`, tonic, minor: true },
  ]);

  test.each(keys)("$name is named", ({ name, tonic, minor }) => {
    const { key } = analyze(chordProgression(RATE, 16, { tonic, minor }));

    expect(key.name).toBe(name);
    expect(Math.abs(key.tuningCents ?? 99)).toBeLessThan(3);
  });

  test.each([-40, -20, 25, 45])("is named, and the tuning found, %d cents off", (cents) => {
    for (const { name, tonic, minor } of keys.slice(4, 8)) {
      const { key } = analyze(chordProgression(RATE, 16, { tonic, minor, cents }));

      expect(key.name).toBe(name);
      expect(Math.abs((key.tuningCents ?? 99) - cents)).toBeLessThan(3);
    }
  });

  test.each<[string, Float32Array]>([
    ["noise", noise(RATE, 10)],
    ["drums", drumLoop(RATE, 10, 120)],
    ["a held tone", sine(RATE, 10, 440)],
    [
      "a bare fifth",
      sine(RATE, 10, 220, 0.3).map((v, i) => v + 0.3 * Math.sin((2 * Math.PI * 330 * i) / RATE)),
    ],
    ["silence", silence(RATE, 10)],
  ])("of %s is null", (_, samples) => {
    expect(analyze(samples).key).toMatchObject({ name: null, confidence: 0 });
  });
});

describe("descriptors", () => {
  const cosine = (a: Float32Array | null, b: Float32Array | null) =>
    (a ?? new Float32Array(0)).reduce(
      (sum: number, value: number, i: number) => sum + value * (b?.[i] ?? 0),
      0,
    );

  test("are of unit length, and each has a name", () => {
    const { descriptors } = analyze(drumLoop(RATE, 10, 120));

    expect(DESCRIPTOR_NAMES.length).toBe(DESCRIPTOR_DIMENSIONS);
    expect(new Set(DESCRIPTOR_NAMES).size).toBe(DESCRIPTOR_DIMENSIONS);
    expect(DESCRIPTOR_DIMENSIONS % 16).toBe(0);
    expect(descriptors?.length).toBe(DESCRIPTOR_DIMENSIONS);
    expect(cosine(descriptors, descriptors)).toBeCloseTo(1, 5);
  });

  test("put two drum loops nearer each other than to chords", () => {
    const slow = analyze(drumLoop(RATE, 12, 100)).descriptors;
    const fast = analyze(drumLoop(RATE, 12, 126, FOUR_TO_THE_FLOOR)).descriptors;
    const chords = analyze(chordProgression(RATE, 12, { tonic: 2, minor: true })).descriptors;

    expect(cosine(slow, fast)).toBeGreaterThan(cosine(slow, chords) + 0.2);
  });

  test("descriptors of silence are null", () => {
    expect(analyze(silence(RATE, 3)).descriptors).toBeNull();
  });
});

describe("features", () => {
  test("features tell percussive from tonal, bright from dark, wide from narrow", () => {
    const drums = analyze(drumLoop(RATE, 10, 120)).features;
    const chords = analyze(chordProgression(RATE, 10, { tonic: 0, minor: false })).features;
    const wide = analyze(interleaved(noise(RATE, 3, 0.3, 1), noise(RATE, 3, 0.3, 2)), RATE, 2).features;
    const narrow = analyze(interleaved(noise(RATE, 3, 0.3, 1), noise(RATE, 3, 0.3, 1)), RATE, 2).features;

    expect(drums.percussiveness).toBeGreaterThan((chords.percussiveness as number) + 0.2);
    expect(wide.brightness).toBeGreaterThan((chords.brightness as number) + 0.3);
    expect(wide.spectralFlatness).toBeGreaterThan(0.3);
    expect(wide.stereoWidth).toBeCloseTo(0.5, 1);
    expect(narrow.stereoWidth).toBe(0);
  });

  test("features count the onsets: chords every half second are two per second", () => {
    const { features } = analyze(chordProgression(RATE, 20, { tonic: 0, minor: false }));
    expect(Math.abs((features.onsetRatePerSec ?? 0) - 2)).toBeLessThan(0.2);
  });
});

describe("any input", () => {
  test("is measured the same however the stream is split, even inside a frame", () => {
    const samples = interleaved(drumLoop(RATE, 6, 120), chordProgression(RATE, 6, { tonic: 4, minor: true }));
    const whole = analyze(samples, RATE, 2, samples.length);

    for (const chunk of [1, 999, 4096, 100_001]) expect(analyze(samples, RATE, 2, chunk)).toEqual(whole);
  });

  test("samples that are not finite count as silence", () => {
    const clean = sine(RATE, 2, 440);
    const broken = clean.slice();
    for (const [at, value] of [
      [0, 0],
      [1000, 0],
      [50_000, 0],
    ] as const)
      clean[at] = value;
    broken[0] = Number.NaN;
    broken[1000] = Number.POSITIVE_INFINITY;
    broken[50_000] = Number.NEGATIVE_INFINITY;

    expect(analyze(broken)).toEqual(analyze(clean));
  });

  test.each([0, 1, 10, 441, 4410, 22_050, 44_099])(
    "a sound of %d samples is analysed, without tempo or key",
    (length) => {
      const analysis = analyze(drumLoop(RATE, 1, 120).subarray(0, length));

      expect(analysis.durationSec).toBeCloseTo(length / RATE, 9);
      expect(analysis.tempo.bpm).toBeNull();
      expect(analysis.key.name).toBeNull();
      expect(numbersIn(analysis).every(Number.isFinite)).toBe(true);
    },
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("a sound of %d channels is measured", (channels) => {
    const planes = Array.from({ length: channels }, () => drumLoop(48_000, 6, 120));
    const analysis = analyze(interleaved(...planes), 48_000, channels);

    expect(analysis.tempo.bpm).toBe(120);
    expect(analysis.durationSec).toBe(6);
    expect(numbersIn(analysis).every(Number.isFinite)).toBe(true);
  });

  test.each<[string, Float32Array]>([
    ["silence", silence(RATE, 3)],
    ["full-scale DC", new Float32Array(3 * RATE).fill(1)],
    ["absurdly loud noise", noise(RATE, 3, 1e38)],
    ["one click", Float32Array.from({ length: 3 * RATE }, (_, i) => (i === 70_000 ? 1 : 0))],
  ])("of %s gives finite numbers", (_, samples) => {
    expect(numbersIn(analyze(samples)).every(Number.isFinite)).toBe(true);
  });

  test("levels of a tone are reported in decibels of full scale", () => {
    const { loudness } = analyze(sine(RATE, 5, 997, 0.5));

    expect(loudness.samplePeakDbfs).toBeCloseTo(-6.02, 1);
    expect(loudness.truePeakDbtp).toBeCloseTo(-6.02, 1);
    expect(loudness.integratedLufs).toBeCloseTo(-9.03, 1);
  });

  test("silence has no levels", () => {
    expect(analyze(silence(RATE, 5)).loudness).toEqual({
      integratedLufs: null,
      rangeLu: null,
      momentaryMaxLufs: null,
      shortTermMaxLufs: null,
      truePeakDbtp: null,
      samplePeakDbfs: null,
    });
  });

  test.each([
    { sampleRateHz: 0, channels: 2 },
    { sampleRateHz: 44_100.5, channels: 2 },
    { sampleRateHz: 44_100, channels: 0 },
    { sampleRateHz: 44_100, channels: 60_000 },
  ])("a sound of the format %j is refused", (format) => {
    expect(() => createAnalyzer(format)).toThrow(RangeError);
  });
});
