import { framesIn, SAMPLE_RATE_HZ } from "../dsp/audio.ts";
import { applyEnvelope } from "../dsp/envelope.ts";
import { applyFilter } from "../dsp/filter.ts";
import { type Random, whiteNoise } from "../dsp/random.ts";
import type { Voice } from "./voice.ts";

/** A plucked string: how long it rings (to -60 dB), and how bright the finger is, 0 (thumb) to 1 (plectrum). */
type PluckPatch = { ringSeconds: number; brightness: number };

/** Where along the string it is plucked; a fifth of the way in softens every fifth harmonic. */
const PLUCK_POSITION = 0.2;
const MUTE_SECONDS = 0.12;

/**
 * Returns a guitar, harp or bass string, muted when its note ends.
 *
 * @see Karplus & Strong 1983; tuned with the all-pass of Jaffe & Smith 1983, equation 12.
 */
export function pluck({ ringSeconds, brightness }: PluckPatch): Voice {
  return ({ frequencyHz, heldSeconds, velocity }, random) => {
    const samples = new Float32Array(framesIn(heldSeconds + MUTE_SECONDS));
    const period = SAMPLE_RATE_HZ / frequencyHz;
    ring(samples, excite(period, brightness * (0.5 + velocity / 2), random), period, {
      loss: 10 ** (-3 / (frequencyHz * ringSeconds)),
      smoothing: 0.5 - 0.4 * brightness,
    });
    const envelope = { attack: 0, decay: 1, sustain: 1, release: MUTE_SECONDS };
    applyEnvelope(samples, envelope, heldSeconds, 0.9 * velocity);
    return samples;
  };
}

/** One period of shaped noise, centred on zero and scaled to a peak of 1: the string just let go. */
function excite(period: number, brightness: number, random: Random): Float32Array {
  const length = Math.floor(period);
  const twice = new Float32Array(2 * length);
  const once = whiteNoise(length, random);
  twice.set(once);
  twice.set(once, length);
  // Filtered twice round, so that the second round joins its own beginning without a click.
  applyFilter(twice, "low", (SAMPLE_RATE_HZ / period) * 2 ** (1 + 5 * brightness));
  const noise = twice.subarray(length);
  const offset = Math.floor(length * PLUCK_POSITION);
  const shaped = noise.map((sample, i) => sample - (noise[(i + length - offset) % length] ?? 0));
  const mean = shaped.reduce((sum, sample) => sum + sample, 0) / length;
  const peak = shaped.reduce((most, sample) => Math.max(most, Math.abs(sample - mean)), 1e-6);
  return shaped.map((sample) => (sample - mean) / peak);
}

/** Runs the string: each period is the last one, a little softer (`loss`) and a little duller (`smoothing`). */
function ring(
  samples: Float32Array,
  excitation: Float32Array,
  period: number,
  { loss, smoothing }: { loss: number; smoothing: number },
): void {
  // The smoothing delays by its own weight and the all-pass by 0.1 to 1.1 samples; the line takes the rest.
  const delay = Math.floor(period - smoothing - 0.1);
  const rest = period - smoothing - delay;
  const tuning = (1 - rest) / (1 + rest);
  const line = new Float32Array(delay);
  line.set(excitation.subarray(0, delay));
  let position = 0;
  let previous = 0;
  let smoothed = 0;
  let tuned = 0;
  // `as number`: the positions are inside their arrays; the loop is hot.
  for (let i = 0; i < samples.length; i++) {
    const output = line[position] as number;
    samples[i] = output;
    const next = loss * ((1 - smoothing) * output + smoothing * previous);
    previous = output;
    tuned = tuning * (next - tuned) + smoothed;
    smoothed = next;
    line[position] = tuned;
    position = position + 1 === delay ? 0 : position + 1;
  }
}
