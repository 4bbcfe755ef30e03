import type { MpegHeader } from "../formats/mpeg-header.ts";

/** The number of `global_gain` steps that halve the amplitude: each step is a factor of 2^(1/4). */
const STEPS_OF_HALF = 4;
const GLOBAL_GAIN_BITS = 8;
/** part2_3_length and big_values come before global_gain. */
const BITS_BEFORE_GAIN = 12 + 9;

/**
 * Halves the amplitude of a frame in place by lowering the gain in its side information. The decoder returns 16-bit
 * integers, which clip where loud masters exceed full scale. Halving leaves 6 dB of headroom; the caller doubles
 * the samples.
 *
 * @see ISO/IEC 11172-3, 2.4.1.7 (side information) and 2.4.3.4.7.1 (requantisation).
 */
export function halveGain(frame: Uint8Array, header: MpegHeader): void {
  const { version, channels, hasCrc } = header;
  const start = (4 + (hasCrc ? 2 : 0)) * 8;
  const isFull = version === 1;
  const sharedBits = isFull ? 9 + (channels === 1 ? 5 : 3) + 4 * channels : 8 + channels;
  const granuleBits = isFull ? 59 : 63;
  const granules = isFull ? 2 : 1;
  for (let i = 0; i < granules * channels; i += 1) {
    const at = start + sharedBits + i * granuleBits + BITS_BEFORE_GAIN;
    writeByteAt(frame, at, Math.max(0, readByteAt(frame, at) - STEPS_OF_HALF));
  }
}

function readByteAt(bytes: Uint8Array, bit: number): number {
  const at = bit >> 3;
  const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  return (pair >> (GLOBAL_GAIN_BITS - (bit & 7))) & 0xff;
}

function writeByteAt(bytes: Uint8Array, bit: number, value: number): void {
  const at = bit >> 3;
  const shift = GLOBAL_GAIN_BITS - (bit & 7);
  const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  const changed = (pair & ~(0xff << shift)) | (value << shift);
  bytes[at] = changed >> 8;
  if (at + 1 < bytes.length) bytes[at + 1] = changed & 0xff;
}
