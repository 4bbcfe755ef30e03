import { DESCRIPTOR_VERSION } from "../../../../audio/descriptors/descriptors.ts";
import { HEARD_TAGS, indexOfHeard } from "../../../../ears/tags.ts";
import { DESCRIBED, soundDirection } from "../../../library/sounds/service.ts";
import { DIRECTIONS } from "./directions.ts";
import { HEARD_AS } from "./heard-tags.ts";

/** The version of the descriptors that directions were trained on. */
export const DIRECTIONS_VERSION = DESCRIPTOR_VERSION;

/** How far products with one of the ears' tags differ between tracks, where those of a trained direction differ by 0.5. */
const HEARD_LENGTH = 3;

const TRAINED: ReadonlyMap<string, { scale: number; direction: string }> = new Map(
  DIRECTIONS.map(([category, name, scale, direction]) => [`${category} ${name}`, { scale, direction }]),
);
const HEARD: ReadonlyMap<string, readonly number[]> = new Map(
  HEARD_AS.map(([category, name, heardAs]) => [`${category} ${name}`, heardAs.split(", ").map(indexOfHeard)]),
);

/**
 * Returns the direction in which descriptors of {@link DIRECTIONS_VERSION} sound more and more like a tag; undefined for a
 * tag that nothing was trained for. The products of tracks with it are in the order of the tag's probability, also far
 * below the one from which the tag is suggested. The better a tag is told, the longer its direction.
 */
export function directionOfTag(category: string, name: string): Float64Array | undefined {
  const trained = TRAINED.get(`${category} ${name}`);
  return (
    trained &&
    Float64Array.from(
      new Int8Array(Uint8Array.fromBase64(trained.direction).buffer),
      (byte) => byte * trained.scale,
    )
  );
}

/**
 * Returns the direction in which vectors of {@link soundVector} sound more and more like a tag: that of the descriptors,
 * and the tags of the ears that mean the same. Undefined when neither is known.
 */
export function soundOfTag(category: string, name: string): Float64Array | undefined {
  const described = directionOfTag(category, name);
  const heard = HEARD.get(`${category} ${name}`);
  if (!described && !heard) return undefined;
  const axes = new Float64Array(HEARD_TAGS.length);
  for (const index of heard ?? []) axes[index] = HEARD_LENGTH / Math.sqrt(heard?.length ?? 1);
  return soundDirection(described ?? new Float64Array(DESCRIBED), axes);
}
