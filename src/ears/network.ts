import {
  FRAMES,
  FRONT_CHANNELS,
  HIDDEN,
  MIDDLE,
  MIDDLE_CHANNELS,
  POOLED,
  RHYTHM,
  TAGS_PER_NETWORK,
  TIMBRE,
} from "./layout.ts";
import { createMoments, createRhythm } from "./rhythm.ts";
import { COLUMNS, FLOAT_BYTES, ROWS, type Room, type TileKernel } from "./tile-kernel.ts";
import { createBandSpectra, createTimbre, EDGE, READ_FRAMES, TILED_FRAMES } from "./timbre.ts";
import type { Weights } from "./weights.ts";

/** Floats that a network takes in the memory of its kernel. */
export const NETWORK_FLOATS = 800_000;

/** What a network hears in a passage: the log-odds of each tag, and the POOLED numbers that they are made from. */
export type Impression = { tags: Float32Array; pooled: Float32Array };

/**
 * Hears a passage of FRAMES x BANDS levels, frame by frame. The arrays are new.
 *
 * @see Pons & Serra, "musicnn: Pre-trained convolutional neural networks for music audio tagging", ISMIR 2019.
 */
export type Network = (passage: Float32Array) => Impression;

/** Builds a network as published, from its weights. */
export function createNetwork(kernel: TileKernel, room: Room, weights: Weights): Network {
  const front = createFront(kernel, room, weights);
  const middle = MIDDLE.map((_, index) => createMiddle(kernel, room, { weights, index }));
  const back = createBack(weights);
  return (passage) => {
    const first = front(passage);
    const layers = [first];
    let last = first;
    for (const [index, layer] of middle.entries()) {
      const own = layer(last);
      // The second and the third layer add to what the one before has found.
      if (index > 0) addTo(own, last);
      layers.push(own);
      last = own;
    }
    return back(layers);
  };
}

/** The activations of a layer: for each channel, its frames, between silent ones. */
type Channels = Float32Array;

/** Filter outputs are rectified, then scaled and shifted. */
type Finish = (filter: number, value: number) => number;

/** More than any level, or any output of a layer, ever is. */
const MOST_OF_INPUT = 1e4;
/** Of a bias: what is smaller leaves it as it is. */
const NOTHING = 1e-15;

/**
 * Returns the kernels of a convolution and what follows it. Where the maximum over the bands is wanted but the scale is
 * negative, the kernel is turned over: the minimum is the maximum of the negative.
 */
function convolutionOf(
  weights: Weights,
  index: number,
  isTurned: boolean,
): { kernels: Float32Array; finish: Finish; heard: number[] } {
  const part = (name: string) => weights(`convolution${index}.${name}`);
  const [bias, scale, shift] = [part("bias"), part("scale"), part("shift")];
  const sign = scale.map((value) => (isTurned && value < 0 ? -1 : 1));
  const kernels = part("kernel").map((value, i) => value * (sign[i % sign.length] as number));
  const finish = (filter: number, value: number) =>
    (scale[filter] as number) * Math.max(0, (sign[filter] as number) * value + (bias[filter] as number)) +
    (shift[filter] as number);
  return { kernels, finish, heard: heardBy(kernels, bias) };
}

/**
 * Returns the filters whose output depends on what they are given. Training has left others nothing but their bias, in the published
 * networks more than half of them.
 */
function heardBy(kernels: Float32Array, bias: Float32Array): number[] {
  const sums = new Float64Array(bias.length);
  // Counted loops: half a million pairs of an iterator would be megabytes that are not collected in time.
  for (let i = 0; i < kernels.length; i++)
    sums[i % sums.length] = (sums[i % sums.length] as number) + Math.abs(kernels[i] as number);
  return [...bias.keys()].filter((filter) => {
    const [most, own] = [MOST_OF_INPUT * (sums[filter] as number), bias[filter] as number];
    return own + most > 0 && most > NOTHING * Math.abs(own);
  });
}

/** Returns the columns of a matrix with these numbers, and zeros up to `width`. */
function columnsOf(
  matrix: Float32Array,
  of: number,
  columns: readonly number[],
  width: number,
): Float32Array {
  const kept = new Float32Array((matrix.length / of) * width);
  for (let row = 0; row < matrix.length / of; row++)
    for (let at = 0; at < columns.length; at++)
      kept[row * width + at] = matrix[row * of + (columns[at] as number)] as number;
  return kept;
}

function createFront(kernel: TileKernel, room: Room, weights: Weights): (passage: Float32Array) => Channels {
  const [scale, shift] = [weights("input.scale")[0] ?? 1, weights("input.shift")[0] ?? 0];
  const spectra = createBandSpectra(kernel, room);
  const timbre = TIMBRE.map((filters, index) => {
    const { kernels, finish } = convolutionOf(weights, index, true);
    return { filters, finish, ...createTimbre(kernel, room, { filters, kernels }) };
  });
  const rhythm = RHYTHM.map((filters, index) => {
    const { kernels, finish, heard } = convolutionOf(weights, TIMBRE.length + index, true);
    const own = {
      filters: { ...filters, filters: heard.length },
      kernels: columnsOf(kernels, filters.filters, heard, heard.length),
    };
    return { filters, finish, heard, run: createRhythm(kernel, room, own) };
  });
  const width = COLUMNS * Math.ceil((TIMBRE[0]?.filters ?? 0) / COLUMNS);
  const most = room(TILED_FRAMES * width);
  const momentsOf = createMoments(room);
  const channels = room(FRONT_CHANNELS * READ_FRAMES);
  let first = 0;
  for (const { filters, finish } of [...timbre, ...rhythm]) {
    writeSilent(channels, { first, count: filters.filters }, finish);
    first += filters.filters;
  }

  return (passage) => {
    const normal = passage.map((value) => scale * value + shift);
    spectra.write(normal);
    const moments = momentsOf(normal);
    let channel = 0;
    for (const { filters, finish, heard, width, run } of timbre) {
      run(spectra, most);
      for (const [at, filter] of heard.entries())
        for (let frame = 0; frame < FRAMES; frame++)
          channels[(channel + filter) * READ_FRAMES + EDGE + frame] = finish(
            filter,
            most[frame * width + at] as number,
          );
      channel += filters.filters;
    }
    for (const { filters, finish, heard, run } of rhythm) {
      const from = channel;
      run(moments, (at, frame, value) => {
        const filter = heard[at] as number;
        channels[(from + filter) * READ_FRAMES + EDGE + frame] = finish(filter, value);
      });
      channel += filters.filters;
    }
    return channels;
  };
}

/** Writes what filters give that are given nothing: those that are heard are written over. */
function writeSilent(
  channels: Channels,
  { first, count }: { first: number; count: number },
  finish: Finish,
): void {
  for (let filter = 0; filter < count; filter++) {
    const from = (first + filter) * READ_FRAMES + EDGE;
    channels.fill(finish(filter, 0), from, from + FRAMES);
  }
}

function createMiddle(
  kernel: TileKernel,
  room: Room,
  { weights, index }: { weights: Weights; index: number },
): (input: Channels) => Channels {
  const { kernels, finish, heard } = convolutionOf(weights, TIMBRE.length + RHYTHM.length + index, false);
  const { rows, inputs, filters } = MIDDLE[index] ?? { rows: 0, inputs: 0, filters: 0 };
  const width = COLUMNS * Math.ceil(heard.length / COLUMNS);
  const right = room(rows * inputs * width);
  right.set(columnsOf(kernels, filters, heard, width));
  const sums = room(TILED_FRAMES * width);
  const channels = room(MIDDLE_CHANNELS * READ_FRAMES);
  const step = width * FLOAT_BYTES;

  return (input) => {
    sums.fill(0);
    for (let frame = 0; frame < TILED_FRAMES; frame += ROWS)
      for (let row = 0; row < rows; row++) {
        const left = input.byteOffset + (frame + row) * FLOAT_BYTES;
        const from = right.byteOffset + row * inputs * step;
        const out = sums.byteOffset + frame * step;
        kernel.addProduct(left, READ_FRAMES * FLOAT_BYTES, from, step, inputs, out, step, width / COLUMNS);
      }
    // Every time, for what the layer before has found is added to them.
    writeSilent(channels, { first: 0, count: filters }, finish);
    for (const [at, filter] of heard.entries())
      for (let frame = 0; frame < FRAMES; frame++)
        channels[filter * READ_FRAMES + EDGE + frame] = finish(filter, sums[frame * width + at] as number);
    return channels;
  };
}

function addTo(sum: Channels, other: Channels): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (other[i] as number);
}

function createBack(weights: Weights): (layers: readonly Channels[]) => Impression {
  const [scale, shift] = [weights("pooled.scale"), weights("pooled.shift")];
  const hidden = dense(weights, "hidden", { inputs: POOLED, outputs: HIDDEN });
  const tags = dense(weights, "tags", { inputs: HIDDEN, outputs: TAGS_PER_NETWORK });
  const [hiddenScale, hiddenShift] = [weights("hidden.scale"), weights("hidden.shift")];
  return (layers) => {
    const pooled = poolOf(layers).map((value, i) => value * (scale[i] as number) + (shift[i] as number));
    const active = hidden(pooled).map(
      (value, i) => Math.max(0, value) * (hiddenScale[i] as number) + (hiddenShift[i] as number),
    );
    return { tags: tags(active), pooled };
  };
}

/** Returns the maximum and the mean of each channel over the frames. */
function poolOf(layers: readonly Channels[]): Float32Array {
  const pooled = new Float32Array(POOLED);
  let at = 0;
  for (const channels of layers)
    for (let start = EDGE; start < channels.length; start += READ_FRAMES) {
      let [most, sum] = [Number.NEGATIVE_INFINITY, 0];
      for (let frame = 0; frame < FRAMES; frame++) {
        const value = channels[start + frame] as number;
        sum += value;
        if (value > most) most = value;
      }
      pooled[at++] = most;
      pooled[at++] = sum / FRAMES;
    }
  return pooled;
}

/** Builds a layer of sums over all inputs. */
export function dense(
  weights: Weights,
  name: string,
  { inputs, outputs }: { inputs: number; outputs: number },
): (values: Float32Array) => Float32Array {
  const [kernels, bias] = [weights(`${name}.kernel`), weights(`${name}.bias`)];
  return (values) => {
    const sums = Float32Array.from(bias);
    for (let i = 0; i < inputs; i++) {
      const value = values[i] as number;
      for (let j = 0; j < outputs; j++)
        sums[j] = (sums[j] as number) + value * (kernels[i * outputs + j] as number);
    }
    return sums;
  };
}
