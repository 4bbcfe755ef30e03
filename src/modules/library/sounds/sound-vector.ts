import {
  DESCRIPTOR_NAMES,
  DESCRIPTOR_VERSION,
  FRAME_DESCRIPTORS,
} from "../../../audio/descriptors/descriptors.ts";
import { HEARD_SCALES } from "../../../ears/heard-scales.ts";
import { HEARD_TAGS, NETWORKS_VERSION } from "../../../ears/tags.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** The version of vectors of which one part was measured, and the other heard by the ears. */
export const SOUND_VERSION = `${DESCRIPTOR_VERSION}+${NETWORKS_VERSION}`;
export const DESCRIBED = DESCRIPTOR_NAMES.length;
/** The length of such a vector. */
export const SOUND_DIMENSIONS = DESCRIBED + HEARD_TAGS.length;

/** The share of what was heard in how alike two tracks are, and the shares of both parts in a vector. */
const HEARD_SHARE = 0.5;
const [DESCRIBED_PART, HEARD_PART] = [Math.sqrt(1 - HEARD_SHARE), Math.sqrt(HEARD_SHARE)];
/** Log-odds are clamped: below this, a network only says that it is sure. */
const LEAST_LOG_ODDS = -9;

// Vectors are made by the hundred in a search: loops over flat arrays take a tenth of the time of destructuring.
const CENTRES = Float64Array.from(HEARD_SCALES, ([centre]) => centre);
const WIDTHS = Float64Array.from(HEARD_SCALES, ([, width]) => width);

/** What a track is compared by. Only vectors of one version are compared. */
export type Sound = { version: string; unit: Float32Array };

/**
 * Returns the vector of length 1 that tracks are compared by: what was measured, and what the ears heard where they have
 * listened. Undefined without a direction: zero or not finite. Measurements of versions that this program does not know
 * are compared as they are.
 */
export function soundVector(
  version: string,
  measured: Float32Array,
  heard: Float32Array | undefined,
): Sound | undefined {
  const length = Math.sqrt(squaresOf(measured, 0, measured.length));
  if (!Number.isFinite(length) || length === 0) return undefined;
  const isKnown = version === DESCRIPTOR_VERSION && measured.length === DESCRIBED;
  const unit = new Float32Array(isKnown ? SOUND_DIMENSIONS : measured.length);
  const hasEars = isKnown && heard !== undefined && addHeard(unit, heard);
  const factor = (hasEars ? DESCRIBED_PART : 1) / length;
  for (let i = 0; i < measured.length; i++) unit[i] = (measured[i] as number) * factor;
  return { version: isKnown ? SOUND_VERSION : version, unit };
}

/** Writes what the networks heard behind what was measured. Returns false where it has no direction. */
function addHeard(unit: Float32Array, heard: Float32Array): boolean {
  for (let i = 0; i < HEARD_TAGS.length; i++) {
    const logOdds = Math.max(LEAST_LOG_ODDS, heard[i] as number);
    unit[DESCRIBED + i] = (logOdds - (CENTRES[i] as number)) / (WIDTHS[i] as number);
  }
  const length = Math.sqrt(squaresOf(unit, DESCRIBED, unit.length));
  const isUsable = Number.isFinite(length) && length > 0;
  const factor = isUsable ? HEARD_PART / length : 0;
  for (let i = DESCRIBED; i < unit.length; i++) unit[i] = isUsable ? (unit[i] as number) * factor : 0;
  return isUsable;
}

/**
 * Returns what a part of a track is compared by: the measurements of its frames are those of the part; tempo, key, loudness
 * and what the ears heard stay those of the whole track. A sound of another version stays as it is.
 */
export function soundOfPart({ version, unit }: Sound, part: ArrayLike<number>): Sound {
  if (version !== SOUND_VERSION) return { version, unit };
  const known = Math.sqrt(squaresOf(unit, 0, FRAME_DESCRIPTORS));
  const length = Math.sqrt(squaresOf(part, 0, FRAME_DESCRIPTORS));
  if (length === 0) return { version, unit };
  const changed = unit.slice();
  for (let i = 0; i < FRAME_DESCRIPTORS; i++) changed[i] = ((part[i] as number) * known) / length;
  return { version, unit: changed };
}

function squaresOf(values: ArrayLike<number>, from: number, to: number): number {
  let squares = 0;
  for (let i = from; i < to; i++) squares += (values[i] as number) ** 2;
  return squares;
}

/**
 * Returns the direction in such vectors of a direction in what was measured and one in what was heard. Their lengths say
 * how much each counts.
 */
export function soundDirection(measured: ArrayLike<number>, heard: ArrayLike<number>): Float64Array {
  const direction = new Float64Array(SOUND_DIMENSIONS);
  for (let i = 0; i < measured.length; i++) direction[i] = (measured[i] as number) / DESCRIBED_PART;
  for (let i = 0; i < heard.length; i++) direction[DESCRIBED + i] = (heard[i] as number) / HEARD_PART;
  return direction;
}
