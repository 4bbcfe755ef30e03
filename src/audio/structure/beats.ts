/** How much a beat away from the tempo costs: the square of the natural logarithm of the ratio, times this. */
const STEADINESS = 250;
/** A beat comes between these multiples of the period after the last. */
const SHORTEST = 0.65;
const LONGEST = 1.55;

/**
 * Returns the frames of the beats, in order: where onsets are strong and the distance keeps close to the tempo.
 *
 * @param onset Strength of onsets, one a frame. @param period Frames a beat.
 * @see Ellis, "Beat tracking by dynamic programming", 2007.
 */
export function trackBeats(onset: Float32Array, period: number): Int32Array {
  const length = onset.length;
  const from = Math.max(1, Math.round(SHORTEST * period));
  const costs = Float64Array.from(
    { length: Math.round(LONGEST * period) - from + 1 },
    (_, i) => STEADINESS * Math.log((from + i) / period) ** 2,
  );
  const unit = deviationOf(onset) || 1;
  const scores = new Float64Array(length);
  const before = new Int32Array(length).fill(-1);
  for (let frame = 0; frame < length; frame++) {
    let best = 0;
    for (let i = 0; i < costs.length && from + i <= frame; i++) {
      const score = (scores[frame - from - i] as number) - (costs[i] as number);
      if (score <= best) continue;
      best = score;
      before[frame] = frame - from - i;
    }
    scores[frame] = best + (onset[frame] as number) / unit;
  }
  return walkBack(before, lastBeat(scores, period));
}

function deviationOf(values: Float32Array): number {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i] as number;
    squares += (values[i] as number) ** 2;
  }
  return Math.sqrt(Math.max(0, squares / values.length - (sum / values.length) ** 2));
}

/** Returns the frame of the best path's end, within the last beat. */
function lastBeat(scores: Float64Array, period: number): number {
  let best = Math.max(0, scores.length - 1);
  for (let frame = best; frame > scores.length - 1 - period && frame >= 0; frame--)
    if ((scores[frame] as number) > (scores[best] as number)) best = frame;
  return best;
}

function walkBack(before: Int32Array, last: number): Int32Array {
  const beats: number[] = [];
  for (let frame = last; frame >= 0; frame = before[frame] ?? -1) beats.push(frame);
  return Int32Array.from(beats.reverse());
}
