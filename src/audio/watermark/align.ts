import { createResampler } from "../dsp/resample.ts";
import { BANDS, READING_RATE_HZ } from "./grid.ts";
import { FRAME_SIZE, levelsOf, type Sound, whiten } from "./levels.ts";
import { lineOfDelays } from "./line.ts";

/** Where a leak is in its original: original second = `offsetSec` + `speed` x leak second. */
export type Alignment = { offsetSec: number; speed: number };

const HOP = FRAME_SIZE / 2;
const HOP_SEC = HOP / READING_RATE_HZ;
const FINE_RATE_HZ = READING_RATE_HZ / 2;
const MOST_PLACES = 6;
/** A place whose levels are not half as like as the best is no repeat of it. */
const LEAST_LIKENESS = 0.5;
/** Places nearer than this, in hops, are one. */
const APART = 4;
/** Frames of the leak that are laid on the original. */
const PROBES = 256;
const EVERY_BAND = 2;

/**
 * Finds where a leak is in its original: coarsely by the levels of bands, then to a part of a sample. Music repeats itself, and loops
 * do so to the sample, so there may be several places: only the mark tells which repeat it was.
 *
 * @returns At most six, the likeliest first; none when the two have nothing in common.
 */
export function alignmentsOf(leak: Sound, original: Sound): Alignment[] {
  const [x, y] = [fineMono(leak), fineMono(original)];
  const lengthSec = leak.left.length / READING_RATE_HZ;
  return coarsePlaces(leak, original).flatMap((offsetSec) => {
    // Outside the original there is nothing to align with.
    const fromSec = Math.max(0, -offsetSec);
    const toSec = Math.min(lengthSec, original.left.length / READING_RATE_HZ - offsetSec);
    const line = lineOfDelays(x, y, { fromSec, toSec, offsetSec }, FINE_RATE_HZ);
    return line ? { offsetSec: line.atZero / FINE_RATE_HZ, speed: 1 + line.slope } : [];
  });
}

function coarsePlaces(leak: Sound, original: Sound): number[] {
  const [a, b] = [leak, original].map((sound) =>
    whiten(levelsOf(sound, HOP, "logarithms"), { spanSec: 0.28, clipDb: 3 }),
  ) as [ReturnType<typeof whiten>, ReturnType<typeof whiten>];
  const every = Math.max(1, Math.ceil(a.frames / PROBES));
  const places: { shift: number; likeness: number }[] = [];
  for (let shift = -(a.frames >> 1); shift < b.frames - (a.frames >> 1); shift++)
    places.push({ shift, likeness: likeness(a, b, { shift, every }) });
  places.sort((one, other) => other.likeness - one.likeness);
  const chosen: number[] = [];
  for (const place of places) {
    if (chosen.length === MOST_PLACES || place.likeness < LEAST_LIKENESS * (places[0]?.likeness ?? 0)) break;
    if (chosen.every((shift) => Math.abs(shift - place.shift) > APART)) chosen.push(place.shift);
  }
  return chosen.map((shift) => shift * HOP_SEC);
}

type Whitened = ReturnType<typeof whiten>;

function likeness(a: Whitened, b: Whitened, { shift, every }: { shift: number; every: number }): number {
  let sum = 0;
  const last = Math.min(a.frames, b.frames - shift);
  for (let frame = Math.ceil(Math.max(0, -shift) / every) * every; frame < last; frame += every) {
    const [one, other] = [frame * BANDS, (frame + shift) * BANDS];
    for (let band = 0; band < BANDS; band += EVERY_BAND)
      sum += (a.db[one + band] as number) * (b.db[other + band] as number);
  }
  return sum;
}

function fineMono({ left, right }: Sound): Float32Array {
  const mono = left.map((sample, i) => (sample + (right[i] as number)) / 2);
  const fine = new Float32Array(Math.ceil(mono.length / 2));
  let filled = 0;
  const resampler = createResampler(READING_RATE_HZ, FINE_RATE_HZ, (samples, count) => {
    fine.set(samples.subarray(0, count), filled);
    filled += count;
  });
  resampler.push(mono, mono.length);
  resampler.finish();
  return fine;
}
