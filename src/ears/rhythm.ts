import { BANDS, type Filters, FRAMES } from "./layout.ts";
import { COLUMNS, FLOAT_BYTES, ROWS, type Room, type TileKernel } from "./tile-kernel.ts";

/** Silent frames around a passage: the longest filter is centred on each frame. */
export const RHYTHM_EDGE = 64;
/** Numbers in a vector. */
const LANES = 4;

/**
 * Builds the filters over many frames of one band. The result writes, for each filter and frame, the largest output
 * over all bands; it reads a passage between RHYTHM_EDGE silent frames on either side.
 *
 * @param kernels rows x filters.
 */
export function createRhythm(
  kernel: TileKernel,
  room: Room,
  { filters: { rows, filters }, kernels }: { filters: Filters; kernels: Float32Array },
): (passage: Float32Array, most: (filter: number, frame: number, value: number) => void) => void {
  const tiles = Math.ceil(filters / ROWS);
  const weights = room(tiles * rows * ROWS);
  for (let row = 0; row < rows; row++)
    for (let filter = 0; filter < filters; filter++)
      weights[(Math.floor(filter / ROWS) * rows + row) * ROWS + (filter % ROWS)] = kernels[
        row * filters + filter
      ] as number;
  const output = room(ROWS * BANDS);
  const highest = room(ROWS * LANES);
  // An even number of rows has no middle: as published, there is one less before than after.
  const before = Math.floor((rows - 1) / 2);
  const step = BANDS * FLOAT_BYTES;

  return (passage, most) => {
    for (let frame = 0; frame < FRAMES; frame++) {
      const right = passage.byteOffset + (frame + RHYTHM_EDGE - before) * step;
      for (let tile = 0; tile < tiles; tile++) {
        const left = weights.byteOffset + tile * rows * ROWS * FLOAT_BYTES;
        kernel.product(left, ROWS * FLOAT_BYTES, right, step, rows, output.byteOffset, step, BANDS / COLUMNS);
        kernel.peaks(output.byteOffset, BANDS / LANES, highest.byteOffset);
        const from = tile * ROWS;
        for (let row = 0; row < Math.min(ROWS, filters - from); row++)
          most(from + row, frame, highestOf(highest, row * LANES));
      }
    }
  };
}

function highestOf(values: Float32Array, at: number): number {
  let highest = values[at] as number;
  for (let lane = 1; lane < LANES; lane++) highest = Math.max(highest, values[at + lane] as number);
  return highest;
}
