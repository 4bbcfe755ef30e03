import { DESCRIPTOR_NAMES, DESCRIPTOR_VERSION } from "../../../audio/descriptors/descriptors.ts";
import { EARS_VERSION, HEARD_TAGS } from "../../../ears/tags.ts";
import { HEARD_SCALES } from "./heard-scales.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** The version of vectors of which one part was measured, and the other heard by the ears. */
export const SOUND_VERSION = `${DESCRIPTOR_VERSION}+${EARS_VERSION}`;
export const DESCRIBED = DESCRIPTOR_NAMES.length;
export const SOUND_DIMENSIONS = DESCRIBED + HEARD_TAGS.length;

/** The share of the part that was heard in what tracks have in common. */
const HEARD_SHARE = 0.5;
/** Log-odds are clamped: below this, a network only says that it is sure. */
const LEAST_LOG_ODDS = -9;
const FLOAT_BYTES = 4;

/** A stored vector. */
export type Stored = { version: string; dimensions: number; embedding: Uint8Array };

/**
 * Returns the vector of length 1 that tracks are compared by: what was measured, and what the ears heard where they have
 * listened. Undefined without a direction: zero, not finite, or of the wrong length. Vectors of versions that this
 * program does not know are compared as they are.
 */
export function soundVector(
  described: Stored,
  heard: ArrayLike<number> | undefined,
): { version: string; unit: Float32Array } | undefined {
  const measured = unitOf(described);
  if (!measured) return undefined;
  const { version } = described;
  if (version !== DESCRIPTOR_VERSION || measured.length !== DESCRIBED) return { version, unit: measured };
  const unit = new Float32Array(SOUND_DIMENSIONS);
  const ears = heard && standardised(heard);
  if (!ears) {
    unit.set(measured);
    return { version: SOUND_VERSION, unit };
  }
  const [first, second] = [Math.sqrt(1 - HEARD_SHARE), Math.sqrt(HEARD_SHARE)];
  for (let i = 0; i < DESCRIBED; i++) unit[i] = first * (measured[i] as number);
  for (let i = 0; i < ears.length; i++) unit[DESCRIBED + i] = second * (ears[i] as number);
  return { version: SOUND_VERSION, unit };
}

/**
 * Returns the direction in such vectors of a direction in what was measured and one in what was heard. Their lengths say
 * how much each counts.
 */
export function soundDirection(described: ArrayLike<number>, heard: ArrayLike<number>): Float64Array {
  const direction = new Float64Array(SOUND_DIMENSIONS);
  for (let i = 0; i < described.length; i++)
    direction[i] = (described[i] as number) / Math.sqrt(1 - HEARD_SHARE);
  for (let i = 0; i < heard.length; i++)
    direction[DESCRIBED + i] = (heard[i] as number) / Math.sqrt(HEARD_SHARE);
  return direction;
}

function standardised(heard: ArrayLike<number>): Float32Array | undefined {
  const values = Float32Array.from(HEARD_SCALES, ([centre, width], i) => {
    const logOdds = Math.max(LEAST_LOG_ODDS, heard[i] as number);
    return (logOdds - centre) / width;
  });
  return toUnit(values);
}

function unitOf(stored: Stored): Float32Array | undefined {
  const values = floatsOf(stored);
  return values && toUnit(values);
}

/** Returns a copy, because the driver's bytes may not be aligned to four; undefined for the wrong length. */
function floatsOf({ embedding, dimensions }: Stored): Float32Array | undefined {
  if (dimensions === 0 || embedding.length !== dimensions * FLOAT_BYTES) return undefined;
  return new Float32Array(embedding.slice().buffer);
}

function toUnit(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return undefined;
  return vector.map((value) => value / length);
}
