import { SAMPLE_RATE_HZ } from "./audio.ts";

/** How loud a note is over its life: times in seconds, `sustain` as a share of the peak, 0 to 1. */
export type Envelope = { attack: number; decay: number; sustain: number; release: number };

const SHORTEST_SECONDS = 0.001;

/**
 * Shapes `samples` in place: a straight rise, an exponential fall towards `sustain`, and, after the key is
 * let go at `heldSeconds`, an exponential release that reaches exactly zero. Nothing rises in under 1 ms: it
 * would click.
 */
export function applyEnvelope(
  samples: Float32Array,
  envelope: Envelope,
  heldSeconds: number,
  gain: number,
): void {
  const levelAtRelease = heldLevel(envelope, heldSeconds);
  const releaseSeconds = Math.max(envelope.release, SHORTEST_SECONDS);
  for (let i = 0; i < samples.length; i++) {
    const seconds = i / SAMPLE_RATE_HZ;
    const past = (seconds - heldSeconds) / releaseSeconds;
    const level = past < 0 ? heldLevel(envelope, seconds) : levelAtRelease * releaseLevel(past);
    // `as number`: the index is inside the array; the loop is hot.
    samples[i] = (samples[i] as number) * level * gain;
  }
}

function heldLevel({ attack, decay, sustain }: Envelope, seconds: number): number {
  const riseSeconds = Math.max(attack, SHORTEST_SECONDS);
  if (seconds < riseSeconds) return seconds / riseSeconds;
  if (sustain === 1) return 1;
  return sustain + (1 - sustain) * Math.exp((riseSeconds - seconds) / decay);
}

const releaseLevel = (past: number) => (past >= 1 ? 0 : Math.exp(-5 * past) * (1 - past));
