import type { Random } from "../eval-audio/random.ts";
import { STEM_HZ } from "./banks.ts";

/** Changes a passage in place, the same way for every passage of a piece. */
export type Effect = (samples: Float32Array) => void;

const ROOM_SECONDS = [0.15, 2.2] as const;

/** Returns equalisation, room, compression and noise as in mixes of different hands. */
export function effectOf(random: Random): Effect {
  const all: Effect[] = [];
  if (random.chance(0.5)) all.push(room(random));
  all.push(shelf(random.between(-6, 6), random.between(120, 400), "low"));
  all.push(shelf(random.between(-9, 6), random.between(1500, 5000), "high"));
  if (random.chance(0.15)) all.push(shelf(-24, random.between(2500, 6000), "high"));
  if (random.chance(0.5)) all.push(compressor(random));
  const level = random.chance(0.3) ? 10 ** random.between(-3.5, -2) : 0;
  if (level > 0)
    all.push((samples) => {
      for (let i = 0; i < samples.length; i++)
        samples[i] = (samples[i] as number) + level * (random.unit() - 0.5);
    });
  return (samples) => {
    for (const effect of all) effect(samples);
  };
}

/** A shelf of one pole: `db` at one end of the spectrum, 0 at the other. */
function shelf(db: number, hz: number, end: "low" | "high"): Effect {
  const gain = 10 ** (db / 20);
  const pole = Math.exp((-2 * Math.PI * hz) / STEM_HZ);
  return (samples) => {
    let low = 0;
    for (let i = 0; i < samples.length; i++) {
      const value = samples[i] as number;
      low = (1 - pole) * value + pole * low;
      samples[i] = end === "low" ? gain * low + value - low : low + gain * (value - low);
    }
  };
}

/** Schroeder's reverberator: four combs and two all-passes. */
function room(random: Random): Effect {
  const seconds = random.between(...ROOM_SECONDS);
  const share = random.between(0.05, 0.4);
  const combs = [0.0297, 0.0371, 0.0411, 0.0437].map((delay) => {
    const length = Math.round(delay * random.between(0.8, 1.2) * STEM_HZ);
    return { length, feedback: 10 ** ((-3 * length) / STEM_HZ / seconds) };
  });
  const dampening = random.between(0.1, 0.6);
  return (samples) => {
    const wet = new Float32Array(samples.length);
    for (const comb of combs) addComb(wet, samples, { ...comb, dampening });
    for (const length of [80, 27]) allPass(wet, length);
    for (let i = 0; i < samples.length; i++)
      samples[i] = (1 - share) * (samples[i] as number) + 1.5 * share * (wet[i] as number);
  };
}

type Comb = { length: number; feedback: number; dampening: number };

function addComb(wet: Float32Array, samples: Float32Array, { length, feedback, dampening }: Comb): void {
  const line = new Float32Array(length);
  let low = 0;
  for (let i = 0; i < samples.length; i++) {
    const at = i % length;
    const out = line[at] as number;
    low = (1 - dampening) * out + dampening * low;
    line[at] = (samples[i] as number) + feedback * low;
    wet[i] = (wet[i] as number) + 0.25 * out;
  }
}

function allPass(samples: Float32Array, length: number): void {
  const line = new Float32Array(length);
  for (let i = 0, at = 0; i < samples.length; i++, at = at + 1 === length ? 0 : at + 1) {
    const out = line[at] as number;
    const value = (samples[i] as number) + 0.7 * out;
    line[at] = value;
    samples[i] = out - 0.7 * value;
  }
}

function compressor(random: Random): Effect {
  const threshold = random.between(0.05, 0.2);
  const power = 1 - 1 / random.between(2, 8);
  const [attack, release] = [0.005, 0.15].map((seconds) => Math.exp(-1 / (seconds * STEM_HZ))) as [
    number,
    number,
  ];
  return (samples) => {
    let level = 0;
    for (let i = 0; i < samples.length; i++) {
      const value = samples[i] as number;
      const pole = Math.abs(value) > level ? attack : release;
      level = pole * level + (1 - pole) * Math.abs(value);
      if (level > threshold) samples[i] = value * (threshold / level) ** power;
    }
  };
}
