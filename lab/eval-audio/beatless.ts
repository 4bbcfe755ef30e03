import type { Clip } from "./clip.ts";
import type { Random } from "./random.ts";

const RATE_HZ = 44_100;
const SECONDS = 30;

/** A sound without a beat, without a key, or without both; mono, full scale 1, at 44.1 kHz. */
export type Beatless = { name: string; samples: Float32Array; truth: Pick<Clip, "bpm" | "key"> };

/** Returns sounds for which the analysis must report no tempo; for noise and clusters, no key either. */
export function beatlessSounds(random: Random): Beatless[] {
  const none = { bpm: null, key: null };
  return [
    { name: "white noise", samples: filled(() => random.between(-0.3, 0.3)), truth: none },
    { name: "rushing noise", samples: rushingNoise(random), truth: none },
    { name: "babble", samples: babble(random), truth: none },
    { name: "clusters", samples: scattered(random, () => 36 + random.between(0, 60), 2.2), truth: none },
    { name: "crackle", samples: crackle(random), truth: none },
    { name: "drone", samples: drone(random), truth: { bpm: null, key: undefined } },
    {
      name: "free tones",
      samples: scattered(random, () => 48 + random.pick([0, 2, 4, 7, 9, 12, 14, 16, 19, 21]), 1.1),
      truth: { bpm: null, key: undefined },
    },
  ];
}

function filled(value: (i: number) => number): Float32Array {
  return Float32Array.from({ length: RATE_HZ * SECONDS }, (_, i) => value(i));
}

/** Low noise whose level wanders: wind, sea. */
function rushingNoise(random: Random): Float32Array {
  let low = 0;
  let level = 0.5;
  return filled(() => {
    level = Math.max(0.1, Math.min(1, level + random.normal(0.002)));
    low += 0.05 * (random.between(-1, 1) - low);
    return low * level;
  });
}

/** Syllables of uneven length and pitch: buzzes through two wandering resonances, with pauses. */
function babble(random: Random): Float32Array {
  const out = filled(() => 0);
  for (let at = 0.2; at < SECONDS - 0.5; ) {
    const seconds = 0.08 + 0.25 * random.unit() ** 2;
    const voice = random.chance(0.75) ? buzz(random) : () => random.between(-0.4, 0.4);
    for (let i = 0; i < seconds * RATE_HZ; i++) {
      const t = i / RATE_HZ;
      add(out, Math.round(at * RATE_HZ) + i, 0.25 * Math.sin((Math.PI * t) / seconds) * voice(t));
    }
    at += seconds + (random.chance(0.15) ? random.between(0.2, 0.9) : random.between(0.01, 0.12));
  }
  return out;
}

function buzz(random: Random): (t: number) => number {
  const hz = random.between(95, 190);
  const bend = random.between(-0.6, 0.6);
  const resonances = [random.between(280, 800), random.between(900, 2300)] as const;
  const near = (overtone: number, centre: number) => Math.exp(-(((overtone * hz - centre) / 160) ** 2));
  const levels = Array.from(
    { length: 15 },
    (_, i) => 0.6 * (near(i + 1, resonances[0]) + 0.6 * near(i + 1, resonances[1]) + 0.05),
  );
  return (t) => {
    const phase = 2 * Math.PI * hz * t * (1 + bend * t);
    return levels.reduce((sum, level, i) => sum + level * Math.sin((i + 1) * phase), 0);
  };
}

/** Tones of about a second, at moments without a beat. */
function scattered(random: Random, pitch: () => number, ratePerSecond: number): Float32Array {
  const out = filled(() => 0);
  for (const at of randomMoments(random, ratePerSecond, SECONDS - 2)) {
    const hz = 440 * 2 ** ((pitch() - 69) / 12);
    const decay = random.between(1, 4);
    for (let i = 0; i < 2 * RATE_HZ; i++) {
      const t = i / RATE_HZ;
      const tone = Math.sin(2 * Math.PI * hz * t) + 0.4 * Math.sin(4 * Math.PI * hz * t);
      add(out, Math.round(at * RATE_HZ) + i, 0.15 * Math.min(1, t * 100) * Math.exp(-decay * t) * tone);
    }
  }
  return out;
}

/** Short clicks at random: fire, rain. */
function crackle(random: Random): Float32Array {
  const out = filled(() => random.between(-0.01, 0.01));
  for (const at of randomMoments(random, 14, SECONDS - 0.1)) {
    const loudness = random.unit() ** 2;
    for (let i = 0; i < 400; i++)
      add(out, Math.round(at * RATE_HZ) + i, loudness * random.between(-1, 1) * Math.exp(-i / 60));
  }
  return out;
}

/** Independent random moments (a Poisson process), in seconds. */
function randomMoments(random: Random, ratePerSecond: number, until: number): number[] {
  const moments: number[] = [];
  let at = 0;
  while (at < until) {
    moments.push(at);
    at += -Math.log(1 - random.unit()) / ratePerSecond;
  }
  return moments;
}

/** Held tones that beat against each other slowly. */
function drone(random: Random): Float32Array {
  const partials = Array.from({ length: 7 }, (_, i) => ({
    hz: 55 * (i + 1) * (1 + random.normal(0.001)),
    sway: random.between(0.05, 0.3),
    phase: random.between(0, 6),
  }));
  return filled((i) => {
    const t = i / RATE_HZ;
    return partials.reduce(
      (sum, { hz, sway, phase }) =>
        sum +
        0.07 * (1 + 0.5 * Math.sin(2 * Math.PI * sway * t + phase)) * Math.sin(2 * Math.PI * hz * t + phase),
      0,
    );
  });
}

function add(out: Float32Array, at: number, value: number): void {
  if (at < out.length) out[at] = (out[at] ?? 0) + value;
}
