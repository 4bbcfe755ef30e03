import type { Outline } from "./outline.ts";

/** So long is the passage that is compared. */
const PASSAGE_SEC = 12;
/** It begins a little before, so that one hears it come. */
const BEFORE_SEC = 1;
/** Shorter recordings begin at their beginning. */
const SHORT_SEC = 20;

/** Returns where the loudest passage of a recording begins. */
export function loudestSec({ levels, sampleRateHz, frames }: Outline): number {
  const coarsest = levels.at(-1);
  if (!coarsest || frames / sampleRateHz < SHORT_SEC) return 0;
  const { pairs, framesPerPair } = coarsest;
  const count = pairs.length / 2;
  const span = Math.max(1, Math.round((PASSAGE_SEC * sampleRateHz) / framesPerPair));
  let [sum, most, at] = [0, -1, 0];
  for (let pair = 0; pair < count; pair++) {
    sum += energyAt(pairs, pair) - (pair >= span ? energyAt(pairs, pair - span) : 0);
    if (pair < span - 1 || sum <= most) continue;
    [most, at] = [sum, pair - span + 1];
  }
  return Math.max(0, (at * framesPerPair) / sampleRateHz - BEFORE_SEC);
}

/** The square of the height of the wave. */
const energyAt = (pairs: Int8Array, pair: number): number =>
  ((pairs[2 * pair + 1] ?? 0) - (pairs[2 * pair] ?? 0)) ** 2;
