/** Returns the next number of a repeatable sequence, uniform in [0, 1). */
export type Random = () => number;

/**
 * Returns a generator that gives the same sequence for the same text.
 *
 * @see FNV-1a hashes the text into the seed; the sequence is mulberry32 (32-bit state, period 2^32).
 */
export function randomFrom(seedText: string): Random {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(seedText)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns white noise: `frames` samples, uniform in [-1, 1). */
export function whiteNoise(frames: number, random: Random): Float32Array {
  const samples = new Float32Array(frames);
  for (let i = 0; i < frames; i++) samples[i] = random() * 2 - 1;
  return samples;
}
