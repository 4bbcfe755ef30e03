import { amplitude, framesIn, mixInto, SAMPLE_RATE_HZ } from "../dsp/audio.ts";
import { applyFilter, type FilterKind } from "../dsp/filter.ts";
import { addTone } from "../dsp/oscillator.ts";
import { addPartial } from "../dsp/partial.ts";
import { type Random, whiteNoise } from "../dsp/random.ts";
import type { Voice } from "./voice.ts";

/** A drum skin: its final pitch, how many octaves above it each stroke starts, and how long it rings (60 dB). */
type SkinPatch = { pitchHz: number; octaves: number; ringSeconds: number; click: number };

/** The round kick of house and techno. */
export const CLUB_KICK: SkinPatch = { pitchHz: 48, octaves: 2.6, ringSeconds: 0.5, click: 0.3 };
/** The short, woody kick of a band. */
export const BAND_KICK: SkinPatch = { pitchHz: 58, octaves: 1.7, ringSeconds: 0.3, click: 0.5 };
/** A big drum in a big hall. */
export const TAIKO: SkinPatch = { pitchHz: 62, octaves: 1, ringSeconds: 1.4, click: 0.8 };
/** A small hand drum. */
export const CONGA: SkinPatch = { pitchHz: 196, octaves: 0.4, ringSeconds: 0.35, click: 0.3 };

const SWEEP_SECONDS = 0.03;

/** Returns a struck skin: a sine whose pitch falls, and the click of the beater. */
export function skin({ pitchHz, octaves, ringSeconds, click }: SkinPatch): Voice {
  return ({ velocity }, random) => {
    const samples = burst(0.01, 4000, "low", random, ringSeconds);
    const shrink = amplitude(-60 / samples.length);
    let phase = 0;
    let level = 0.9;
    for (let i = 0; i < samples.length; i++) {
      const seconds = i / SAMPLE_RATE_HZ;
      level *= shrink;
      phase += (pitchHz * 2 ** (octaves * Math.exp(-seconds / SWEEP_SECONDS))) / SAMPLE_RATE_HZ;
      const body = level * Math.sin(2 * Math.PI * phase);
      const fadeOut = Math.min(1, (samples.length - i) / 400);
      samples[i] = velocity * fadeOut * (body + click * (samples[i] ?? 0));
    }
    return samples;
  };
}

/** Returns a snare: two tones of the shell, and wires that rattle for `rattleSeconds` (60 dB). */
export function snare(rattleSeconds = 0.25): Voice {
  return ({ velocity }, random) => {
    const samples = burst(rattleSeconds, 1800, "high", random);
    addPartial(samples, { frequencyHz: 185, gain: 0.7, ringSeconds: 0.14 });
    addPartial(samples, { frequencyHz: 331, gain: 0.4, ringSeconds: 0.1 });
    return samples.map((sample) => 0.7 * velocity * sample);
  };
}

/** Returns hands clapping: four bursts of noise close together, the last one ringing on. */
export function clap(): Voice {
  return ({ velocity }, random) => {
    const samples = new Float32Array(framesIn(0.3));
    for (const [startMs, seconds] of [
      [0, 0.03],
      [9, 0.03],
      [19, 0.03],
      [28, 0.25],
    ] as const) {
      mixInto(samples, burst(seconds, 1300, "band", random), 3 * velocity, framesIn(startMs / 1000));
    }
    return samples;
  };
}

/** Inharmonic squares that together sound like struck metal, Hz. */
const METAL_HZ = [2490, 3110, 3690, 4170, 5390, 8010];

/** Returns a cymbal that rings for `ringSeconds` (60 dB): 0.14 a closed hi-hat, 0.4 an open one, 2 a crash. */
export function cymbal(ringSeconds: number): Voice {
  return ({ velocity }, random) => {
    const metal = new Float32Array(framesIn(ringSeconds));
    for (const frequencyHz of METAL_HZ) {
      addTone(metal, { wave: "square", frequencyHz, gain: 0.12, phase: random() });
    }
    mixInto(metal, whiteNoise(metal.length, random), 0.6);
    applyFilter(metal, "high", 7000);
    return dying(metal, 1.6 * velocity);
  };
}

/** Returns a shaker or brush: soft noise around `centreHz` that swells and falls within `seconds`. */
export function shaker(seconds: number, centreHz = 6500): Voice {
  return ({ velocity }, random) => {
    const samples = whiteNoise(framesIn(seconds), random);
    applyFilter(samples, "band", centreHz);
    return samples.map((sample, i) => velocity * sample * Math.sin((Math.PI * i) / samples.length) ** 2);
  };
}

/** Returns a stick on the rim: two short woody tones and a tick. */
export function rim(): Voice {
  return ({ velocity }, random) => {
    const samples = burst(0.02, 3000, "band", random, 0.08);
    addPartial(samples, { frequencyHz: 510, gain: 0.5, ringSeconds: 0.05 });
    addPartial(samples, { frequencyHz: 1720, gain: 0.6, ringSeconds: 0.04 });
    return samples.map((sample) => velocity * sample);
  };
}

/** Filtered noise that falls by 60 dB within `seconds`, in a buffer of at least `bufferSeconds`. */
function burst(
  seconds: number,
  cutoffHz: number,
  kind: FilterKind,
  random: Random,
  bufferSeconds = seconds,
): Float32Array {
  const noise = whiteNoise(framesIn(seconds), random);
  applyFilter(noise, kind, cutoffHz);
  const samples = new Float32Array(framesIn(bufferSeconds));
  samples.set(dying(noise, 1));
  return samples;
}

/** Fades `samples` by 60 dB from first to last, in place. */
function dying(samples: Float32Array, gain: number): Float32Array {
  const shrink = amplitude(-60 / samples.length);
  let level = gain;
  for (let i = 0; i < samples.length; i++) {
    samples[i] = (samples[i] ?? 0) * level;
    level *= shrink;
  }
  return samples;
}
