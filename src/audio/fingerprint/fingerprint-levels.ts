import { createGrowableFloats } from "../dsp/growable.ts";
import { MAX_LEVELS, STEP_SAMPLES } from "./level-rate.ts";

/** A level of 0; above it half a decibel a unit, 0 dB is a full-scale square wave. */
const FLOOR_DB = -110;
const UNITS_PER_DB = 2;

/** Hann weights over eight steps, 20 ms: nothing is left above 100 Hz that a level every 5 ms could not hold. */
const WEIGHTS = Float64Array.from({ length: 8 }, (_, i) => Math.sin((Math.PI * (i + 0.5)) / 8) ** 2 / 4);

/** Follows how loud a recording is from moment to moment, so that two copies can be laid on each other. */
export type LevelTracker = {
  /** Takes mono samples at 22 050 Hz. */
  push(mono: Float32Array, count: number): void;
  /** One byte a level over the first five minutes: 0 is -110 dB or less, each unit half a decibel. */
  finish(): Uint8Array<ArrayBuffer>;
};

/** Builds a tracker; it keeps 1.6 kB a second, at most 480 kB. */
export function createLevelTracker(): LevelTracker {
  const steps = createGrowableFloats();
  let inStep = 0;
  let energy = 0;
  let count = 0;
  return {
    push(mono, length) {
      if (count >= 2 * MAX_LEVELS) return;
      for (let i = 0; i < length; i++) {
        const sample = mono[i] as number;
        energy += sample * sample;
        if (++inStep < STEP_SAMPLES) continue;
        steps.push(energy / STEP_SAMPLES);
        count++;
        inStep = 0;
        energy = 0;
      }
    },
    finish: () => levelsOf(steps.view()),
  };
}

function levelsOf(steps: Float32Array): Uint8Array<ArrayBuffer> {
  const count = Math.min(MAX_LEVELS, Math.max(0, Math.floor((steps.length - WEIGHTS.length) / 2) + 1));
  const levels = new Uint8Array(count);
  // Counted loops: half a million pairs of an iterator would be 20 MB that are not collected in time.
  for (let level = 0; level < count; level++) {
    let power = 0;
    for (let i = 0; i < WEIGHTS.length; i++)
      power += (WEIGHTS[i] as number) * (steps[2 * level + i] as number);
    const db = 10 * Math.log10(power + Number.MIN_VALUE);
    levels[level] = Math.max(0, Math.min(255, Math.round((db - FLOOR_DB) * UNITS_PER_DB)));
  }
  return levels;
}
