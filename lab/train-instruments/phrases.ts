import type { Random } from "../eval-audio/random.ts";
import { SCALES } from "../eval-audio/scales.ts";
import type { Player } from "./players.ts";

/** A tone of a phrase; times in seconds from its start. */
export type Tone = { at: number; seconds: number; pitch: number; velocity: number };
/** Every phrase fills a passage that the ears listen to; what still sounds at its end is cut off. */
export const PHRASE_SECONDS = 3.2;

const WAYS = [...Object.values(SCALES), [0, 2, 4, 7, 9, 12, 14]];
const STEPS = [-3, -2, -1, -1, 0, 1, 1, 2, 4];

/** Returns a phrase in a register of the player: a tune, broken chords, chords or long tones. */
export function phraseOf(random: Random, { manner, lowest, highest }: Player): Tone[] {
  const span = Math.min(highest - lowest, 26);
  const low = Math.round(random.between(lowest, highest - span));
  const velocity = random.between(45, 120);
  const scale = random.pick(WAYS);
  const tonic = Math.floor(random.unit() * 12);
  const inside = (pitch: number) => pitch >= low && pitch <= low + span;
  const tones = Array.from({ length: 128 }, (_, pitch) => pitch).filter(
    (pitch) => inside(pitch) && scale.includes((pitch - tonic + 120) % 12),
  );
  const draw = { random, tones, velocity };
  const isMelodic = manner === "wind" || manner === "bow";
  const kind = random.unit();
  if (manner === "bass") return line(draw, random.between(0.2, 0.6), 0.95);
  if (kind < (isMelodic ? 0.65 : 0.3))
    return line(draw, random.between(0.12, 0.7), random.between(0.5, 1.05));
  if (kind < (isMelodic ? 0.85 : 0.5)) return line(draw, random.between(0.8, 2.4), 1);
  if (isMelodic) return broken(draw, random.between(0.1, 0.3));
  if (kind < 0.75) return broken(draw, random.between(0.1, 0.35));
  return chords(draw, manner === "sustained" ? random.between(0.25, 3.2) : random.between(0.2, 1));
}

type Draw = { random: Random; tones: readonly number[]; velocity: number };

function line({ random, tones, velocity }: Draw, step: number, held: number): Tone[] {
  const phrase: Tone[] = [];
  let index = Math.floor(random.unit() * tones.length);
  for (let at = random.unit() * 0.2; at < PHRASE_SECONDS; ) {
    const seconds = step * random.pick([0.5, 1, 1, 1, 2]);
    const pitch = tones[index];
    if (pitch !== undefined && (phrase.length === 0 || random.chance(0.9)))
      phrase.push({ at, seconds: seconds * held, pitch, velocity: velocity + random.normal(8) });
    at += seconds;
    index = Math.max(0, Math.min(tones.length - 1, index + random.pick(STEPS)));
  }
  return phrase;
}

function broken({ random, tones, velocity }: Draw, step: number): Tone[] {
  const phrase: Tone[] = [];
  const start = Math.floor(random.unit() * Math.max(1, tones.length - 7));
  const order = random.pick([
    [0, 2, 4, 7],
    [0, 2, 4, 2],
    [7, 4, 2, 0],
    [0, 4, 2, 4],
  ]);
  for (let n = 0; n * step < PHRASE_SECONDS; n++) {
    const pitch = tones[Math.min(tones.length - 1, start + (order[n % 4] ?? 0) + (Math.floor(n / 8) % 3))];
    if (pitch !== undefined)
      phrase.push({ at: n * step, seconds: step * 1.1, pitch, velocity: velocity + random.normal(8) });
  }
  return phrase;
}

function chords({ random, tones, velocity }: Draw, step: number): Tone[] {
  const phrase: Tone[] = [];
  const size = random.pick([2, 3, 3, 4]);
  for (let at = 0; at < PHRASE_SECONDS; at += step) {
    const root = Math.floor(random.unit() * Math.max(1, tones.length - 2 * size));
    for (let n = 0; n < size; n++) {
      const pitch = tones[Math.min(tones.length - 1, root + 2 * n)];
      if (pitch !== undefined)
        phrase.push({ at, seconds: step * 0.95, pitch, velocity: velocity + random.normal(6) });
    }
  }
  return phrase;
}

/** Hits of a kit in a bar of sixteen steps; the notes of General MIDI. */
const GROOVES: readonly Readonly<Record<number, readonly number[]>>[] = [
  { 36: [0, 4, 8, 12], 42: [2, 6, 10, 14], 38: [4, 12] },
  { 36: [0, 10], 38: [4, 12], 42: [0, 2, 4, 6, 8, 10, 12, 14] },
  { 36: [0, 3, 6, 8, 11], 38: [4, 12], 51: [0, 4, 8, 12] },
  { 36: [0, 4, 8, 12], 46: [2, 6, 10, 14], 39: [4, 12] },
  { 51: [0, 4, 7, 8, 12, 15], 44: [4, 12], 37: [15] },
  { 36: [0], 38: [8], 49: [0], 45: [10, 12], 41: [14] },
  { 54: [0, 4, 8, 12], 64: [0, 3, 6, 10], 63: [2, 8, 14] },
  { 36: [0, 2, 4, 6, 8, 10, 12, 14], 38: [4, 12], 49: [0, 8] },
];

/** Returns a phrase for a drum kit. */
export function grooveOf(random: Random): Tone[] {
  const step = random.between(0.08, 0.18);
  const groove = random.pick(GROOVES);
  const velocity = random.between(70, 115);
  return Object.entries(groove).flatMap(([pitch, steps]) =>
    Array.from({ length: Math.ceil(PHRASE_SECONDS / step) }, (_, n) => n)
      .filter((n) => steps.includes(n % 16) && !random.chance(0.05))
      .map((n) => ({
        at: n * step,
        seconds: 0.2,
        pitch: Number(pitch),
        velocity: velocity + random.normal(9),
      })),
  );
}
