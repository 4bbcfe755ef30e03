import { fit } from "../train-tagger/logistic.ts";

/** What a regression said of a piece that it was not fitted to. */
export type Judged = { score: number; isTrue: boolean; isReal: boolean };
/** Turns scores into log-odds. */
export type Calibration = { scale: number; shift: number };
/**
 * How often all suggestions together must be right where nothing was trained, and those of each name. Recordings have six
 * passages instead of two, and are right more often: 0.91 at this bound.
 */
const [LEAST_PRECISION, LEAST_OF_NAME] = [0.87, 0.85];
/** A name is judged by itself where so many suggestions would be made. */
const LEAST_SAID = 5;
/** Nothing is suggested that is more likely wrong than right. */
const EVEN = 0.5;
const NEVER = 2;

/** A calibration, and the least probability from which the name is suggested; above 1 for never. */
export type Bound = Calibration & { least: number; text: string };
type Said = Judged & { probability: number };

/**
 * Calibrates the scores of each name, and finds the probability from which suggestions are right often enough. It is one
 * for all names, since bounds of their own would be chosen on few suggestions each, but higher for those that would be
 * wrong too often.
 */
export function boundsOf(names: readonly (readonly Judged[])[]): Bound[] {
  const all = names.map((judged) => {
    const calibration = calibrationOf(judged);
    const { scale, shift } = calibration;
    const said = judged
      .map((each) => ({ ...each, probability: 1 / (1 + Math.exp(-scale * each.score - shift)) }))
      .sort((a, b) => b.probability - a.probability);
    return { calibration, said };
  });
  const common = leastOf(
    all.flatMap(({ said }) => said).sort((a, b) => b.probability - a.probability),
    LEAST_PRECISION,
  );
  return all.map(({ calibration, said }) => {
    const least = Math.max(common, leastOf(said, LEAST_OF_NAME));
    return { ...calibration, least, text: textOf(said, least) };
  });
}

/** Returns the lowest probability, EVEN or more, from which suggestions are right often enough; NEVER without one. */
function leastOf(sorted: readonly Said[], precision: number): number {
  let [right, least] = [0, NEVER];
  for (const [rank, { isTrue, probability }] of sorted.entries()) {
    if (probability < EVEN) break;
    if (isTrue) right++;
    if (rank + 1 >= LEAST_SAID && right >= precision * (rank + 1)) least = probability;
  }
  return least;
}

function textOf(said: readonly Said[], least: number): string {
  const count = said.filter(({ isTrue }) => isTrue).length;
  const figure = (some: readonly Said[]) => `${some.filter(({ isTrue }) => isTrue).length} of ${some.length}`;
  const above = said.filter(({ probability }) => probability >= least);
  if (least > 1) return `${count} pieces: not suggested`;
  const real = above.filter(({ isReal }) => isReal);
  return `${count} pieces: from ${least.toFixed(2)} on ${figure(above)} right; real ${figure(real)}`;
}

/** Returns the line from scores to log-odds. */
function calibrationOf(judged: readonly Judged[]): Calibration {
  const mean = judged.reduce((sum, { score }) => sum + score, 0) / judged.length;
  const width = Math.sqrt(judged.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / judged.length);
  const { bias, weights } = fit(
    judged.map(({ score }) => [(score - mean) / width]),
    judged.map(({ isTrue }) => isTrue),
    0,
  );
  const scale = Math.max(0, weights[0] ?? 0) / width;
  return { scale, shift: bias - scale * mean };
}
