import { type AudioAnalysis, createAnalyzer } from "../../src/audio/analyzer.ts";
import {
  chordProgression,
  drumLoop,
  FOUR_TO_THE_FLOOR,
  noise,
  seededRandom,
  silence,
} from "../support/signals.ts";

const RATE_HZ = 22_050;
const SECONDS = 4;

/** Clearly different kinds of music that still share drums, chords and noise. */
export const KINDS = ["club", "bells", "chords", "weather", "drone"] as const;
export type Kind = (typeof KINDS)[number];

/** Returns the real analyzer's result for a synthesised clip. Each kind and number gives one clip. */
export function measureClip(kind: Kind, number: number): AudioAnalysis {
  const analyzer = createAnalyzer({ sampleRateHz: RATE_HZ, channels: 1 });
  analyzer.push(synthesise(kind, seededRandom(1 + number + 1000 * KINDS.indexOf(kind))));
  return analyzer.finish();
}

function synthesise(kind: Kind, random: () => number): Float32Array {
  const between = (low: number, high: number) => low + (high - low) * random();
  const chords = () =>
    chordProgression(RATE_HZ, SECONDS, { tonic: Math.floor(12 * random()), minor: random() < 0.5 });
  const hiss = () => noise(RATE_HZ, SECONDS, between(0.002, 0.05), Math.ceil(1e6 * random()));
  switch (kind) {
    case "club":
      return mix(
        [drumLoop(RATE_HZ, SECONDS, between(116, 138), FOUR_TO_THE_FLOOR), between(0.6, 1)],
        [chords(), between(0, 0.8)],
        [hiss(), 1],
      );
    case "bells":
      return mix([bells(random), between(0.4, 1)], [chords(), between(0, 0.3)], [hiss(), 1]);
    case "chords":
      return mix([chords(), 1], [hiss(), between(0, 1)]);
    case "weather":
      return mix([swell(noise(RATE_HZ, SECONDS, 0.5, Math.ceil(1e6 * random())), between(0.1, 0.6)), 1]);
    case "drone":
      return mix([drone(between(60, 200), between(1.5, 8)), between(0.3, 0.8)], [hiss(), 1]);
  }
}

function mix(...parts: readonly [signal: Float32Array, gain: number][]): Float32Array {
  const out = silence(RATE_HZ, SECONDS);
  for (const [signal, gain] of parts)
    for (let i = 0; i < out.length; i++) out[i] = (out[i] ?? 0) + gain * (signal[i] ?? 0);
  return out;
}

/** Returns struck inharmonic tones at irregular times. */
function bells(random: () => number): Float32Array {
  const out = silence(RATE_HZ, SECONDS);
  for (let at = 0; at < out.length; at += Math.round(RATE_HZ * (0.1 + 0.5 * random()))) {
    const hz = 400 * 2 ** (2 * random());
    for (let i = at; i < out.length; i++) {
      const seconds = (i - at) / RATE_HZ;
      const tone = Math.sin(2 * Math.PI * hz * seconds) + 0.6 * Math.sin(2 * Math.PI * 2.76 * hz * seconds);
      out[i] = (out[i] ?? 0) + 0.15 * tone * Math.exp(-4 * seconds);
    }
  }
  return out;
}

/** Applies slow waves of level to a sound. */
function swell(signal: Float32Array, hz: number): Float32Array {
  return signal.map((sample, i) => sample * (0.55 + 0.45 * Math.sin((2 * Math.PI * hz * i) / RATE_HZ)));
}

/** Returns the harmonics of a held tone, darker with a higher `slope`. */
function drone(hz: number, slope: number): Float32Array {
  return silence(RATE_HZ, SECONDS).map((_, i) => {
    let sum = 0;
    for (let k = 1; k <= 12; k++)
      sum += Math.exp(-k / slope) * Math.sin((2 * Math.PI * hz * k * (1 + 0.001 * k) * i) / RATE_HZ);
    return 0.3 * sum;
  });
}
