import { SAMPLE_RATE_HZ } from "./audio.ts";

/** A sine that dies away: `ringSeconds` is the time to fall by 60 dB, Infinity for one that holds. */
type Overtone = { frequencyHz: number; gain: number; ringSeconds: number };

/**
 * Adds a dying sine to `samples`, in place, starting at phase 0. Partials above the hearing range are left out.
 *
 * @see The two-pole resonator y[n] = 2 r cos(w) y[n-1] - r² y[n-2]: two multiplications per sample, no sine.
 */
export function addPartial(samples: Float32Array, { frequencyHz, gain, ringSeconds }: Overtone): void {
  if (frequencyHz > 18_000) return;
  const angle = (2 * Math.PI * frequencyHz) / SAMPLE_RATE_HZ;
  const radius = 10 ** (-3 / (ringSeconds * SAMPLE_RATE_HZ));
  const recent = 2 * radius * Math.cos(angle);
  const older = -radius * radius;
  let last = 0;
  let beforeLast = (-gain * Math.sin(angle)) / radius;
  for (let i = 0; i < samples.length; i++) {
    const value = recent * last + older * beforeLast;
    beforeLast = last;
    last = value;
    // `as number`: the index is inside the array; the loop is hot.
    samples[i] = (samples[i] as number) + value;
  }
}
