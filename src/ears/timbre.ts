import { BANDS, type Filters, FRAMES } from "./layout.ts";
import { COLUMNS, FLOAT_BYTES, ROWS, type Room, type TileKernel } from "./tile-kernel.ts";

// Reads of typed arrays in this folder are asserted `as number`: every index is in range by construction.

/** A filter over the bands is a product of spectra, which have this many bins. */
const BINS = BANDS / 2 + 1;
/** Frames of an output, in whole tiles. */
export const TILED_FRAMES = ROWS * Math.ceil(FRAMES / ROWS);
/** Silent frames before and after, so that a filter over seven frames is centred. */
export const EDGE = 3;
/** Frames that filters over seven frames read. */
export const READ_FRAMES = TILED_FRAMES + 2 * EDGE;
const LOWEST = -1e30;

/** The spectra over the bands of each frame: for each bin, the frames' complex values one after another. */
export type BandSpectra = { values: Float32Array; write(patch: Float32Array): void };

/** Builds the transform of frames over their bands. */
export function createBandSpectra(kernel: TileKernel, room: Room): BandSpectra {
  const parts = 2 * BINS;
  const tiles = Math.ceil(parts / ROWS);
  const columns = Math.ceil(READ_FRAMES / COLUMNS);
  const width = columns * COLUMNS;
  const circle = room(tiles * BANDS * ROWS);
  for (let row = 0; row < parts; row++)
    for (let band = 0; band < BANDS; band++) {
      const angle = (2 * Math.PI * (row >> 1) * band) / BANDS;
      circle[(Math.floor(row / ROWS) * BANDS + band) * ROWS + (row % ROWS)] =
        row % 2 === 0 ? Math.cos(angle) : -Math.sin(angle);
    }
  const input = room(BANDS * width);
  const output = room(tiles * ROWS * width);
  const values = room(BINS * 2 * READ_FRAMES);
  return {
    values,
    write(patch) {
      for (let frame = 0; frame < FRAMES; frame++)
        for (let band = 0; band < BANDS; band++)
          input[band * width + frame + EDGE] = patch[frame * BANDS + band] as number;
      const step = width * FLOAT_BYTES;
      for (let tile = 0; tile < tiles; tile++) {
        const left = circle.byteOffset + tile * BANDS * ROWS * FLOAT_BYTES;
        const out = output.byteOffset + tile * ROWS * step;
        kernel.product(left, ROWS * FLOAT_BYTES, input.byteOffset, step, BANDS, out, step, columns);
      }
      for (let row = 0; row < parts; row++)
        for (let frame = 0; frame < READ_FRAMES; frame++)
          values[((row >> 1) * READ_FRAMES + frame) * 2 + (row & 1)] = output[row * width + frame] as number;
    },
  };
}

/**
 * Builds the filters over seven frames and many bands. The result writes, for each frame and filter, the largest output
 * over all bands. Only the maximum over the bands is of interest, so the output at n and at -n from the middle are found
 * together: the even part plus or minus the odd one.
 *
 * @param kernels rows x inputs x filters.
 */
export function createTimbre(
  kernel: TileKernel,
  room: Room,
  { filters: shape, kernels }: { filters: Filters; kernels: Float32Array },
): (spectra: BandSpectra, most: Float32Array) => void {
  const { rows, inputs, filters } = shape;
  const width = COLUMNS * Math.ceil(filters / COLUMNS);
  const outputs = BANDS - inputs + 1;
  const weights = spectraOf(kernel, room, { ...shape, kernels, centre: (outputs - 1) / 2 });
  const { cosines, sines, tiles } = circlesFrom(room, outputs);
  const products = room(BINS * ROWS * 2 * width);
  const [even, odd] = [room(ROWS * width), room(ROWS * width)];

  const [rowBytes, partBytes] = [2 * width * FLOAT_BYTES, width * FLOAT_BYTES];
  const tileBytes = BINS * ROWS * FLOAT_BYTES;
  const multiply = (values: Float32Array, frame: number) => {
    for (let bin = 0; bin < BINS; bin++) {
      const left = values.byteOffset + (bin * READ_FRAMES + frame) * 2 * FLOAT_BYTES;
      const right = weights.byteOffset + bin * 2 * rows * rowBytes;
      const out = products.byteOffset + bin * ROWS * rowBytes;
      kernel.complexProduct(
        left,
        FLOAT_BYTES,
        right,
        rowBytes,
        2 * rows,
        out,
        rowBytes,
        (2 * width) / COLUMNS,
      );
    }
  };
  const fold = (row: number, most: number) => {
    const right = products.byteOffset + row * rowBytes;
    const groups = width / COLUMNS;
    const step = ROWS * FLOAT_BYTES;
    for (let tile = 0; tile < tiles; tile++) {
      const [cosine, sine] = [cosines.byteOffset + tile * tileBytes, sines.byteOffset + tile * tileBytes];
      kernel.product(cosine, step, right, ROWS * rowBytes, BINS, even.byteOffset, partBytes, groups);
      kernel.product(sine, step, right + partBytes, ROWS * rowBytes, BINS, odd.byteOffset, partBytes, groups);
      kernel.raise(even.byteOffset, odd.byteOffset, most, width / 4);
    }
  };
  return ({ values }, most) => {
    most.fill(LOWEST);
    for (let frame = 0; frame < TILED_FRAMES; frame += ROWS) {
      multiply(values, frame);
      for (let row = 0; row < ROWS; row++) fold(row, most.byteOffset + (frame + row) * partBytes);
    }
  };
}

type Spectra = Filters & { kernels: Float32Array; centre: number };

/**
 * Returns the factors that a frame's spectrum is multiplied by, for each bin and row: the part of the real value in the
 * real and the imaginary results of all filters, and that of the imaginary value.
 */
function spectraOf(
  kernel: TileKernel,
  room: Room,
  { rows, inputs, filters, kernels, centre }: Spectra,
): Float32Array {
  const width = COLUMNS * Math.ceil(filters / COLUMNS);
  const out = room(BINS * rows * 4 * width);
  const circle = shiftedCircle(room, inputs, centre);
  const right = room(inputs * width);
  const products = room((circle.length / inputs) * width);
  const step = width * FLOAT_BYTES;
  const part = (index: number) => products.subarray(index * width, (index + 1) * width);
  for (let row = 0; row < rows; row++) {
    for (let j = 0; j < inputs; j++) {
      const from = (row * inputs + j) * filters;
      right.set(kernels.subarray(from, from + filters), j * width);
    }
    for (let at = 0; at < products.length; at += ROWS * width) {
      const left = circle.byteOffset + (at / width) * inputs * FLOAT_BYTES;
      const to = products.byteOffset + at * FLOAT_BYTES;
      kernel.product(left, ROWS * FLOAT_BYTES, right.byteOffset, step, inputs, to, step, width / COLUMNS);
    }
    for (let bin = 0; bin < BINS; bin++) {
      const [re, im] = [part(2 * bin), part(2 * bin + 1)];
      for (const [at, values] of [re, im, im.map((value) => -value), re].entries())
        out.set(values, ((bin * rows + row) * 4 + at) * width);
    }
  }
  return out;
}

/** Returns what takes values to their spectrum, real and imaginary parts by turns, moved to the middle output. */
function shiftedCircle(room: Room, inputs: number, centre: number): Float32Array {
  const circle = room(Math.ceil((2 * BINS) / ROWS) * inputs * ROWS);
  for (let part = 0; part < 2 * BINS; part++)
    for (let j = 0; j < inputs; j++) {
      const bin = part >> 1;
      const gain = (bin === 0 || bin === BINS - 1 ? 1 : 2) / BANDS;
      const angle = (2 * Math.PI * bin * (j + centre)) / BANDS;
      circle[(Math.floor(part / ROWS) * inputs + j) * ROWS + (part % ROWS)] =
        gain * (part % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    }
  return circle;
}

/** Returns the cosines and sines of each bin at each distance from the middle output, by tiles. */
function circlesFrom(room: Room, outputs: number) {
  const distances = Math.ceil(outputs / 2);
  const tiles = Math.ceil(distances / ROWS);
  const [cosines, sines] = [room(tiles * BINS * ROWS), room(tiles * BINS * ROWS)];
  for (let i = 0; i < tiles * ROWS; i++)
    for (let bin = 0; bin < BINS; bin++) {
      // Rows beyond the last repeat it, which does not change the maximum.
      const distance = Math.min(i, distances - 1) + (outputs % 2 === 0 ? 0.5 : 0);
      const angle = (2 * Math.PI * bin * distance) / BANDS;
      const at = (Math.floor(i / ROWS) * BINS + bin) * ROWS + (i % ROWS);
      cosines[at] = Math.cos(angle);
      sines[at] = Math.sin(angle);
    }
  return { cosines, sines, tiles };
}
