import { createShortBands } from "../descriptors/spectral.ts";
import { CODES_PER_SECOND, createFingerprinter, FRAMES_PER_CODE, SILENT_CODE } from "./fingerprint.ts";

/**
 * The codes of a sound that may be a part of a recording: begun at the first frame, and a little later each. A sound that was cut between
 * two codes of its recording has other ones.
 */
export type ExcerptCodes = readonly Uint32Array[];

/** A part of a sound, and its likeliest place in a recording. */
export type ExcerptPlace = {
  /** Seconds in the sound. */
  fromSec: number;
  toSec: number;
  /** How much later the same moment comes in the recording, to 0.03 s. */
  offsetSec: number;
  /** Share of differing bits while both sound: 0 for a copy, about 0.5 for another recording. */
  bitErrorRate: number;
  /** It is not chance that so few differ. */
  isSure: boolean;
};

/** Collects the codes of a sound at ANALYSIS_HZ. */
type ExcerptMeter = { push(mono: Float32Array, count: number): void; finish(): ExcerptCodes };

const PHASES = 4;
const PHASE_FRAMES = FRAMES_PER_CODE / PHASES;

/** Builds a meter of the codes that an excerpt is found by. */
export function createExcerptMeter(): ExcerptMeter {
  const fingerprinters = Array.from({ length: PHASES }, createFingerprinter);
  let frames = 0;
  const bands = createShortBands((melPower) => {
    for (const [phase, fingerprinter] of fingerprinters.entries())
      if (frames >= phase * PHASE_FRAMES) fingerprinter.push(melPower);
    frames++;
  });
  return {
    push: bands.push,
    finish() {
      bands.finish();
      return fingerprinters.map((fingerprinter) => fingerprinter.finish().codes);
    },
  };
}

/** Codes of a part, 15 s. */
const PART_CODES = 125;
/** Fewer say too little: 5 s. */
const LEAST_CODES = 30;
const MOST_PARTS = 12;

/** A part of a sound that is looked for. */
export type ExcerptPart = { from: number; codes: ExcerptCodes };

/** Cuts a sound into parts that are looked for one by one, evenly spread: what is around an excerpt may be anything. */
export function partsOf(codes: ExcerptCodes): ExcerptPart[] {
  const length = Math.min(...codes.map((phase) => phase.length));
  const size = Math.min(length, PART_CODES);
  if (size < LEAST_CODES) return [];
  const count = Math.min(MOST_PARTS, Math.ceil(length / size));
  return Array.from({ length: count }, (_, i) => {
    const from = count === 1 ? 0 : Math.round((i * (length - size)) / (count - 1));
    return { from, codes: codes.map((phase) => phase.subarray(from, from + size)) };
  }).filter(({ codes: [first] }) => first?.some((code) => code !== SILENT_CODE));
}

/** Passes over the places, from one compared code to the next: neighbours have most of their sound in common. More errors are chance. */
const FIRST = { step: 24, most: 0.44 };
const SECOND = { step: 8, most: 0.42 };

/** Returns the place of a recording that a part of a sound is most like; undefined when none is likelier than chance. */
export function findPart({ from, codes }: ExcerptPart, recording: Uint32Array): ExcerptPlace | undefined {
  const all = codes.map((part, phase) => ({ phase, ...bestPlace(part, recording) }));
  const best = all.reduce((one, other) => (other.errors < one.errors ? other : one));
  if (best.errors === 1) return undefined;
  const part = codes[best.phase] as Uint32Array;
  const { length } = part;
  const late = (best.phase * PHASE_FRAMES) / FRAMES_PER_CODE;
  return {
    fromSec: (from + late) / CODES_PER_SECOND,
    toSec: (from + late + length) / CODES_PER_SECOND,
    offsetSec: (best.place - from - late) / CODES_PER_SECOND,
    bitErrorRate: best.errors,
    isSure: best.errors <= mostErrors(soundingAt(part, recording, best.place)),
  };
}

/** Returns the place with the fewest errors; all are errors where no place is likelier than chance. */
function bestPlace(part: Uint32Array, recording: Uint32Array): { place: number; errors: number } {
  let best = { place: 0, errors: 1 };
  for (let place = 0; place + part.length <= recording.length; place++) {
    if (errorsAt(part, recording, place, FIRST.step) > FIRST.most) continue;
    if (errorsAt(part, recording, place, SECOND.step) > SECOND.most) continue;
    const errors = errorsAt(part, recording, place, 1);
    if (errors < best.errors) best = { place, errors };
  }
  return best;
}

/** Returns the share of differing bits among every `step`th code. Silence in one of the two says nothing. */
function errorsAt(part: Uint32Array, recording: Uint32Array, place: number, step: number): number {
  // Plain variables: this is run a thousand million times.
  let errors = 0;
  let bits = 0;
  for (let at = 0; at < part.length; at += step) {
    const one = part[at] as number;
    const other = recording[place + at] as number;
    if (one === SILENT_CODE || other === SILENT_CODE) continue;
    bits += 32;
    errors += bitsOf(one ^ other);
  }
  return bits === 0 ? 1 : errors / bits;
}

/** Returns how many codes sound in both. */
function soundingAt(part: Uint32Array, recording: Uint32Array, place: number): number {
  let count = 0;
  for (let at = 0; at < part.length; at++)
    if (part[at] !== SILENT_CODE && recording[place + at] !== SILENT_CODE) count++;
  return count;
}

/**
 * Deviations from chance at which a place is believed, and the spread of chance for one code. The best of the 160 million places of two
 * hours of other music was 4.2 deviations away; ten thousand tracks have four hundred times as many.
 */
const DEVIATIONS = 7;
const SPREAD = 0.226;

/** Returns the share of differing bits up to which a part of so many codes is believed to be of a recording: 0.36 for 15 s. */
const mostErrors = (codes: number): number => 0.5 - (DEVIATIONS * SPREAD) / Math.sqrt(codes);

/** Counts the bits that are set. */
function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
