import type { Random } from "../eval-audio/random.ts";
import { STEM_HZ } from "./banks.ts";

type Peak = { b0: number; b1: number; b2: number; a1: number; a2: number };
/** How a player differs from the bank that it is played by. */
export type Timbre = {
  /** What is heard of the phrase in the time of 1: its pitch and all else of its spectrum. */
  step: number;
  /** Depth, a share of `step`, and rate. */
  vibrato: { depth: number; hz: number };
  peaks: readonly Peak[];
  /** 0 for none. */
  drive: number;
  /** The share of a second player that is late and out of tune. */
  chorus: number;
};

const MOST_SEMITONES = 4;
const [CHORUS_DELAY, CHORUS_SWING, CHORUS_HZ] = [250, 80, 0.8];
/** The mean power of a phrase. */
const POWER = 0.01;

/** Draws a timbre: what another bank of sounds might have recorded. */
export function timbreOf(random: Random, isDrums: boolean): Timbre {
  const semitones = random.normal(isDrums ? 1.2 : 2);
  const limited = Math.max(-MOST_SEMITONES, Math.min(MOST_SEMITONES, semitones));
  return {
    step: random.chance(0.85) ? 2 ** (limited / 12) : 1,
    vibrato: {
      depth: random.chance(0.25) ? random.between(0.0005, 0.006) : 0,
      hz: random.between(3.5, 7),
    },
    peaks: Array.from({ length: random.pick([0, 1, 2, 3]) }, () => {
      const hz = Math.exp(random.between(Math.log(120), Math.log(6500)));
      return peakOf(hz, random.normal(6), random.between(0.5, 3));
    }),
    drive: random.chance(0.12) ? random.between(1, 4) : 0,
    chorus: random.chance(0.15) ? random.between(0.2, 0.6) : 0,
  };
}

/** @see Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients", peaking EQ. */
function peakOf(hz: number, db: number, q: number): Peak {
  const gain = 10 ** (db / 40);
  const angle = (2 * Math.PI * hz) / STEM_HZ;
  const [alpha, cos] = [Math.sin(angle) / (2 * q), Math.cos(angle)];
  const unit = 1 + alpha / gain;
  return {
    b0: (1 + alpha * gain) / unit,
    b1: (-2 * cos) / unit,
    b2: (1 - alpha * gain) / unit,
    a1: (-2 * cos) / unit,
    a2: (1 - alpha / gain) / unit,
  };
}

/** Returns a phrase as such a player would play it, with a mean power of POWER. */
export function varied(phrase: Float32Array, timbre: Timbre): Float32Array {
  const out = stretched(phrase, timbre);
  for (const peak of timbre.peaks) filter(out, peak);
  if (timbre.chorus > 0) double(out, timbre.chorus);
  if (timbre.drive > 0)
    for (let i = 0; i < out.length; i++) out[i] = Math.tanh(5 * timbre.drive * (out[i] as number));
  const power = out.reduce((sum, value) => sum + value * value, 0) / out.length;
  const gain = Math.sqrt(POWER / (power + 1e-9));
  return out.map((value) => gain * value);
}

function stretched(phrase: Float32Array, { step, vibrato: { depth, hz } }: Timbre): Float32Array {
  let place = 0;
  return Float32Array.from(phrase, (_, i) => {
    const value = at(phrase, place);
    place = (place + step * (1 + depth * Math.sin((2 * Math.PI * hz * i) / STEM_HZ))) % phrase.length;
    return value;
  });
}

function at(samples: Float32Array, place: number): number {
  const whole = Math.floor(place);
  const part = place - whole;
  return (samples[whole] as number) * (1 - part) + (samples[(whole + 1) % samples.length] as number) * part;
}

function filter(samples: Float32Array, { b0, b1, b2, a1, a2 }: Peak): void {
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i] as number;
    const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    samples[i] = y;
  }
}

function double(samples: Float32Array, share: number): void {
  const dry = samples.slice();
  for (let i = CHORUS_DELAY + CHORUS_SWING; i < samples.length; i++) {
    const swing = CHORUS_SWING * Math.sin((2 * Math.PI * CHORUS_HZ * i) / STEM_HZ);
    samples[i] = (samples[i] as number) + share * at(dry, i - CHORUS_DELAY - swing);
  }
}
