import { createRealFft, type RealFft } from "../dsp/fft.ts";
import { inverseReal } from "../dsp/inverse.ts";
import type { Placed } from "./delay.ts";

/** What is left of one recording when another is taken from it. */
export type Residual = {
  /** Energy of what is left, relative to the first recording, dB, where both sound; 0 when they never do. */
  residualDb: number;
  /**
   * Share of what is left that the first has and the second lacks, 0 to 1: near 1 when the second is a part of the first, near 0 when
   * the first is a part of the second.
   */
  heldByFirst: number;
  /** Share of the audible moments and octaves in which hardly anything is left, 0 to 1. */
  nullShare: number;
  /** Returns what is left, as long as the first; silence outside the runs. It takes longer than all the rest. */
  rest(): Float32Array;
};

/** A block is 0.74 s, weighted so that half a second counts. */
const SIZE = 16_384;
const HOP = SIZE / 2;
/** Borders of the octaves, Hz. */
const BORDERS_HZ = [0, 88, 177, 354, 707, 1414, 2828, 5657, 11_025];
/** What a limiter on the master may change. */
const [MIN_GAIN, MAX_GAIN] = [0.5, 2];
/** A block this far below the loudest is silence, and an octave this far below the loudest of its block. */
const SILENT_POWER = 1e-5;
const FAINT_POWER = 1e-4;
/** An octave in which no more is left is the same in both. */
const NULL_POWER = 0.1;

const HANN = Float64Array.from({ length: SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIZE));

/**
 * Takes one recording from another where they line up: in each half second and octave with the gain that leaves the least.
 *
 * @param x, y Mono, at `rateHz`.
 * @param runs Where the stretches of `x` are in `y`.
 */
export function takeFrom(
  x: Float32Array,
  y: Float32Array,
  runs: readonly Placed[],
  rateHz: number,
): Residual {
  const blocks = runs.flatMap((run) => blocksOf(run, x.length, rateHz));
  const { measure, restOf } = createSubtractor(x, atLevelOf(x, y, blocks), rateHz);
  const found = blocks.map(measure);
  const loudest = found.reduce((most, { power }) => Math.max(most, power), 0);
  const sounding = found.filter(
    ({ power, other }) => power > loudest * SILENT_POWER && other > loudest * SILENT_POWER,
  );
  const sum = (of: (block: Block) => number) => sounding.reduce((total, block) => total + of(block), 0);
  const [power, left] = [sum((block) => block.power), sum((block) => block.left)];
  return {
    residualDb: power > 0 ? 10 * Math.log10(Math.max(left / power, 1e-12)) : 0,
    heldByFirst: heldBy(sounding),
    nullShare:
      sum(({ nulls }) => nulls) /
      Math.max(
        1,
        sum(({ audible }) => audible),
      ),
    rest: () => restOf(blocks),
  };
}

/** As much of the two must be the same for one to be brought to the level of the other. */
const MIN_COHERENCE = 0.5;

/**
 * Returns the second recording at the level of the first where it is the same and far softer or louder, as the stems of a master are.
 * One that is only a part of the other stays: its level says nothing.
 */
function atLevelOf(x: Float32Array, y: Float32Array, blocks: readonly Place[]): Float32Array {
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const { start, delay } of blocks) {
    const shift = Math.round(delay);
    const end = Math.min(x.length, start + HOP);
    for (let at = Math.max(0, start); at < end; at++) {
      const a = x[at] as number;
      const b = y[at + shift] ?? 0;
      xx += a * a;
      yy += b * b;
      xy += a * b;
    }
  }
  const gain = yy > 0 ? xy / yy : 1;
  const isSame = xy > 0 && xy * xy >= MIN_COHERENCE * xx * yy;
  return isSame && (gain < MIN_GAIN || gain > MAX_GAIN) ? y.map((sample) => gain * sample) : y;
}

/** A block of the first recording: where it begins, and how much later the same comes in the second. */
type Place = { start: number; delay: number };

function blocksOf(run: Placed, length: number, rateHz: number): Place[] {
  const [from, to] = [run.fromSec * rateHz, Math.min(length, run.toSec * rateHz)];
  const places: Place[] = [];
  for (let start = Math.round(from) - HOP; start + HOP < to; start += HOP)
    places.push({ start, delay: run.delay + run.drift * (start + HOP - from) });
  return places;
}

/** What a block gives: powers, and of each octave what is needed to say who holds the rest. */
type Block = {
  power: number;
  other: number;
  left: number;
  audible: number;
  nulls: number;
  octaves: Octave[];
};

type Octave = { xx: number; yy: number; xy: number; gain: number; left: number; isNull: boolean };

function createSubtractor(x: Float32Array, y: Float32Array, rateHz: number) {
  const fft = createRealFft(SIZE);
  const work = new Float64Array(SIZE);
  const bins = SIZE / 2 + 1;
  const [xr, xi] = [new Float64Array(bins), new Float64Array(bins)];
  const borders = BORDERS_HZ.map((hz) => Math.min(bins, Math.round((hz * SIZE) / rateHz)));
  const compareOctaves = ({ start, delay }: Place): Octave[] => {
    transform(fft, work, x, start);
    xr.set(fft.re);
    xi.set(fft.im);
    const whole = Math.round(delay);
    transform(fft, work, y, start + whole);
    turn(fft, delay - whole);
    return borders.slice(1).map((to, octave) => octaveOf(xr, xi, fft, borders[octave] ?? 0, to));
  };

  return {
    measure(place: Place): Block {
      const octaves = compareOctaves(place);
      const [power, other] = [total(octaves, "xx"), total(octaves, "yy")];
      const audible = octaves.filter(({ xx, yy }) => Math.max(xx, yy) > FAINT_POWER * Math.max(power, other));
      return {
        ...{ power, other, octaves: audible, audible: audible.length },
        left: octaves.reduce((sum, octave) => sum + octave.left, 0),
        nulls: audible.filter(({ isNull }) => isNull).length,
      };
    },
    restOf(places: readonly Place[]): Float32Array {
      const rest = new Float32Array(x.length);
      for (const place of places) {
        const { start } = place;
        for (const [octave, { gain }] of compareOctaves(place).entries())
          subtract(xr, xi, fft, { gain, from: borders[octave] ?? 0, to: borders[octave + 1] ?? 0 });
        inverseReal(fft, xr, xi, work);
        const [first, end] = [Math.max(0, -start), Math.min(SIZE, rest.length - start)];
        for (let at = first; at < end; at++)
          rest[start + at] = (rest[start + at] as number) + (work[at] as number);
      }
      return rest;
    },
  };
}

const total = (octaves: readonly { xx: number; yy: number }[], of: "xx" | "yy") =>
  octaves.reduce((sum, octave) => sum + octave[of], 0);

function transform(fft: RealFft, work: Float64Array, samples: Float32Array, start: number): void {
  const [first, end] = [Math.max(0, -start), Math.min(SIZE, samples.length - start)];
  if (first > 0 || end < SIZE) work.fill(0);
  for (let at = first; at < end; at++) work[at] = (HANN[at] as number) * (samples[start + at] as number);
  fft.forward(work);
}

/** Moves what a spectrum is of by a part of a sample. */
function turn({ re, im, size }: RealFft, samples: number): void {
  if (samples === 0) return;
  const step = (2 * Math.PI * samples) / size;
  const [stepCosine, stepSine] = [Math.cos(step), Math.sin(step)];
  let cosine = 1;
  let sine = 0;
  for (let bin = 0; bin < re.length; bin++) {
    const a = re[bin] as number;
    const b = im[bin] as number;
    re[bin] = a * cosine - b * sine;
    im[bin] = a * sine + b * cosine;
    const turned = cosine * stepCosine - sine * stepSine;
    sine = sine * stepCosine + cosine * stepSine;
    cosine = turned;
  }
}

/** Compares two spectra within an octave, and finds the gain that leaves the least of the first without the second. */
function octaveOf(xr: Float64Array, xi: Float64Array, { re, im }: RealFft, from: number, to: number): Octave {
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let bin = from; bin < to; bin++) {
    const a = xr[bin] as number;
    const b = xi[bin] as number;
    const c = re[bin] as number;
    const d = im[bin] as number;
    xx += a * a + b * b;
    yy += c * c + d * d;
    xy += a * c + b * d;
  }
  const best = yy > 0 ? xy / yy : 1;
  const gain = best >= MIN_GAIN && best <= MAX_GAIN ? best : 1;
  const left = Math.max(0, xx - 2 * gain * xy + gain * gain * yy);
  return { xx, yy, xy, gain, left, isNull: left < NULL_POWER * xx };
}

type Band = { gain: number; from: number; to: number };

function subtract(xr: Float64Array, xi: Float64Array, { re, im }: RealFft, { gain, from, to }: Band): void {
  for (let bin = from; bin < to; bin++) {
    xr[bin] = (xr[bin] as number) - gain * (re[bin] as number);
    xi[bin] = (xi[bin] as number) - gain * (im[bin] as number);
  }
}

/**
 * Returns the share of what is left that the first holds. The gain is that of the octaves in which nothing is left: the one that
 * leaves the least would make what is left foreign to the second by itself.
 */
function heldBy(blocks: readonly Block[]): number {
  const nulls = blocks.flatMap(({ octaves }) => octaves.filter(({ isNull }) => isNull));
  const own = gainOf(nulls);
  let [held, left] = [0, 0];
  for (const { octaves } of blocks) {
    const gain = gainOf(octaves.filter(({ isNull }) => isNull)) ?? own ?? 1;
    for (const { xx, yy, xy, isNull } of octaves) {
      if (isNull) continue;
      held += xx - gain * xy;
      left += xx - 2 * gain * xy + gain * gain * yy;
    }
  }
  return left > 0 ? Math.min(1, Math.max(0, held / left)) : 0.5;
}

function gainOf(octaves: readonly { xy: number; yy: number }[]): number | undefined {
  const [xy, yy] = octaves.reduce(([a, b], octave) => [a + octave.xy, b + octave.yy], [0, 0]);
  return yy > 0 ? xy / yy : undefined;
}
