import { DESCRIPTOR_VERSION } from "../../../audio/descriptors/descriptors.ts";
import { DIRECTIONS } from "./directions.ts";

/** The version of the vectors that the ears understand. */
export const DIRECTIONS_VERSION = DESCRIPTOR_VERSION;

const EARS: ReadonlyMap<string, { scale: number; direction: string }> = new Map(
  DIRECTIONS.map(([category, name, scale, direction]) => [`${category} ${name}`, { scale, direction }]),
);

/**
 * Returns the direction in which vectors of {@link DIRECTIONS_VERSION} sound more and more like a tag; undefined for a tag
 * that no ear was trained for. The products of tracks with it are in the order of the tag's probability, also far below
 * the one from which the tag is suggested. The better an ear, the longer its direction.
 */
export function directionOfTag(category: string, name: string): Float64Array | undefined {
  const ear = EARS.get(`${category} ${name}`);
  return (
    ear &&
    Float64Array.from(new Int8Array(Uint8Array.fromBase64(ear.direction).buffer), (byte) => byte * ear.scale)
  );
}
