/** Parts that a beat is divided into. */
const STEPS = 24;
/** Places of a beat between which the off-beat is looked for. */
const EARLIEST = 0.42;
const LATEST = 0.76;
/** The off-beat stands out by this factor from the mean of its surroundings. */
const LEAST_CONTRAST = 1.6;
const MIN_BEATS = 24;

/**
 * Returns where in a beat its off-beat is played: 0.5 is even, 0.67 a triplet; null when nothing plays there, or when the
 * beat is divided in three.
 *
 * @param onset Strength of onsets, one a frame. @param beats Frames of the beats.
 */
export function swingOf(onset: Float32Array, beats: Float64Array): number | null {
  if (beats.length < MIN_BEATS) return null;
  const fold = foldBeats(onset, beats);
  const mean = fold.reduce((sum, value) => sum + value, 0) / STEPS;
  const [from, to] = [Math.round(EARLIEST * STEPS), Math.round(LATEST * STEPS)];
  let peak = from;
  for (let step = from; step <= to; step++) if ((fold[step] as number) > (fold[peak] as number)) peak = step;
  const third = Math.max(...fold.subarray(Math.round(0.28 * STEPS), Math.round(0.38 * STEPS) + 1));
  const height = fold[peak] as number;
  const isTernary = peak / STEPS > 0.58 && third > 0.6 * height;
  if (height < LEAST_CONTRAST * mean * 0.6 || isTernary) return null;
  return centroid(fold, peak);
}

function foldBeats(onset: Float32Array, beats: Float64Array): Float64Array {
  const fold = new Float64Array(STEPS);
  for (let beat = 0; beat + 1 < beats.length; beat++) {
    const [from, to] = [beats[beat] as number, beats[beat + 1] as number];
    for (let step = 0; step < STEPS; step++) {
      const at = from + ((to - from) * step) / STEPS;
      const index = Math.floor(at);
      const part = at - index;
      fold[step] = (fold[step] as number) + (onset[index] ?? 0) * (1 - part) + (onset[index + 1] ?? 0) * part;
    }
  }
  return fold;
}

function centroid(fold: Float64Array, peak: number): number {
  let [sum, weighted] = [0, 0];
  for (let step = peak - 2; step <= peak + 2; step++) {
    const weight = (fold[step] ?? 0) ** 2;
    sum += weight;
    weighted += weight * step;
  }
  return sum > 0 ? weighted / sum / STEPS : peak / STEPS;
}
