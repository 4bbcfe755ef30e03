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

/** With numbers up to these, seven products of complex numbers stay below 2 ** 31. */
const [MOST_OF_SPECTRA, MOST_OF_WEIGHTS] = [4681, INT16_MOST];

/** The spectra over the bands of each frame: for each bin, the frames' complex values one after another, as int16. */
export type BandSpectra = {
  values: Float32Array;
  /** The value of 1 in each bin. */
  units: Float64Array;
  write(patch: Float32Array): void;
};

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
  const values = room(BINS * READ_FRAMES);
  const pairs = pairsIn(values);
  const units = new Float64Array(BINS);
  return {
    values,
    units,
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
      for (let bin = 0; bin < BINS; bin++) {
        // The real part is followed by the imaginary one.
        const both = output.subarray(2 * bin * width, 2 * (bin + 1) * width);
        const unit = MOST_OF_SPECTRA / mostOf(both);
        units[bin] = unit;
        for (let frame = 0; frame < READ_FRAMES; frame++) {
          const at = 2 * (bin * READ_FRAMES + frame);
          pairs[at] = Math.round(unit * (both[frame] as number));
          pairs[at + 1] = Math.round(unit * (both[width + frame] as number));
        }
      }
    },
  };
}

/**
 * Builds the filters over seven frames and many bands. The result writes, for each frame and filter, the largest output
 * over all bands. Only the maximum over the bands is of interest, so the output at n and at -n from the middle are found
 * together: the even part plus or minus the odd one.
 *
 * @param kernels rows x inputs x filters.
 * @returns Also which filters are `heard`, of which a frame has `width` outputs: those whose factors are not all rounded to 0. The
 *   output of the others is 0.
 */
export function createTimbre(
  kernel: TileKernel,
  room: Room,
  { filters: shape, kernels }: { filters: Filters; kernels: Float32Array },
): { heard: number[]; width: number; run: (spectra: BandSpectra, most: Float32Array) => void } {
  const { rows, inputs } = shape;
  const outputs = BANDS - inputs + 1;
  const weights = heardOf(
    rounded(
      spectraOf(kernel, room, { ...shape, kernels, centre: (outputs - 1) / 2 }),
      widthOf(shape.filters),
    ),
    widthOf(shape.filters),
    room,
  );
  const { heard } = weights;
  const width = widthOf(heard.length);
  const { cosines, sines, tiles, measure } = circlesFrom(room, outputs);
  const products = room(BINS * ROWS * 2 * width);
  const [even, odd] = [room(ROWS * width), room(ROWS * width)];

  const [rowBytes, partBytes] = [2 * width * FLOAT_BYTES, width * FLOAT_BYTES];
  const tileBytes = BINS * ROWS * FLOAT_BYTES;
  const multiply = (values: Float32Array, frame: number) => {
    for (let bin = 0; bin < BINS; bin++) {
      const left = values.byteOffset + (bin * READ_FRAMES + frame) * FLOAT_BYTES;
      const right = weights.values.byteOffset + bin * rows * rowBytes;
      const out = products.byteOffset + bin * ROWS * rowBytes;
      kernel.pairProduct(left, FLOAT_BYTES, right, rowBytes, rows, out, rowBytes, (2 * width) / COLUMNS);
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
  const run = ({ values, units }: BandSpectra, most: Float32Array) => {
    measure(units.map((unit, bin) => unit * (weights.units[bin] as number)));
    most.fill(LOWEST);
    for (let frame = 0; frame < TILED_FRAMES; frame += ROWS) {
      multiply(values, frame);
      for (let row = 0; row < ROWS; row++) fold(row, most.byteOffset + (frame + row) * partBytes);
    }
  };
  return { heard, width, run };
}

/** Returns how many columns so many filters take. */
const widthOf = (filters: number) => COLUMNS * Math.max(1, Math.ceil(filters / COLUMNS));

type Spectra = Filters & { kernels: Float32Array; centre: number };

/**
 * Returns the factors that a frame's spectrum is multiplied by: for each bin and row, those of the real results of all
 * filters, then those of the imaginary ones.
 */
function spectraOf(
  kernel: TileKernel,
  room: Room,
  { rows, inputs, filters, kernels, centre }: Spectra,
): Float32Array {
  const width = COLUMNS * Math.ceil(filters / COLUMNS);
  const spectra = new Float32Array(BINS * rows * 2 * width);
  const circle = shiftedCircle(room, inputs, centre);
  const right = room(inputs * width);
  const products = room((circle.length / inputs) * width);
  const step = width * FLOAT_BYTES;
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
    for (let bin = 0; bin < BINS; bin++)
      spectra.set(products.subarray(2 * bin * width, 2 * (bin + 1) * width), 2 * (bin * rows + row) * width);
  }
  return spectra;
}

/**
 * Returns the factors of {@link spectraOf} as int16, and the value of 1 in each bin: what the real and the imaginary value
 * of a frame add to each result.
 *
 * @param width The number of filters, in whole vectors.
 */
function rounded(spectra: Float32Array, width: number): Rounded {
  const values = new Float32Array(spectra.length);
  const pairs = pairsIn(values);
  const size = spectra.length / BINS;
  const units = Float64Array.from({ length: BINS }, (_, bin) => {
    const unit = MOST_OF_WEIGHTS / mostOf(spectra.subarray(bin * size, (bin + 1) * size));
    for (let at = bin * size; at < (bin + 1) * size; at += 2 * width)
      for (let column = at; column < at + width; column++) {
        const re = Math.round(unit * (spectra[column] as number));
        const im = Math.round(unit * (spectra[column + width] as number));
        pairs[2 * column] = re;
        pairs[2 * column + 1] = -im;
        pairs[2 * (column + width)] = im;
        pairs[2 * (column + width) + 1] = re;
      }
    return unit;
  });
  return { values, units };
}

type Rounded = { values: Float32Array; units: Float64Array };

/** Keeps the filters with a factor that is not 0. */
function heardOf({ values, units }: Rounded, width: number, room: Room): Rounded & { heard: number[] } {
  // Whole numbers: as float32, some pairs of int16 are no numbers, and would not be copied as they are.
  const pairs = new Int32Array(values.buffer);
  const isHeard = new Uint8Array(width);
  for (let i = 0; i < pairs.length; i++) if (pairs[i] !== 0) isHeard[i % width] = 1;
  const heard = [...isHeard.keys()].filter((filter) => isHeard[filter] === 1);
  const [parts, own] = [pairs.length / width, widthOf(heard.length)];
  const kept = room(parts * own);
  const keptPairs = new Int32Array(kept.buffer, kept.byteOffset, kept.length);
  for (let part = 0; part < parts; part++)
    for (let at = 0; at < heard.length; at++)
      keptPairs[part * own + at] = pairs[part * width + (heard[at] as number)] as number;
  return { values: kept, units, heard };
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

/**
 * Returns the cosines and sines of each bin at each distance from the middle output, by tiles. `measure` divides them by
 * the value of 1 in each bin.
 */
function circlesFrom(room: Room, outputs: number) {
  const distances = Math.ceil(outputs / 2);
  const tiles = Math.ceil(distances / ROWS);
  const [cosines, sines] = [room(tiles * BINS * ROWS), room(tiles * BINS * ROWS)];
  const measure = (units: Float64Array) => {
    for (let i = 0; i < tiles * ROWS; i++)
      for (let bin = 0; bin < BINS; bin++) {
        // Rows beyond the last repeat it, which does not change the maximum.
        const distance = Math.min(i, distances - 1) + (outputs % 2 === 0 ? 0.5 : 0);
        const angle = (2 * Math.PI * bin * distance) / BANDS;
        const at = (Math.floor(i / ROWS) * BINS + bin) * ROWS + (i % ROWS);
        cosines[at] = Math.cos(angle) / (units[bin] as number);
        sines[at] = Math.sin(angle) / (units[bin] as number);
      }
  };
  return { cosines, sines, tiles, measure };
}
