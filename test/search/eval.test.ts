import { expect, test } from "bun:test";
import { calibrationError, evaluate } from "../../lab/eval-search/measure.ts";

test("searches find what people really want in a badly kept library", async () => {
  const { qualities, calibrationError: error } = await evaluate("short", { tracks: 1200, briefs: 40 });

  const of = (name: string) => qualities.find((each) => each.name === name)?.ndcg ?? Number.NaN;
  expect(of("random")).toBeLessThan(0.2);
  expect(of("product")).toBeGreaterThan(0.65);
  expect(of("product")).toBeGreaterThan(of("full text only") + 0.1);
  expect(of("product")).toBeGreaterThan(0.85 * of("oracle parse"));
  expect(error).toBeLessThan(0.1);
});

test("the calibration error is the mean distance of scores from relevance, by tenths", () => {
  const judged = [
    { score: 0.81, relevance: 1 },
    { score: 0.89, relevance: 0.5 },
    { score: 0.2, relevance: 0.4 },
    { score: 1, relevance: 1 },
  ];

  expect(calibrationError(judged)).toBeCloseTo((0.1 * 2 + 0.2) / 4, 10);
});
