import { SAMPLE_RATE_HZ } from "./audio.ts";

/** The shape of one cycle. */
export type Waveform = "saw" | "square" | "triangle" | "sine";

/** One oscillator: `phase` is where in its cycle it starts, 0 to 1; `vibratoCents` is the swing either side. */
type Tone = {
  wave: Waveform;
  frequencyHz: number;
  gain: number;
  phase: number;
  vibratoCents?: number | undefined;
};

const VIBRATO_HZ = 5.3;
const VIBRATO_DELAY_SECONDS = 0.3;
/** Samples between updates of the vibrato: 1.5 ms. */
const CONTROL_FRAMES = 64;

/**
 * Rounds off the jump of a saw or square so that it does not alias: 0 away from the jump at phase 0.
 *
 * @see Välimäki & Huovilainen 2007, "Antialiasing oscillators in subtractive synthesis" (PolyBLEP).
 */
function smoothJump(phase: number, step: number): number {
  if (phase < step) {
    const t = phase / step;
    return 2 * t - t * t - 1;
  }
  if (phase > 1 - step) {
    const t = (phase - 1) / step;
    return t * t + 2 * t + 1;
  }
  return 0;
}

/** One sample of a waveform, -1 to 1. Plain comparisons: calls through a table slow the loop when waveforms mix. */
function sampleOf(wave: Waveform, phase: number, step: number): number {
  if (wave === "saw") return 2 * phase - 1 - smoothJump(phase, step);
  if (wave === "triangle") return 4 * Math.abs(phase - 0.5) - 1;
  if (wave === "sine") return Math.sin(2 * Math.PI * phase);
  const halfway = phase < 0.5 ? phase + 0.5 : phase - 0.5;
  return (phase < 0.5 ? 1 : -1) + smoothJump(phase, step) - smoothJump(halfway, step);
}

/** Adds an oscillator to every sample of `samples`, in place. */
export function addTone(samples: Float32Array, tone: Tone): void {
  const { wave, frequencyHz, gain, vibratoCents = 0 } = tone;
  const steadyStep = frequencyHz / SAMPLE_RATE_HZ;
  const vibrato = steadyStep * (2 ** (vibratoCents / 1200) - 1);
  let phase = tone.phase;
  for (let start = 0; start < samples.length; start += CONTROL_FRAMES) {
    const step = vibrato === 0 ? steadyStep : steadyStep + vibrato * vibratoAt(start);
    const end = Math.min(samples.length, start + CONTROL_FRAMES);
    for (let i = start; i < end; i++) {
      // `as number`: the index is inside the array; the loop is hot.
      samples[i] = (samples[i] as number) + gain * sampleOf(wave, phase, step);
      phase += step;
      if (phase >= 1) phase -= 1;
    }
  }
}

/** A singer's vibrato, -1 to 1: none at the start of a note, then growing over half a second. */
function vibratoAt(frame: number): number {
  const seconds = frame / SAMPLE_RATE_HZ;
  const depth = Math.min(1, Math.max(0, (seconds - VIBRATO_DELAY_SECONDS) * 2));
  return depth * Math.sin(2 * Math.PI * VIBRATO_HZ * seconds);
}
