import { DESCRIPTOR_DIMENSIONS } from "../../../../audio/descriptors/descriptors.ts";
import { HEARD_SCALES } from "../../../../ears/heard-scales.ts";

/** Numbers that a sound is learnt from: the descriptors, and what the ears heard. */
export const SOUND_DIMENSIONS = DESCRIPTOR_DIMENSIONS + HEARD_SCALES.length;

/** Log-odds are clamped: below this, a network only says that it is sure. */
const LEAST_LOG_ODDS = -9;

/**
 * Returns the numbers that a track is learnt from. What was heard is as long as the descriptors, so that both count the
 * same; where the ears have not listened, it is usual in every respect: zero.
 */
export function learntSound(descriptors: Float32Array, heard: ArrayLike<number> | null): Float32Array {
  const sound = new Float32Array(SOUND_DIMENSIONS);
  sound.set(descriptors);
  if (!heard) return sound;
  for (const [i, [centre, width]] of HEARD_SCALES.entries())
    sound[DESCRIPTOR_DIMENSIONS + i] = (Math.max(LEAST_LOG_ODDS, heard[i] ?? 0) - centre) / width;
  const part = sound.subarray(DESCRIPTOR_DIMENSIONS);
  const factor = lengthOf(descriptors) / (lengthOf(part) || 1);
  for (let i = 0; i < part.length; i++) part[i] = (part[i] ?? 0) * factor;
  return sound;
}

function lengthOf(values: Float32Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}
