import { DESCRIPTOR_VERSION } from "../descriptors/descriptors.ts";
import { DIRECTIONS } from "./directions.ts";

/** The version of the vectors that the ears understand. */
export const EARS_VERSION = DESCRIPTOR_VERSION;

const EARS: ReadonlyMap<string, string> = new Map(
  DIRECTIONS.map(([category, name, direction]) => [`${category} ${name}`, direction]),
);

/**
 * Returns the direction, of any length, in which vectors of {@link EARS_VERSION} sound more and more like a tag;
 * undefined for a tag that no ear was trained for. The products of tracks with it are in the order of the tag's
 * probability, also far below the one from which the tag is suggested.
 */
export function directionOfTag(category: string, name: string): Float64Array | undefined {
  const direction = EARS.get(`${category} ${name}`);
  return direction === undefined
    ? undefined
    : Float64Array.from(new Int8Array(Uint8Array.fromBase64(direction).buffer));
}
