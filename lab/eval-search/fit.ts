import {
  interpolated,
  POINTS as POINTS_IN_FORCE,
} from "../../src/modules/search/search/ranking/calibration.ts";
import { evaluate, type Judged } from "./measure.ts";

/** Worlds that are never evaluated on. */
const SEEDS = ["fit one", "fit two", "fit three"];
const POINTS = 10;

/**
 * Returns the points of a calibration: mean raw score and mean true relevance of equally large groups of results,
 * made ascending. The effect of the current calibration is removed first.
 *
 * @see Zadrozny & Elkan 2002, isotonic regression by pooling adjacent violators.
 */
export async function fitCalibration(sizes: { tracks: number; briefs: number }): Promise<string> {
  const judged: Judged[] = [];
  for (const seed of SEEDS) judged.push(...(await evaluate(seed, sizes)).judged.map(withRawScore));
  const sorted = judged.toSorted((a, b) => a.score - b.score);
  const size = Math.ceil(sorted.length / POINTS);
  const groups = Array.from({ length: POINTS }, (_, index) =>
    pointOf(sorted.slice(index * size, (index + 1) * size)),
  );
  return pooled(groups)
    .map(({ score, relevance }) => `[${score.toFixed(3)}, ${relevance.toFixed(3)}],`)
    .join("\n");
}

const INVERSE = POINTS_IN_FORCE.map(([raw, score]) => [score, raw] as const);

function withRawScore({ score, relevance }: Judged): Judged {
  return { score: interpolated(INVERSE, score), relevance };
}

type Point = Judged & { count: number };

function pointOf(group: readonly Judged[]): Point {
  const mean = (value: (each: Judged) => number) =>
    group.reduce((sum, each) => sum + value(each), 0) / group.length;
  return {
    score: mean(({ score }) => score),
    relevance: mean(({ relevance }) => relevance),
    count: group.length,
  };
}

function pooled(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    kept.push(point);
    for (
      let [left, right] = lastTwo(kept);
      left && right && left.relevance > right.relevance;
      [left, right] = lastTwo(kept)
    )
      kept.splice(-2, 2, merged(left, right));
  }
  return kept;
}

const lastTwo = (points: readonly Point[]) => [points.at(-2), points.at(-1)] as const;

function merged(left: Point, right: Point): Point {
  const count = left.count + right.count;
  const mean = (a: number, b: number) => (a * left.count + b * right.count) / count;
  return { score: mean(left.score, right.score), relevance: mean(left.relevance, right.relevance), count };
}
