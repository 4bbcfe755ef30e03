import { BANDS, type Filters, FRAMES } from "./layout.ts";
import {
  COLUMNS,
  FLOAT_BYTES,
  INT16_MOST,
  mostOf,
  pairsIn,
  ROWS,
  type Room,
  type TileKernel,
} from "./tile-kernel.ts";

/** Silent frames around a passage: the longest filter is centred on each frame. */
export const RHYTHM_EDGE = 64;
/** Numbers in a vector. */
const LANES = 4;

/** The largest number that a passage is rounded to. */
const MOST_OF_PASSAGE = 8191;
/** The largest sum of a filter's magnitudes: with any passage, what they give stays below 2 ** 31. */
const MOST_OF_FILTER = 2 ** 31 / (MOST_OF_PASSAGE + 1);

/** A passage as int16 between RHYTHM_EDGE silent frames on either side: each number, and that of the next frame. */
export type Moments = {
  values: Float32Array;
  /** The value of 1 in the passage. */
  unit: number;
};

/** Builds what turns passages into moments. Each call overwrites the moments of the one before. */
export function createMoments(room: Room): (passage: Float32Array) => Moments {
  const values = room((FRAMES + 2 * RHYTHM_EDGE) * BANDS);
  const pairs = pairsIn(values);
  return (passage) => {
    const unit = MOST_OF_PASSAGE / mostOf(passage);
    for (let i = 0; i < passage.length; i++) {
      const rounded = Math.round(unit * (passage[i] as number));
      const at = RHYTHM_EDGE * BANDS + i;
      pairs[2 * at] = rounded;
      pairs[2 * (at - BANDS) + 1] = rounded;
    }
    return { values, unit };
  };
}

/**
 * Builds the filters over many frames of one band. The result writes, for each filter and frame, the largest output
 * over all bands.
 *
 * @param kernels rows x filters. The rows are even in number.
 */
export function createRhythm(
  kernel: TileKernel,
  room: Room,
  { filters: { rows, filters }, kernels }: { filters: Filters; kernels: Float32Array },
): (moments: Moments, most: (filter: number, frame: number, value: number) => void) => void {
  const tiles = Math.ceil(filters / ROWS);
  const weights = room((tiles * rows * ROWS) / 2);
  const pairs = pairsIn(weights);
  const units = new Float64Array(filters);
  for (let filter = 0; filter < filters; filter++) {
    const taps = Array.from({ length: rows }, (_, row) => kernels[row * filters + filter] as number);
    const unit = unitOf(taps);
    units[filter] = unit;
    const from = 2 * (Math.floor(filter / ROWS) * (rows / 2) * ROWS + (filter % ROWS));
    for (const [row, tap] of taps.entries())
      pairs[from + (row >> 1) * 2 * ROWS + (row & 1)] = Math.round(unit * tap);
  }
  const peaks = room(ROWS * LANES);
  const highest = new Int32Array(peaks.buffer, peaks.byteOffset, peaks.length);
  // An even number of rows has no middle: as published, there is one less before than after.
  const before = Math.floor((rows - 1) / 2);
  const step = BANDS * FLOAT_BYTES;

  return ({ values, unit }, most) => {
    for (let frame = 0; frame < FRAMES; frame++) {
      const right = values.byteOffset + (frame + RHYTHM_EDGE - before) * step;
      for (let tile = 0; tile < tiles; tile++) {
        const left = weights.byteOffset + tile * (rows / 2) * ROWS * FLOAT_BYTES;
        kernel.pairPeaks(
          left,
          ROWS * FLOAT_BYTES,
          right,
          2 * step,
          rows / 2,
          highest.byteOffset,
          LANES * FLOAT_BYTES,
          BANDS / COLUMNS,
        );
        const from = tile * ROWS;
        for (let row = 0; row < Math.min(ROWS, filters - from); row++)
          most(from + row, frame, highestOf(highest, row * LANES) / (unit * (units[from + row] as number)));
      }
    }
  };
}

/** Returns what a filter's numbers are multiplied by before they are rounded to int16. */
function unitOf(taps: readonly number[]): number {
  const sum = taps.reduce((total, tap) => total + Math.abs(tap), Number.EPSILON);
  return Math.min((MOST_OF_FILTER - taps.length) / sum, INT16_MOST / mostOf(taps));
}

/** Returns the highest of LANES numbers, as a float32. */
function highestOf(values: Int32Array, at: number): number {
  let highest = values[at] as number;
  for (let lane = 1; lane < LANES; lane++) highest = Math.max(highest, values[at + lane] as number);
  return Math.fround(highest);
}
