import { SOUND_VERSION } from "../../../library/sounds/service.ts";
import type { Target } from "../signals/sound.ts";
import { ALIKE_WEIGHTS } from "./alike-weights.ts";

// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** For each part of a vector: the middle of all music, and the inverse of how tracks of one origin differ, row by row. */
export type AlikeWeights = readonly { centre: Float64Array; inverse: Float64Array }[];

let known: AlikeWeights | undefined;

/**
 * Returns the target that tracks like this one are nearest to. Tracks of one hand differ a lot in some ways, which then
 * count for little, and hardly in others. Vectors of other versions are compared as they are.
 */
export function alikeTarget(target: Target): Target {
  if (target.version !== SOUND_VERSION) return target;
  known ??= readWeights();
  const direction = alikeDirection(target.unit, known);
  const length = Math.sqrt(dot(direction, direction));
  const full = dot(direction, target.unit) / length;
  // A track in the very middle of all music has no direction of its own.
  if (!(full > LEAST_FULL)) return target;
  return { ...target, unit: direction.map((value) => value / length), full };
}

const LEAST_FULL = 0.05;

/** Returns the direction in which likeness to a vector grows. */
export function alikeDirection(unit: Float32Array, weights: AlikeWeights): Float32Array {
  const direction = new Float32Array(unit.length);
  let from = 0;
  for (const { centre, inverse } of weights) {
    const part = unit.subarray(from, from + centre.length);
    const length = Math.sqrt(dot(part, part));
    if (length > 0) {
      const apart = Float64Array.from(centre, (middle, i) => (part[i] as number) / length - middle);
      const weighed = product(inverse, apart);
      const spread = Math.sqrt(dot(apart, weighed));
      direction.set(
        weighed.map((value) => value / spread),
        from,
      );
    }
    from += centre.length;
  }
  return direction;
}

function product(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  return Float64Array.from(vector, (_, row) => dot(matrix.subarray(row * size, (row + 1) * size), vector));
}

function dot(a: Float32Array | Float64Array, b: Float32Array | Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function readWeights(): AlikeWeights {
  return ALIKE_WEIGHTS.map(({ centre, step, triangle }) => {
    const size = centre.length;
    const bytes = Buffer.from(triangle, "base64");
    const inverse = new Float64Array(size * size);
    let at = 0;
    for (let row = 0; row < size; row++)
      for (let column = 0; column <= row; column++) {
        const value = bytes.readInt16LE(2 * at++) * step;
        inverse[row * size + column] = value;
        inverse[column * size + row] = value;
      }
    return { centre: Float64Array.from(centre), inverse };
  });
}
