import type { Candidate } from "../candidates.ts";
import { isSameKey, keyName, type Mode, type MusicalKey, parseKey, wheelDistance } from "../musical-key.ts";
import { type Signal, WORTH_SAYING } from "./signal.ts";

type Range = readonly [min: number, max: number];
type Rows = readonly Candidate[];

/** Outside a range the score falls to 0 within this part of the range's nearer end. */
const TEMPO_REACH = 0.12;
const DURATION_REACH = 0.4;
/** Half or double the tempo asked for may be the same music, counted otherwise. */
const OCTAVE_SCORE = 0.55;
/** A tempo said as one number means that tempo to this part of it. */
const EXACT_TEMPO = 0.012;

/** Closeness to the tempo asked for, BPM. */
export function tempoSignal(rows: Rows, range: Range, weight = 2): Signal {
  const slack: Range = [range[0] * (1 - EXACT_TEMPO), range[1] * (1 + EXACT_TEMPO)];
  const closeness = (bpm: number) =>
    Math.max(
      near(bpm, slack, TEMPO_REACH),
      OCTAVE_SCORE * near(bpm * 2, slack, TEMPO_REACH),
      OCTAVE_SCORE * near(bpm / 2, slack, TEMPO_REACH),
    );
  return signalOf(
    rows,
    weight,
    ({ bpm }) => (bpm === null ? 0 : closeness(bpm)),
    ({ bpm }) => tempoReason(bpm, range),
  );
}

/** Says where a tempo lies to a range, in words such as "122 BPM, inside 120-130". */
export function tempoReason(bpm: number | null, range: Range): string | undefined {
  if (bpm === null) return undefined;
  const shown = `${round(bpm)} BPM`;
  const isInside = bpm >= range[0] && bpm <= range[1];
  if (range[0] === range[1])
    return round(bpm) === round(range[0]) ? `${shown}, as asked` : `${shown}, near ${round(range[0])}`;
  return `${shown}, ${isInside ? "inside" : "near"} ${round(range[0])}-${round(range[1])}`;
}

/** Closeness to the duration asked for, seconds. */
export function durationSignal(rows: Rows, range: Range): Signal {
  const closeness = ({ durationSec }: Candidate) =>
    durationSec === null ? 0 : near(durationSec, range, DURATION_REACH);
  return signalOf(rows, 1, closeness, ({ durationSec }) => durationReason(durationSec, range));
}

/** Says where a duration lies to a range, as minutes and seconds. */
export function durationReason(durationSec: number | null, range: Range): string | undefined {
  if (durationSec === null) return undefined;
  const isInside = durationSec >= range[0] && durationSec <= range[1];
  const asked = range[0] === range[1] ? clock(range[0]) : `${clock(range[0])}-${clock(range[1])}`;
  return `${clock(durationSec)} long, ${isInside ? "inside" : "near"} ${asked}`;
}

/** Closeness to the energy asked for, 0 to 1, as it was measured. */
export function energySignal(rows: Rows, energy: number): Signal {
  return signalOf(
    rows,
    1,
    (row) => (row.energy === null ? 0 : Math.max(0, 1 - 2 * Math.abs(row.energy - energy))),
    (row) =>
      row.energy === null
        ? undefined
        : `measured energy ${row.energy.toFixed(1)}, close to ${energy.toFixed(1)}`,
  );
}

/** Closeness to the key asked for; neighbours on the Camelot wheel score half. */
export function keySignal(rows: Rows, asked: MusicalKey): Signal {
  const closeness = memoized((text: string) => {
    const key = parseKey(text);
    if (!key) return 0;
    if (isSameKey(asked, key)) return 1;
    const isNeighbour = asked.mode !== null && key.mode !== null && wheelDistance(asked, key) === 1;
    return isNeighbour ? WORTH_SAYING : 0;
  });
  const reason = ({ key }: Candidate) =>
    key === null
      ? undefined
      : closeness(key) === 1
        ? `in ${key}`
        : `in ${key}, next to ${keyName(asked)} on the wheel`;
  return signalOf(rows, 1.5, ({ key }) => (key === null ? 0 : closeness(key)), reason);
}

/** Being in the mode asked for. */
export function modeSignal(rows: Rows, mode: Mode): Signal {
  const closeness = memoized((text: string) => (parseKey(text)?.mode === mode ? 1 : 0));
  return signalOf(
    rows,
    0.75,
    ({ key }) => (key === null ? 0 : closeness(key)),
    ({ key }) => `in ${key}`,
  );
}

/** What is unknown may be either. */
const UNKNOWN_VOICE = 0.4;

/** Having a voice, or none, as the prose asks. */
export function voiceSignal(rows: Rows, wantsVoice: boolean): Signal {
  const wanted = wantsVoice ? 1 : 0;
  return signalOf(
    rows,
    1.5,
    ({ voice }) => (voice === null ? UNKNOWN_VOICE : voice === wanted ? 1 : 0),
    ({ voice }) => (voice === null ? undefined : wantsVoice ? "has vocals" : "instrumental"),
  );
}

function signalOf(
  rows: Rows,
  weight: number,
  score: (row: Candidate) => number,
  reason: (row: Candidate) => string | undefined,
): Signal {
  const scores = Float32Array.from(rows, score);
  return {
    weight,
    scores,
    explain: (index) => {
      const row = rows[index];
      return row && (scores[index] ?? 0) >= WORTH_SAYING ? reason(row) : undefined;
    },
  };
}

/** 1 inside the range, falling to 0 at `reach` of the nearer end outside it. */
function near(value: number, [min, max]: Range, reach: number): number {
  if (value >= min && value <= max) return 1;
  const distance = value < min ? (min - value) / min : (value - max) / max;
  return Math.max(0, 1 - distance / reach);
}

/** A library has a few dozen spellings of keys and thousands of tracks. */
function memoized(compute: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Seconds as `3:05`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
