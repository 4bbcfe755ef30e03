import { clockText } from "../../../../kernel/time.ts";

/** Lowest and highest, both inclusive. */
export type Range = readonly [min: number, max: number];

/** A range that reaches beyond one of these is open at that end (decision 4.51). */
export const OPEN_ENDS = { bpm: [1, 300], seconds: [0, 86_400] } as const;
const SECONDS_IN_MINUTE = 60;

/** Outside a range the score falls to 0 within this share of the range's nearer end. */
const TEMPO_REACH = 0.12;
const DURATION_REACH = 0.4;
/** Half or double the tempo may be the same music, counted differently. */
const OCTAVE_SCORE = 0.55;
/** A tempo given as one number includes tempos that differ by up to this share. */
const EXACT_TEMPO = 0.012;

/** A score of `height` from `low` to `high`, falling to 0 at `from` and `to`. */
export type Ramp = { from: number; low: number; high: number; to: number; height: number };

/** Returns the highest score of some ramps at a value; 0 for NaN. */
export function rampScore(ramps: readonly Ramp[], value: number): number {
  let best = 0;
  for (let i = 0; i < ramps.length; i++) {
    const { from, low, high, to, height } = ramps[i] as Ramp;
    if (!(value >= from && value <= to)) continue;
    const part = value < low ? (value - from) / (low - from) : value > high ? (to - value) / (to - high) : 1;
    best = Math.max(best, part * height);
  }
  return best;
}

/** Returns the ramps for a tempo near a range, and lower ones for half and double the tempo. */
export function tempoRamps([min, max]: Range): Ramp[] {
  const [low, high] = [min * (1 - EXACT_TEMPO), max * (1 + EXACT_TEMPO)];
  return [
    ramp(low, high, TEMPO_REACH, 1),
    ramp(low / 2, high / 2, TEMPO_REACH, OCTAVE_SCORE),
    ramp(low * 2, high * 2, TEMPO_REACH, OCTAVE_SCORE),
  ];
}

/** Returns the ramp for a duration near a range. */
export const durationRamps = ([min, max]: Range): Ramp[] => [ramp(min, max, DURATION_REACH, 1)];

const ramp = (low: number, high: number, reach: number, height: number): Ramp => ({
  from: low * (1 - reach),
  low,
  high,
  to: high * (1 + reach),
  height,
});

/**
 * Compares a tempo with a range, in words such as "122 BPM, inside 120-130" and "122 BPM, over 100". Of two readings it is
 * the first that lies inside, or the first: "174 BPM felt as 87, inside 80-90".
 */
export function tempoReason(
  { bpm, otherBpm }: { bpm: number | null; otherBpm: number | null },
  range: Range,
): string | undefined {
  if (bpm === null) return undefined;
  const shown = `${round(bpm)} BPM`;
  const isFelt = otherBpm !== null && fits(otherBpm, range) && !fits(bpm, range);
  return isFelt
    ? reasonOf(`${shown} felt as ${round(otherBpm)}`, otherBpm, range)
    : reasonOf(shown, bpm, range);
}

/** A tempo meets a single number that rounds to the same. */
const fits = (bpm: number, [min, max]: Range): boolean =>
  (bpm >= min && bpm <= max) || (min === max && round(bpm) === round(min));

function reasonOf(shown: string, bpm: number, range: Range): string {
  if (range[0] === range[1] && round(bpm) === round(range[0])) return `${shown}, as asked`;
  const isInside = bpm >= range[0] && bpm <= range[1];
  return `${shown}, ${bounds(range, OPEN_ENDS.bpm, isInside, nearness(bpm, range), { one: (value) => String(round(value)) })}`;
}

/** Compares a duration with a range: "4:10 long, inside 3:00-5:00", "4:10 long, over 3 minutes". */
export function durationReason(durationSec: number | null, range: Range): string | undefined {
  if (durationSec === null) return undefined;
  const shown = clockText(durationSec);
  if (clockText(range[0]) === clockText(range[1]) && shown === clockText(range[0]))
    return `${shown} long, as asked`;
  const isInside = durationSec >= range[0] && durationSec <= range[1];
  return `${shown} long, ${bounds(range, OPEN_ENDS.seconds, isInside, "near", { one: lengthText, inRange: clockText })}`;
}

/** Says where a value lies. An end that the brief left open is not invented. */
function bounds(
  [min, max]: Range,
  [least, most]: Range,
  isInside: boolean,
  nearness: string,
  { one, inRange = one }: { one: (value: number) => string; inRange?: (value: number) => string },
): string {
  const [isOpenBelow, isOpenAbove] = [min <= least, max >= most];
  if (isOpenBelow !== isOpenAbove) {
    const [limit, end] = isOpenBelow ? ["up to", one(max)] : ["over", one(min)];
    if (isInside) return `${limit} ${end}`;
    return nearness === "near" ? `near ${end}` : `${nearness} ${limit} ${end}`;
  }
  const asked = min === max ? one(min) : `${inRange(min)}-${inRange(max)}`;
  return `${isInside ? "inside" : nearness} ${asked}`;
}

/** "3 minutes", "1 minute", "1:30" */
function lengthText(seconds: number): string {
  const minutes = Math.round(seconds) / SECONDS_IN_MINUTE;
  if (!Number.isInteger(minutes)) return clockText(seconds);
  return `${minutes} minute${minutes === 1 ? "" : "s"}`;
}

/** Returns 1 inside the range; outside, the value falls to 0 at the share `reach` of the nearer end. */
function near(value: number, min: number, max: number, reach: number): number {
  if (value >= min && value <= max) return 1;
  const distance = value < min ? (min - value) / min : (value - max) / max;
  return distance < reach ? 1 - distance / reach : 0;
}

/** Says "near" unless a tempo fits only when counted in half or double time. */
function nearness(bpm: number, [min, max]: Range): string {
  const slow = near(bpm * 2, min, max, TEMPO_REACH);
  const fast = near(bpm / 2, min, max, TEMPO_REACH);
  const octave = Math.max(slow, fast);
  if (near(bpm, min, max, TEMPO_REACH) >= OCTAVE_SCORE * octave) return "near";
  return slow > fast ? "half of" : "double of";
}

/** Rounds to one decimal. */
export const round = (value: number) => Math.round(value * 10) / 10;
