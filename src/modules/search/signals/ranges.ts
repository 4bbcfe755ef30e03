/** Lowest and highest, both inclusive. */
export type Range = readonly [min: number, max: number];

/** Outside a range the score falls to 0 within this part of the range's nearer end. */
const TEMPO_REACH = 0.12;
const DURATION_REACH = 0.4;
/** Half or double the tempo asked for may be the same music, counted otherwise. */
const OCTAVE_SCORE = 0.55;
/** A tempo said as one number means that tempo to this part of it. */
const EXACT_TEMPO = 0.012;

/** `height` from `low` to `high`, falling to 0 at `from` and `to`. */
export type Ramp = { from: number; low: number; high: number; to: number; height: number };

/** Returns what the highest of some ramps has at a value; 0 for not a number. */
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

/** How near a tempo is to a range, 0 to 1, and its half and its double somewhat less. */
export function tempoRamps([min, max]: Range): Ramp[] {
  const [low, high] = [min * (1 - EXACT_TEMPO), max * (1 + EXACT_TEMPO)];
  return [
    ramp(low, high, TEMPO_REACH, 1),
    ramp(low / 2, high / 2, TEMPO_REACH, OCTAVE_SCORE),
    ramp(low * 2, high * 2, TEMPO_REACH, OCTAVE_SCORE),
  ];
}

/** How near a duration is to a range, 0 to 1. */
export const durationRamps = ([min, max]: Range): Ramp[] => [ramp(min, max, DURATION_REACH, 1)];

const ramp = (low: number, high: number, reach: number, height: number): Ramp => ({
  from: low * (1 - reach),
  low,
  high,
  to: high * (1 + reach),
  height,
});

/** Says where a tempo lies to a range, in words such as "122 BPM, inside 120-130". */
export function tempoReason(bpm: number | null, range: Range): string | undefined {
  if (bpm === null) return undefined;
  const shown = `${round(bpm)} BPM`;
  const isInside = bpm >= range[0] && bpm <= range[1];
  if (range[0] === range[1])
    return round(bpm) === round(range[0])
      ? `${shown}, as asked`
      : `${shown}, ${nearness(bpm, range)} ${round(range[0])}`;
  return `${shown}, ${isInside ? "inside" : nearness(bpm, range)} ${round(range[0])}-${round(range[1])}`;
}

/** Says where a duration lies to a range, as minutes and seconds. */
export function durationReason(durationSec: number | null, range: Range): string | undefined {
  if (durationSec === null) return undefined;
  const isInside = durationSec >= range[0] && durationSec <= range[1];
  const asked = range[0] === range[1] ? clock(range[0]) : `${clock(range[0])}-${clock(range[1])}`;
  return `${clock(durationSec)} long, ${isInside ? "inside" : "near"} ${asked}`;
}

/** 1 inside the range, falling to 0 at `reach` of the nearer end outside it. */
function near(value: number, min: number, max: number, reach: number): number {
  if (value >= min && value <= max) return 1;
  const distance = value < min ? (min - value) / min : (value - max) / max;
  return distance < reach ? 1 - distance / reach : 0;
}

/** A tempo that only fits when it is counted in half or double time is not near. */
function nearness(bpm: number, [min, max]: Range): string {
  const slow = near(bpm * 2, min, max, TEMPO_REACH);
  const fast = near(bpm / 2, min, max, TEMPO_REACH);
  const octave = Math.max(slow, fast);
  if (near(bpm, min, max, TEMPO_REACH) >= OCTAVE_SCORE * octave) return "near";
  return slow > fast ? "half of" : "double of";
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Seconds as `3:05`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
