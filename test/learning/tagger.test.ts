import { expect, test } from "bun:test";
import { DESCRIPTOR_DIMENSIONS } from "../../src/audio/analyzer.ts";
import { priorsOf } from "../../src/modules/analysis/suggest/priors.ts";
import { tagProbabilities, tagsTaught } from "../../src/modules/analysis/tagger/tagger.ts";
import { CENTRES, TAGGER_WEIGHTS, WIDTHS } from "../../src/modules/analysis/tagger/weights.ts";

/** Returns descriptors that speak strongly for a tag, or against it. */
const towards = (name: string, side: 1 | -1) => {
  const weights = TAGGER_WEIGHTS.find((tag) => tag.name === name)?.weights ?? [];
  return Float32Array.from(
    weights,
    (weight, i) => (CENTRES[i] ?? 0) + side * Math.sign(weight) * (WIDTHS[i] ?? 1),
  );
};
const basis = {
  features: {},
  analysis: {
    durationSec: 180,
    loudness: { integratedLufs: -14, rangeLu: 6 },
    tempo: { bpm: null },
    key: { name: null, confidence: 0 },
  },
  embedded: {},
  filename: "a.wav",
  heard: null,
};

test("the small tagger has a weight for every descriptor", () => {
  expect([CENTRES.length, WIDTHS.length]).toEqual([DESCRIPTOR_DIMENSIONS, DESCRIPTOR_DIMENSIONS]);
  for (const { weights } of TAGGER_WEIGHTS) expect(weights.length).toBe(DESCRIPTOR_DIMENSIONS);
  expect(WIDTHS.every((width) => width > 0)).toBe(true);
});

test("it suggests only what it is sure of", () => {
  const at = (descriptors: Float32Array) => tagsTaught(descriptors).map(({ name }) => name);

  expect(at(towards("Strings", 1))).toContain("Strings");
  expect(at(towards("Strings", -1))).not.toContain("Strings");
  for (const { probability } of tagProbabilities(Float32Array.from(CENTRES)))
    expect(probability).toBeLessThan(0.7);
  expect(at(Float32Array.from(CENTRES))).toEqual([]);
});

test("a genre from the file's tags is kept, and sounds of a few seconds get no suggestions", () => {
  const descriptors = towards("Electronic", 1);
  const named = (rest: object) =>
    priorsOf({ ...basis, descriptors, ...rest }).map(({ name, category }) => `${category} ${name}`);

  expect(named({})).toContain("genres Electronic");
  expect(named({ embedded: { genres: ["Folk"] } })).toContain("genres Folk");
  expect(named({ embedded: { genres: ["Folk"] } })).not.toContain("genres Electronic");
  expect(named({ analysis: { ...basis.analysis, durationSec: 8 } })).toEqual([]);
});
