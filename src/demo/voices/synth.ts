import { framesIn } from "../dsp/audio.ts";
import { applyEnvelope, type Envelope } from "../dsp/envelope.ts";
import { applyFilter } from "../dsp/filter.ts";
import { addTone, type Waveform } from "../dsp/oscillator.ts";
import { addPartial } from "../dsp/partial.ts";
import type { Voice } from "./voice.ts";

/** The knobs of a subtractive synthesiser: oscillators into a resonant low-pass into a loudness envelope. */
type SynthPatch = {
  wave: Waveform;
  envelope: Envelope;
  /** Cutoff once the filter's own envelope has died away, Hz. */
  cutoffHz: number;
  /** How far above `cutoffHz` a hard note starts, octaves, and how fast it falls, seconds. */
  sweep?: { octaves: number; seconds: number };
  /** 0 to 1. */
  resonance?: number;
  /** How many oscillators, spread evenly over `detuneCents` either side of the pitch. */
  unison?: number;
  detuneCents?: number;
  /** Level of a sine one octave below, 0 to 1. */
  sub?: number;
  vibratoCents?: number;
};

/** Returns a synthesiser voice set up as `patch` says. */
export function synth(patch: SynthPatch): Voice {
  const { wave, envelope, cutoffHz, sweep, unison = 1, detuneCents = 0, sub = 0, vibratoCents } = patch;
  return ({ frequencyHz, heldSeconds, velocity }, random) => {
    const samples = new Float32Array(framesIn(heldSeconds + envelope.release));
    for (let voice = 0; voice < unison; voice++) {
      const spread = unison === 1 ? 0 : (2 * voice) / (unison - 1) - 1;
      addTone(samples, {
        wave,
        frequencyHz: frequencyHz * 2 ** ((spread * detuneCents) / 1200),
        gain: 1 / Math.sqrt(unison),
        phase: random(),
        vibratoCents,
      });
    }
    if (sub > 0) {
      addPartial(samples, { frequencyHz: frequencyHz / 2, gain: sub, ringSeconds: Number.POSITIVE_INFINITY });
    }
    const octavesAt = (seconds: number) =>
      sweep ? velocity * sweep.octaves * Math.exp(-seconds / sweep.seconds) : 0;
    applyFilter(samples, "low", (seconds) => cutoffHz * 2 ** octavesAt(seconds), patch.resonance);
    applyEnvelope(samples, envelope, heldSeconds, 0.5 * velocity);
    return samples;
  };
}
