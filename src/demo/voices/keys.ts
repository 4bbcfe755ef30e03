import { framesIn, SAMPLE_RATE_HZ } from "../dsp/audio.ts";
import { applyEnvelope } from "../dsp/envelope.ts";
import { applyFilter } from "../dsp/filter.ts";
import { addPartial } from "../dsp/partial.ts";
import { whiteNoise } from "../dsp/random.ts";
import type { Voice } from "./voice.ts";

const PIANO_PARTIALS = 14;
/** How much a piano string's stiffness sharpens its overtones. @see Fletcher & Rossing 1998, equation 12.3. */
const STIFFNESS = 0.0004;
const HAMMER_POSITION = 1 / 8;

/** Returns a piano: stiff strings that lose their high partials first, and the knock of the hammer. */
export function piano(pedalSeconds = 0.4): Voice {
  return ({ frequencyHz, heldSeconds, velocity }, random) => {
    const samples = new Float32Array(framesIn(heldSeconds + pedalSeconds));
    for (let n = 1; n <= PIANO_PARTIALS; n++) {
      const partialHz = n * frequencyHz * Math.sqrt(1 + STIFFNESS * n * n);
      const strike = Math.abs(Math.sin(Math.PI * n * HAMMER_POSITION));
      const gain = (0.45 * strike) / n ** (1.9 - 0.7 * velocity);
      const ringSeconds = (9 / (1 + 0.35 * n)) * (220 / frequencyHz) ** 0.4;
      // Two strings a hair apart beat slowly against each other, as a real unison does.
      addPartial(samples, { frequencyHz: partialHz, gain, ringSeconds });
      addPartial(samples, {
        frequencyHz: partialHz * 1.0004,
        gain: gain * 0.7,
        ringSeconds: ringSeconds * 1.4,
      });
    }
    const knock = whiteNoise(Math.min(samples.length, framesIn(0.03)), random);
    applyFilter(knock, "low", 900);
    for (let i = 0; i < knock.length; i++) {
      samples[i] = (samples[i] ?? 0) + 0.25 * velocity * (knock[i] ?? 0) * (1 - i / knock.length);
    }
    const envelope = { attack: 0.002, decay: 1, sustain: 1, release: pedalSeconds };
    applyEnvelope(samples, envelope, heldSeconds, 1.3 * velocity);
    return samples;
  };
}

/** Drawbars of a tonewheel organ: multiples of the pitch, and how far each is pulled out. */
const DRAWBARS = [
  [0.5, 0.5],
  [1, 1],
  [1.5, 0.35],
  [2, 0.6],
  [3, 0.25],
  [4, 0.2],
] as const;

/** Returns a tonewheel organ: pure tones that start and stop at once. */
export function organ(): Voice {
  return ({ frequencyHz, heldSeconds, velocity }) => {
    const samples = new Float32Array(framesIn(heldSeconds + 0.05));
    for (const [multiple, gain] of DRAWBARS) {
      addPartial(samples, {
        frequencyHz: frequencyHz * multiple,
        gain,
        ringSeconds: Number.POSITIVE_INFINITY,
      });
    }
    const envelope = { attack: 0.006, decay: 1, sustain: 1, release: 0.05 };
    applyEnvelope(samples, envelope, heldSeconds, 0.35 * velocity);
    return samples;
  };
}

/** Two operators of frequency modulation: the second bends the first, `ratio` times as fast, `index` deep. */
type FmPatch = { ratio: number; index: number; brightSeconds: number; ringSeconds: number };

/** An electric piano with tines: mellow when soft, growling when hit. */
export const ELECTRIC_PIANO: FmPatch = { ratio: 1, index: 1.6, brightSeconds: 0.5, ringSeconds: 1.1 };
/** A small glass bell. */
export const BELL: FmPatch = { ratio: 3.51, index: 2.2, brightSeconds: 0.6, ringSeconds: 1.6 };

/**
 * Returns a two-operator voice that starts bright and mellows as it rings.
 *
 * @see Chowning 1973, "The synthesis of complex audio spectra by means of frequency modulation".
 */
export function fm({ ratio, index, brightSeconds, ringSeconds }: FmPatch): Voice {
  return ({ frequencyHz, heldSeconds, velocity }) => {
    const releaseSeconds = 0.3;
    const samples = new Float32Array(framesIn(heldSeconds + releaseSeconds));
    addPartial(samples, { frequencyHz: frequencyHz * ratio, gain: 1, ringSeconds: Number.POSITIVE_INFINITY });
    const depth = { attack: 0.001, decay: brightSeconds, sustain: 0.1, release: releaseSeconds };
    applyEnvelope(samples, depth, heldSeconds, index * velocity);
    const radiansPerFrame = (2 * Math.PI * frequencyHz) / SAMPLE_RATE_HZ;
    // The modulator bends the carrier's phase, sample by sample, and makes way for it.
    for (let i = 0; i < samples.length; i++) samples[i] = Math.sin(radiansPerFrame * i + (samples[i] ?? 0));
    const envelope = { attack: 0.003, decay: ringSeconds, sustain: 0, release: releaseSeconds };
    applyEnvelope(samples, envelope, heldSeconds, 0.6 * velocity);
    return samples;
  };
}
