import { createResampler } from "../audio/dsp/resample.ts";
import { getListener, LEAST_SECONDS, type Listener } from "./ears.ts";
import { EARS_HZ } from "./levels.ts";
import { createPassageCutter, levelOf, PASSAGE_SAMPLES, type Passage, QUIETER } from "./passages.ts";
import { CERTAIN, type HeardPassages, MOST_PASSAGES, PLACED_NAMES, VOICES } from "./places.ts";
import { HEARD_INSTRUMENTS, HEARD_TAGS } from "./tags.ts";
import { voiceInPassage } from "./voice.ts";

const PASSAGE_SEC = PASSAGE_SAMPLES / EARS_HZ;

/** Listens to a whole recording as it streams by. */
export type WholeEars = {
  push(mono: Float32Array, count: number): void;
  /** Returns what was heard; null for silence and short sounds. Call once. */
  finish(): HeardPassages | null;
};

/** What was heard in one passage, and its mean level. */
type Heard = { level: number; likelihoods: Float32Array };

/**
 * Builds the ears for a whole mono stream. It takes a twenty-fifth of a second of processor time for each three seconds.
 *
 * @param lengthSec How long it will be, if that is known.
 */
export async function createWholeEars(inputHz: number, lengthSec?: number | null): Promise<WholeEars> {
  const listen = await getListener();
  let heard: Heard[] = [];
  let spacing = Math.max(1, Math.ceil((lengthSec ?? 0) / PASSAGE_SEC / MOST_PASSAGES));
  const cut = createPassageCutter((passage) => {
    heard.push(hear(listen, passage));
    if (heard.length <= MOST_PASSAGES) return;
    heard = heard.filter((_, i) => i % 2 === 0);
    spacing *= 2;
  });
  const resampler = createResampler(inputHz, EARS_HZ, cut);
  let samples = 0;
  return {
    push(mono, count) {
      const passage = Math.floor(samples / (PASSAGE_SEC * inputHz));
      samples += count;
      if (passage % spacing === 0) resampler.push(mono, count);
    },
    finish() {
      if (samples < LEAST_SECONDS * inputHz) return null;
      resampler.finish();
      const loudest = Math.max(...heard.map(({ level }) => level));
      if (!(loudest > 0)) return null;
      const isLoud = heard.map(({ level }) => level > Math.max(0, loudest - QUIETER));
      return { stepSec: spacing * PASSAGE_SEC, likelihoods: byName(heard, isLoud) };
    },
  };
}

function hear(listen: Listener, passage: Passage): Heard {
  const level = levelOf(passage);
  const likelihoods = new Float32Array(PLACED_NAMES.length);
  if (level <= 0) return { level, likelihoods };
  const numbers = listen(passage);
  for (let i = 0; i < HEARD_INSTRUMENTS.length; i++)
    likelihoods[i] = 1 / (1 + Math.exp(-(numbers[HEARD_TAGS.length + i] as number)));
  likelihoods[PLACED_NAMES.indexOf(VOICES)] = voiceInPassage(numbers);
  return { level, likelihoods };
}

function byName(heard: readonly Heard[], isLoud: readonly boolean[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(PLACED_NAMES.length * heard.length);
  for (const [passage, { likelihoods }] of heard.entries())
    for (const [name, likelihood] of likelihoods.entries())
      if (isLoud[passage]) all[name * heard.length + passage] = Math.round(CERTAIN * likelihood);
  return all;
}
