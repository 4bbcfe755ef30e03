import { describe, expect, test } from "bun:test";
import { createAnalyzer } from "../../src/audio/analyzer.ts";
import { CODES_PER_SECOND, COLUMN_LEVELS, SILENT_CODE } from "../../src/audio/fingerprint/fingerprint.ts";
import { alignFingerprints } from "../../src/audio/fingerprint/fingerprint-match.ts";
import { refineOffset } from "../../src/audio/fingerprint/fingerprint-offset.ts";
import { LEVELS_PER_SECOND } from "../../src/audio/fingerprint/level-rate.ts";
import { noise, silence, sine } from "../support/signals.ts";
import { tune } from "../support/tune.ts";

const RATE_HZ = 22_050;

function analysed(samples: Float32Array, sampleRateHz = RATE_HZ) {
  const analyzer = createAnalyzer({ sampleRateHz, channels: 1 });
  analyzer.push(samples);
  return analyzer.finish();
}

const SONG = tune(RATE_HZ, 20, 3).map((x) => 0.5 * x);
const NOISE = noise(RATE_HZ, 20, 0.003);
const original = analysed(SONG);

describe("a fingerprint", () => {
  test("has eight codes per second and a column every half second", () => {
    const { codes, columns } = original.fingerprint;

    expect(codes.length).toBeWithin(19 * CODES_PER_SECOND - 2, 20 * CODES_PER_SECOND);
    expect(columns.length / COLUMN_LEVELS).toBe(41);
    expect(new Set(codes).size).toBeGreaterThan(0.9 * codes.length);
  });

  test("a fingerprint of silence is empty, and a short sound has none", () => {
    expect(new Set(analysed(silence(RATE_HZ, 5)).fingerprint.codes)).toEqual(new Set([SILENT_CODE]));
    expect(analysed(noise(RATE_HZ, 0.5)).fingerprint.codes).toBeEmpty();
  });

  test.each([
    ["softer", SONG.map((x) => x / 4), 0],
    ["with noise 40 dB down", SONG.map((x, i) => x + (NOISE[i] as number)), 0],
    ["cut by a second", SONG.subarray(RATE_HZ), -1],
    ["begun later", Float32Array.from([...silence(RATE_HZ, 2.5), ...SONG]), 2.5],
  ])(
    "a fingerprint of the same sound %s is nearly the same, at the right offset",
    (_, samples, offsetSec) => {
      const found = alignFingerprints(original.fingerprint, analysed(samples).fingerprint);

      expect(found?.bitErrorRate).toBeLessThan(0.12);
      expect(found?.deviationDb).toBeLessThan(0.3);
      expect(found?.offsetSec).toBeWithin(offsetSec - 0.07, offsetSec + 0.07);
      expect(found?.overlap).toBeGreaterThan(0.85);
    },
  );

  test("a fingerprint of another tune is different", () => {
    const found = alignFingerprints(original.fingerprint, analysed(tune(RATE_HZ, 20, 4)).fingerprint);

    expect(found?.bitErrorRate ?? 0.5).toBeGreaterThan(0.35);
  });

  test("a fingerprint of another mix has a different balance", () => {
    const mix = analysed(tune(RATE_HZ, 20, 3, { bass: 0.6 }));

    expect(alignFingerprints(original.fingerprint, mix.fingerprint)?.deviationDb).toBeGreaterThan(1);
  });
});

describe("the offset of two copies", () => {
  test.each([-0.12137, 0, 0.04321])("is found within half a millisecond: %f s", (offsetSec) => {
    // Made at four times the rate, to get a shift that is not a whole number of samples.
    const fine = tune(4 * RATE_HZ, 10, 5).map((x) => 0.5 * x);
    const shift = Math.round(offsetSec * 4 * RATE_HZ);
    const moved =
      shift < 0 ? fine.subarray(-shift) : Float32Array.from([...new Float32Array(shift), ...fine]);

    const found = refineOffset(
      analysed(fine, 4 * RATE_HZ).levels,
      analysed(moved, 4 * RATE_HZ).levels,
      offsetSec + 0.05,
    );

    expect(found).toBeWithin(offsetSec - 0.0005, offsetSec + 0.0005);
  });

  test("the offset is unknown when nothing changes, and when nothing matches", () => {
    const still = analysed(sine(RATE_HZ, 5, 440)).levels;
    const other = analysed(tune(RATE_HZ, 5, 11)).levels;

    expect(refineOffset(new Uint8Array(still.length), new Uint8Array(still.length), 0)).toBeUndefined();
    expect(refineOffset(original.levels, other, 0)).toBeUndefined();
  });

  test("is searched in level steps of five milliseconds", () => {
    expect(original.levels.length).toBeWithin(20 * LEVELS_PER_SECOND - 5, 20 * LEVELS_PER_SECOND);
  });
});
