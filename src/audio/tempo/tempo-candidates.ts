import { atLag } from "../dsp/correlation.ts";
import { peakNear, type Rhythm, TOTAL_VIEW } from "./rhythm.ts";

/** The range of tempi that is searched, BPM. */
export const MIN_BPM = 30;
export const MAX_BPM = 300;

const GRID_RATIO = 1.004;
const SEEDS = 7;
/** A metrical level is often confused with these multiples of it. */
const RELATIVES = [1, 2, 1 / 2, 3, 1 / 3, 3 / 2, 2 / 3, 4, 1 / 4];
const SAME_TEMPO = 0.035;

/**
 * Returns the refined tempi worth judging, BPM: the strongest periods of the recording and their metrical relatives.
 * Empty when nothing repeats.
 */
export function tempoCandidates(rhythm: Rhythm): number[] {
  const grid: number[] = [];
  for (let bpm = MIN_BPM; bpm <= MAX_BPM; bpm *= GRID_RATIO) grid.push(bpm);
  const salience = grid.map((bpm) => combSalience(rhythm, bpm));
  const peaks = grid
    .map((bpm, i) => ({
      bpm,
      score: salience[i] as number,
      before: salience[i - 1] ?? 0,
      after: salience[i + 1] ?? 0,
    }))
    .filter(({ score, before, after }) => score > 0 && score >= before && score > after)
    .sort((a, b) => b.score - a.score)
    .slice(0, SEEDS);
  const found: number[] = [];
  for (const { bpm } of peaks)
    for (const relative of RELATIVES) addDistinct(found, refine(rhythm, bpm * relative));
  return found;
}

function addDistinct(found: number[], bpm: number): void {
  if (bpm < MIN_BPM || bpm > MAX_BPM) return;
  if (found.every((known) => Math.abs(known / bpm - 1) > SAME_TEMPO)) found.push(bpm);
}

/** Returns how well the beats at a tempo repeat over one, two, three and four beats. */
function combSalience({ rateHz, views }: Rhythm, bpm: number): number {
  const period = (60 * rateHz) / bpm;
  let sum = 0;
  for (const { correlation } of views.slice(TOTAL_VIEW))
    sum +=
      peakNear(correlation, period) +
      0.8 * peakNear(correlation, 2 * period) +
      0.4 * peakNear(correlation, 3 * period) +
      0.5 * peakNear(correlation, 4 * period);
  return sum;
}

const REFINE_SPAN = 0.025;
const REFINE_STEP = 0.0002;
const REFINE_BEATS = 16;
/** A tempo this close to a whole number was probably set to that number on a machine. */
const SNAP = 0.0005;

/** Returns the tempo near `bpm` whose multiples fit best up to long lags, a whole number when within 0.05 % of one. */
export function refine({ rateHz, views }: Rhythm, bpm: number): number {
  const correlation = views[TOTAL_VIEW]?.correlation ?? new Float64Array(0);
  let best = bpm;
  let highest = Number.NEGATIVE_INFINITY;
  for (let ratio = 1 - REFINE_SPAN; ratio <= 1 + REFINE_SPAN; ratio += REFINE_STEP) {
    const period = (60 * rateHz) / (bpm * ratio);
    let sum = 0;
    for (let beat = 1; beat <= REFINE_BEATS && beat * period < correlation.length - 1; beat++)
      sum += Math.sqrt(beat) * atLag(correlation, beat * period);
    if (sum <= highest) continue;
    highest = sum;
    best = bpm * ratio;
  }
  const whole = Math.round(best);
  return Math.abs(best / whole - 1) < SNAP ? whole : best;
}
