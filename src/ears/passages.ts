import { BANDS, FRAMES } from "./layout.ts";
import { createLevels, FRAME_SAMPLES, HOP_SAMPLES } from "./levels.ts";

/** The levels of FRAMES frames, frame by frame. */
export type Passage = Float32Array;
/** A passage to listen to, and the share of the recording that sounds like it. */
export type ChosenPassage = { passage: Passage; share: number };

/** At most this many passages are kept, evenly spread over what has been heard: a megabyte. */
const MOST_KEPT = 16;
/** The widest spacing to begin with, enough for four minutes: a file's header may promise too much. */
const MOST_AT_FIRST = 5;
export const PASSAGE_SAMPLES = FRAMES * HOP_SAMPLES;
/** A passage this far below the loudest one, in mean level, is not listened to: about 30 dB. */
export const QUIETER = 1.5;
/** A passage that differs by less from one that was chosen has been heard: about 1 dB in each band. */
const LEAST_DIFFERENCE = BANDS * 0.1 ** 2;

/** Cuts what it is given into passages and keeps some of them, evenly spread, whatever the length of the recording. */
export type PassageCollector = {
  push(samples: Float32Array, count: number): void;
  /** Only passages whose number is a multiple of this are wanted from now on. */
  spacing(): number;
  /** Returns the passages kept so far. */
  passages(): Passage[];
};

/**
 * Builds a collector for mono samples at EARS_HZ.
 *
 * @param expected How many samples will come, as far as is known. Far fewer leave fewer passages.
 */
export function createPassageCollector(expected = 0): PassageCollector {
  let kept: Passage[] = [];
  const fitting = Math.ceil(expected / PASSAGE_SAMPLES / MOST_KEPT);
  let spacing = Math.max(1, Math.min(MOST_AT_FIRST, fitting));
  const push = createPassageCutter((passage) => {
    kept.push(passage);
    if (kept.length <= MOST_KEPT) return;
    kept = kept.filter((_, i) => i % 2 === 0);
    spacing *= 2;
  });
  return { push, spacing: () => spacing, passages: () => kept };
}

/** Returns a function that takes mono samples at EARS_HZ, and hands on the levels of each passage that is complete. */
export function createPassageCutter(onPassage: (passage: Passage) => void): PassageCollector["push"] {
  const writeLevels = createLevels();
  const held = new Float32Array(PASSAGE_SAMPLES + FRAME_SAMPLES - HOP_SAMPLES);
  let filled = 0;
  return (samples, count) => {
    for (let from = 0; from < count; ) {
      const taken = Math.min(count - from, held.length - filled);
      held.set(samples.subarray(from, from + taken), filled);
      filled += taken;
      from += taken;
      if (filled < held.length) continue;
      onPassage(passageOf(held, writeLevels));
      held.copyWithin(0, PASSAGE_SAMPLES, filled);
      filled -= PASSAGE_SAMPLES;
    }
  };
}

function passageOf(samples: Float32Array, writeLevels: ReturnType<typeof createLevels>): Passage {
  const passage = new Float32Array(FRAMES * BANDS);
  for (let frame = 0; frame < FRAMES; frame++)
    writeLevels(samples, frame * HOP_SAMPLES, passage.subarray(frame * BANDS, (frame + 1) * BANDS));
  return passage;
}

/**
 * Returns the passages that tell the most: the most usual one, then each time the one that differs most from those
 * chosen. A passage stands for all that are nearer to it than to another. Leaves out silence.
 */
export function choosePassages(passages: readonly Passage[], most: number): ChosenPassage[] {
  const all = passages.map((passage) => ({ passage, sound: soundOf(passage) }));
  const loudest = Math.max(...all.map(({ sound }) => meanOf(sound)));
  const heard = all.filter(({ sound }) => meanOf(sound) > Math.max(0, loudest - QUIETER));
  const usual = meanSound(heard);
  let at = extreme(
    heard.map(({ sound }) => distance(sound, usual)),
    -1,
  );
  const nearest = heard.map(() => ({ distance: Number.POSITIVE_INFINITY, chosen: 0 }));
  const chosen: Passage[] = [];
  while (chosen.length < most && (nearest[at]?.distance ?? 0) > LEAST_DIFFERENCE) {
    const { passage, sound } = heard[at] as (typeof heard)[number];
    for (const [i, each] of heard.entries()) {
      const own = distance(each.sound, sound);
      if (own < (nearest[i]?.distance ?? 0)) nearest[i] = { distance: own, chosen: chosen.length };
    }
    chosen.push(passage);
    at = extreme(
      nearest.map((each) => each.distance),
      1,
    );
  }
  return chosen.map((passage, index) => ({
    passage,
    share: nearest.filter((each) => each.chosen === index).length / heard.length,
  }));
}

/** Returns the mean level of a passage. */
export const levelOf = (passage: Passage) => passage.reduce((sum, level) => sum + level, 0) / passage.length;

type Sound = Float32Array;

/** Returns the mean level of each band. */
function soundOf(passage: Passage): Sound {
  const sound = new Float32Array(BANDS);
  for (let i = 0; i < passage.length; i++)
    sound[i % BANDS] = (sound[i % BANDS] as number) + (passage[i] as number) / FRAMES;
  return sound;
}

function meanSound(all: readonly { sound: Sound }[]): Sound {
  const mean = new Float32Array(BANDS);
  for (const { sound } of all)
    for (let band = 0; band < BANDS; band++)
      mean[band] = (mean[band] as number) + (sound[band] as number) / all.length;
  return mean;
}

const meanOf = (sound: Sound) => sound.reduce((sum, level) => sum + level, 0) / BANDS;

function distance(a: Sound, b: Sound): number {
  let sum = 0;
  for (let band = 0; band < BANDS; band++) sum += ((a[band] as number) - (b[band] as number)) ** 2;
  return sum;
}

/** Returns the index of the largest (sign 1) or smallest (sign -1) value. */
function extreme(values: readonly number[], sign: number): number {
  let best = 0;
  for (const [i, value] of values.entries()) if (sign * value > sign * (values[best] ?? 0)) best = i;
  return best;
}
