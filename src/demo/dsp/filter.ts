import { SAMPLE_RATE_HZ } from "./audio.ts";

/** The part of the spectrum that a filter lets through. */
export type FilterKind = "low" | "band" | "high";

/** Samples between updates of a moving cutoff: 0.7 ms, too short to hear as steps. */
const CONTROL_FRAMES = 32;
const LOWEST_HZ = 20;
const HIGHEST_HZ = 18_000;

/**
 * Filters `samples` in place, 12 dB per octave, with a cutoff that may move.
 *
 * @param cutoffHz A fixed cutoff, or a function of the seconds since the first sample; clamped to 20-18,000.
 * @param resonance 0 (flat) to 1 (whistles at the cutoff, but never runs away).
 * @see Simper 2013, "Linear trapezoidal integrated state variable filter": stable under fast modulation.
 */
export function applyFilter(
  samples: Float32Array,
  kind: FilterKind,
  cutoffHz: number | ((seconds: number) => number),
  resonance = 0,
): void {
  const cutoffAt = typeof cutoffHz === "number" ? () => cutoffHz : cutoffHz;
  const damping = Math.SQRT2 * (1 - 0.96 * resonance);
  let first = 0;
  let second = 0;
  for (let start = 0; start < samples.length; start += CONTROL_FRAMES) {
    const cutoff = Math.min(HIGHEST_HZ, Math.max(LOWEST_HZ, cutoffAt(start / SAMPLE_RATE_HZ)));
    const g = Math.tan((Math.PI * cutoff) / SAMPLE_RATE_HZ);
    const a1 = 1 / (1 + g * (g + damping));
    const end = Math.min(samples.length, start + CONTROL_FRAMES);
    for (let i = start; i < end; i++) {
      const input = samples[i] as number; // inside the array; the loop is hot
      const v3 = input - second;
      const band = a1 * first + g * a1 * v3;
      const low = second + g * band;
      first = 2 * band - first;
      second = 2 * low - second;
      samples[i] = kind === "low" ? low : kind === "band" ? band * damping : input - damping * band - low;
    }
  }
}
