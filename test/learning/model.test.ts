import { describe, expect, test } from "bun:test";

import { calibrate, type Trial } from "../../src/modules/library/analysis/learning/calibration.ts";
import {
  type Example,
  INPUTS,
  inputsOf,
  priorLogOdds,
} from "../../src/modules/library/analysis/learning/inputs.ts";
import {
  fitLogistic,
  logit,
  type Observation,
  sigmoid,
} from "../../src/modules/library/analysis/learning/logistic.ts";
import { voteOf } from "../../src/modules/library/analysis/learning/neighbours.ts";
import { SOUND_DIMENSIONS } from "../../src/modules/library/analysis/learning/sound.ts";
import {
  decodeModel,
  encodeModel,
  probabilityOf,
  type TagModel,
} from "../../src/modules/library/analysis/learning/tag-classifier.ts";
import { trainTag } from "../../src/modules/library/analysis/learning/train.ts";
import { type Verdicts, wordsOn } from "../../src/modules/library/analysis/learning/words.ts";
import { seededRandom } from "../support/signals.ts";

const atOnce = () => Promise.resolve();
const random = seededRandom(7);

/** Returns a direction of length 1 near `towards`, an axis; `spread` 0 gives the axis itself. */
function sound(towards: number, spread = 0.05): Float32Array {
  const values = Float32Array.from(
    { length: SOUND_DIMENSIONS },
    (_, i) => (i === towards ? 1 : 0) + spread * (2 * random() - 1),
  );
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}
const example = (sound: Float32Array, isPositive: boolean, said: Partial<Example> = {}): Example => ({
  sound,
  offset: priorLogOdds(0),
  isPositive,
  weight: isPositive ? 1 : 2,
  isSaid: true,
  ...said,
});
const bitsOf = (model: TagModel) => Buffer.from(encodeModel(model).buffer).toString("hex");

describe("logistic regression", () => {
  const observation = (inputs: number[], isPositive: boolean): Observation => ({
    inputs: Float64Array.from(inputs),
    offset: 0,
    isPositive,
    weight: 1,
  });

  test("finds the weights where the gradient is zero", () => {
    const observations = [
      observation([1, 0], true),
      observation([0.6, 0.8], true),
      observation([0, 1], false),
      observation([-0.6, 0.8], false),
      observation([0.8, -0.6], false),
    ];

    const [a = 0, b = 0] = fitLogistic(observations, 0.1);

    const gradient = [0, 1].map((k) =>
      observations.reduce(
        (sum, { inputs, isPositive }) =>
          sum +
          (sigmoid(a * (inputs[0] ?? 0) + b * (inputs[1] ?? 0)) - (isPositive ? 1 : 0)) * (inputs[k] ?? 0),
        0.1 * (k === 0 ? a : b),
      ),
    );
    expect(Math.hypot(...gradient)).toBeLessThan(1e-6);
  });

  test("a regression of one example has the closed form: the weight times the penalty is the remaining error", () => {
    const [weight = 0] = fitLogistic([observation([1], true)], 0.5);

    expect(0.5 * weight).toBeCloseTo(1 - sigmoid(weight), 9);
  });
});

describe("calibration", () => {
  const trials = (score: number, positives: number, negatives: number): Trial[] => [
    ...Array.from({ length: positives }, () => ({ score, isPositive: true, weight: 1 })),
    ...Array.from({ length: negatives }, () => ({ score, isPositive: false, weight: 1 })),
  ];

  test("lowers overconfident scores: right six times in ten means about sixty percent", () => {
    const { slope, shift } = calibrate([...trials(4, 600, 400), ...trials(-4, 400, 600)]);

    expect(sigmoid(4 * slope + shift)).toBeCloseTo(0.6, 1);
    expect(sigmoid(-4 * slope + shift)).toBeCloseTo(0.4, 1);
  });

  test("never raises a model's confidence", () => {
    expect(calibrate([...trials(0.5, 50, 0), ...trials(-0.5, 0, 50)])).toEqual({ slope: 1, shift: 0 });
  });

  test("changes nothing with too little data", () => {
    expect(calibrate(trials(3, 5, 1))).toEqual({ slope: 1, shift: 0 });
  });
});

describe("neighbours", () => {
  const at = (descriptors: Float32Array) =>
    inputsOf(descriptors, new Float64Array(SOUND_DIMENSIONS), priorLogOdds(0));

  test("count by their nearness, and without near ones the prior applies", () => {
    const near = { inputs: at(sound(0, 0)), isPositive: true, weight: 1 };

    const [same, far] = [sound(0, 0), sound(1, 0)].map((each) => voteOf([near], at(each), logit(0.06)));

    expect(same).toBeCloseTo((0.25 * 0.06 + 1) / 1.25, 6);
    expect(far).toBeCloseTo(0.06, 1);
  });
});

describe("a model", () => {
  const club = Array.from({ length: 8 }, () => sound(0));
  const weather = Array.from({ length: 8 }, () => sound(1));
  const examples = [
    ...club.map((each) => example(each, true)),
    ...weather.map((each) => example(each, false)),
  ];

  test("is the same to the last bit when trained on the same data", async () => {
    const [one, two] = [await trainTag(examples, atOnce), await trainTag(structuredClone(examples), atOnce)];

    expect(bitsOf(one)).toBe(bitsOf(two));
  });

  test("is read as it was written, with and without neighbours", async () => {
    for (const count of [2, 16]) {
      const model = await trainTag(examples.slice(0, count), atOnce);
      const written = encodeModel(model);

      expect(bitsOf(decodeModel(written))).toBe(bitsOf(model));
      expect(written).toHaveLength(3 + SOUND_DIMENSIONS + INPUTS + (count === 2 ? 2 * (1 + INPUTS) : 0));
    }
  });

  test("distinguishes kinds, and is uncertain about unfamiliar ones", async () => {
    const model = await trainTag(examples, atOnce);

    expect(probabilityOf(model, sound(0), 0)).toBeGreaterThan(0.7);
    expect(probabilityOf(model, sound(1), 0)).toBeLessThan(0.05);
    expect(probabilityOf(model, sound(5), 0)).toBeLessThan(0.3);
  });

  test("refines a rule: far from all examples the rule still decides", async () => {
    const model = await trainTag(examples.slice(0, 2), atOnce);

    expect(probabilityOf(model, sound(40), 0.6)).toBeCloseTo(0.6, 1);
    expect(probabilityOf(model, sound(40), 0)).toBeCloseTo(0.06, 1);
  });

  test("learns not to trust a rule", async () => {
    const offset = priorLogOdds(0.6);
    const wrong = Array.from({ length: 10 }, (_, i) => example(sound(i), false, { offset }));

    const model = await trainTag(wrong, atOnce);

    expect(probabilityOf(model, sound(50), 0.6)).toBeLessThan(0.3);
  });
});

describe("examples from verdicts", () => {
  const verdict = (trackId: string, tagId: string, isWanted = true, isApplied = false) =>
    [trackId, [{ trackId, tagId, name: tagId, isWanted, isApplied }]] as const;

  test("a track counts against a tag if other tags were written, not if none were", () => {
    const verdicts: Verdicts = new Map([
      verdict("a", "dark"),
      verdict("b", "calm"),
      verdict("c", "calm", false),
      verdict("d", "calm", true, true),
    ]);

    expect(wordsOn(verdicts, "dark")).toEqual([
      { trackId: "a", isPositive: true, weight: 1, isSaid: true },
      { trackId: "b", isPositive: false, weight: 0.3, isSaid: false },
    ]);
  });

  test("rejected tags count most, tags accepted in bulk least", () => {
    const verdicts: Verdicts = new Map([verdict("a", "dark", true, true), verdict("b", "dark", false)]);

    expect(wordsOn(verdicts, "dark").map(({ weight }) => weight)).toEqual([0.3, 2]);
  });

  test("a frequent tag does not outweigh a rare one", () => {
    const often = Array.from({ length: 50 }, (_, i) => verdict(`t${i}`, "calm"));
    const verdicts: Verdicts = new Map([verdict("a", "dark"), ...often]);

    const against = wordsOn(verdicts, "dark").filter(({ isPositive }) => !isPositive);

    expect(against).toHaveLength(50);
    expect(against.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(0.3, 6);
  });

  test("a tag that was never written or rejected has no examples", () => {
    expect(wordsOn(new Map([verdict("a", "calm")]), "dark")).toEqual([]);
  });
});
