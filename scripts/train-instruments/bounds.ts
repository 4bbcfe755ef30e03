import { fit } from "../train-tagger/logistic.ts";

/** What a regression said of a piece that it was not fitted to. */
export type Judged = { score: number; isTrue: boolean; isReal: boolean };
/** Turns scores into log-odds, and the least probability from which an instrument is suggested; above 1 for never. */
export type Bound = { scale: number; shift: number; least: number; text: string };

/** What suggestions must reach where nothing was trained, and how often they must have been made there. */
const [LEAST_PRECISION, LEAST_SAID] = [0.9, 15];
/** Nothing is suggested that is more likely wrong than right. */
const EVEN = 0.5;
const NEVER = 2;

/** Calibrates the scores, and finds the least probability from which enough suggestions were right. */
export function boundOf(judged: readonly Judged[]): Bound {
  const { scale, shift } = calibrationOf(judged);
  const sorted = judged
    .map((each) => ({ ...each, probability: 1 / (1 + Math.exp(-scale * each.score - shift)) }))
    .sort((a, b) => b.probability - a.probability);
  const count = judged.filter(({ isTrue }) => isTrue).length;
  let [right, least, text] = [0, NEVER, `${count} pieces: not suggested`];
  for (const [rank, { isTrue, probability }] of sorted.entries()) {
    if (probability < EVEN) break;
    if (isTrue) right++;
    const said = rank + 1;
    if (said < LEAST_SAID || right / said < LEAST_PRECISION) continue;
    least = probability;
    const real = sorted.slice(0, said).filter(({ isReal }) => isReal);
    const realRight = real.filter((each) => each.isTrue).length;
    text = `${count} pieces: from ${least.toFixed(2)} on ${right} of ${said} right; real ${realRight} of ${real.length}`;
  }
  return { scale, shift, least, text };
}

/** Returns the line from scores to log-odds. */
function calibrationOf(judged: readonly Judged[]): { scale: number; shift: number } {
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
