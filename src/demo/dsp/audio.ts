/** Sample rate of everything the demo synthesises, in Hz. */
export const SAMPLE_RATE_HZ = 44_100;

/** Two channels of equal length; linear samples, full scale = 1. */
export type Stereo = { left: Float32Array; right: Float32Array };

/** Returns two silent channels of `frames` samples. */
export function silence(frames: number): Stereo {
  return { left: new Float32Array(frames), right: new Float32Array(frames) };
}

/** Returns the linear amplitude of a level in decibels: 0 dB is 1, -6 dB about a half. */
export function amplitude(decibels: number): number {
  return 10 ** (decibels / 20);
}

/** Returns how many samples `seconds` last, rounded to the nearest. */
export function framesIn(seconds: number): number {
  return Math.round(seconds * SAMPLE_RATE_HZ);
}

/**
 * Adds `source` times `gain` onto `target`, starting at sample `start`; what would fall outside is cut off.
 */
export function mixInto(target: Float32Array, source: Float32Array, gain: number, start = 0): void {
  const first = start < 0 ? -start : 0;
  const part = source.subarray(first, Math.max(first, target.length - start));
  const place = target.subarray(start + first, start + first + part.length);
  // `as number`: both arrays are equally long; the loop is hot.
  for (let i = 0; i < part.length; i++) place[i] = (place[i] as number) + gain * (part[i] as number);
}
