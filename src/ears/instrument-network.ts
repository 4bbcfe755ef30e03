import { BANDS, FRAMES, PLANE_LAYERS, PLANES_POOLED, type PlaneFilters } from "./layout.ts";
import { dense } from "./network.ts";
import { HEARD_INSTRUMENTS } from "./tags.ts";
import { COLUMNS, FLOAT_BYTES, ROWS, type Room, type TileKernel } from "./tile-kernel.ts";
import type { Weights } from "./weights.ts";

/** Floats that the network takes in the memory of its kernel. */
export const INSTRUMENT_NETWORK_FLOATS = 740_000;

/** Hears HEARD_INSTRUMENTS, in log-odds, in the levels of a passage. */
export type InstrumentNetwork = (passage: Float32Array) => Float32Array;

/** Builds the network that lab/train-network has trained: convolutions over frames and bands, and a sum for each name. */
export function createInstrumentNetwork(kernel: TileKernel, room: Room, weights: Weights): InstrumentNetwork {
  let last = planesOf(room, { channels: 1, frames: FRAMES, bands: BANDS }, PLANE_LAYERS[0]);
  const first = last;
  const layers = PLANE_LAYERS.map((filters, index) => {
    const input = last;
    last = planesOf(room, shapeAfter(input, filters), PLANE_LAYERS[index + 1]);
    const part = (name: string) => weights(`layer${index}.${name}`);
    return createLayer(kernel, room, {
      filters,
      kernels: part("kernel"),
      bias: part("bias"),
      input,
      out: last,
    });
  });
  const names = dense(weights, "names", { inputs: PLANES_POOLED, outputs: HEARD_INSTRUMENTS.length });
  return (passage) => {
    for (let frame = 0; frame < FRAMES; frame++)
      for (let band = 0; band < BANDS; band++)
        first.values[placeIn(first, 0, frame) + band] = (passage[frame * BANDS + band] as number) - 1;
    for (const layer of layers) layer();
    return names(poolOf(last));
  };
}

type Shape = { channels: number; frames: number; bands: number };
/** Values channel by channel, frame by frame, with `frameEdge` and `bandEdge` zeros on each side. */
type Planes = Shape & { frameEdge: number; bandEdge: number; values: Float32Array };

/** Returns planes with as much room around them as what reads them needs. */
function planesOf(room: Room, shape: Shape, reader: PlaneFilters | undefined): Planes {
  const frameEdge = (reader?.frames ?? 0) >> 1;
  const bandEdge = (reader?.bands ?? 0) >> 1;
  const size = (shape.frames + 2 * frameEdge) * (shape.bands + 2 * bandEdge);
  return { ...shape, frameEdge, bandEdge, values: room(shape.channels * size) };
}

/** Returns where a frame of a channel begins, behind its edge. */
function placeIn({ frames, bands, frameEdge, bandEdge }: Planes, channel: number, frame: number): number {
  const row = channel * (frames + 2 * frameEdge) + frameEdge + frame;
  return row * (bands + 2 * bandEdge) + bandEdge;
}

function shapeAfter({ frames, bands }: Shape, { filters, frameStep, bandStep }: PlaneFilters): Shape {
  return { channels: filters, frames: Math.ceil(frames / frameStep), bands: Math.ceil(bands / bandStep) };
}

type Layer = {
  filters: PlaneFilters;
  kernels: Float32Array;
  bias: Float32Array;
  input: Planes;
  out: Planes;
};

/** Returns a function that computes the rectified outputs of a layer: products with what the filters see, frame by frame. */
function createLayer(
  kernel: TileKernel,
  room: Room,
  { filters, kernels, bias, input, out }: Layer,
): () => void {
  const together = framesTogether(out);
  const columns = together * out.bands;
  const offsets = offsetsOf(filters, input);
  const groups = Math.ceil(filters.filters / ROWS);
  const left = room(groups * offsets.length * ROWS);
  for (const [i, value] of kernels.entries()) {
    const [place, filter] = [Math.floor(i / filters.filters), i % filters.filters];
    left[(Math.floor(filter / ROWS) * offsets.length + place) * ROWS + (filter % ROWS)] = value;
  }
  const seen = room(offsets.length * columns);
  const sums = room(groups * ROWS * columns);
  const [leftStep, step] = [ROWS * FLOAT_BYTES, columns * FLOAT_BYTES];
  return () => {
    for (let frame = 0; frame < out.frames; frame += together) {
      writeSeen(seen, { filters, offsets, input, out, frame, together });
      for (let group = 0; group < groups; group++) {
        const from = left.byteOffset + group * offsets.length * leftStep;
        const to = sums.byteOffset + group * ROWS * step;
        kernel.product(from, leftStep, seen.byteOffset, step, offsets.length, to, step, columns / COLUMNS);
      }
      writeRectified(out, { sums, bias, frame, together });
    }
  };
}

/** Returns how many frames fill whole groups of columns. */
function framesTogether({ bands }: Shape): number {
  let frames = 1;
  while ((frames * bands) % COLUMNS !== 0) frames++;
  return frames;
}

/** Returns where each number of a filter lies, from the place of its first frame and band on. */
function offsetsOf({ inputs, frames, bands }: PlaneFilters, input: Planes): number[] {
  const [channels, rows, columns] = [inputs, frames, bands].map((length) =>
    Array.from({ length }, (_, i) => i),
  );
  return (channels ?? []).flatMap((channel) =>
    (rows ?? []).flatMap((row) =>
      (columns ?? []).map(
        (column) => placeIn(input, channel, row - input.frameEdge) + column - input.bandEdge,
      ),
    ),
  );
}

/** Frames of the output that are computed together, from `frame` on. */
type Frames = { frame: number; together: number };
type Seen = Frames & { filters: PlaneFilters; offsets: readonly number[]; input: Planes; out: Shape };

/** Writes what each number of the filters is multiplied with, band by band of some frames. */
function writeSeen(seen: Float32Array, { filters, offsets, input, out, frame, together }: Seen): void {
  const { values } = input;
  const { frameStep, bandStep } = filters;
  const rowStep = frameStep * (input.bands + 2 * input.bandEdge);
  let at = 0;
  for (const offset of offsets)
    for (let own = frame; own < frame + together; own++) {
      let place = offset + own * rowStep;
      for (let band = 0; band < out.bands; band++, at++, place += bandStep)
        seen[at] = values[place] as number;
    }
}

/** Writes what is above 0 of some frames' sums, filter by filter, into the planes. */
function writeRectified(
  out: Planes,
  { sums, bias, frame, together }: Frames & { sums: Float32Array; bias: Float32Array },
): void {
  let at = 0;
  for (let filter = 0; filter < out.channels; filter++)
    for (let own = frame; own < frame + together; own++) {
      const to = placeIn(out, filter, own);
      for (let band = 0; band < out.bands; band++, at++)
        out.values[to + band] = Math.max(0, (sums[at] as number) + (bias[filter] as number));
    }
}

/** Returns the mean over the frames of each channel and band, and then the most. */
function poolOf(planes: Planes): Float32Array {
  const { channels, frames, bands, values } = planes;
  const pooled = new Float32Array(PLANES_POOLED);
  const most = pooled.subarray(PLANES_POOLED / 2);
  for (let channel = 0; channel < channels; channel++)
    for (let frame = 0; frame < frames; frame++)
      for (let band = 0; band < bands; band++) {
        const value = values[placeIn(planes, channel, frame) + band] as number;
        const at = channel * bands + band;
        pooled[at] = (pooled[at] as number) + value / frames;
        // What is rectified is never below 0.
        most[at] = Math.max(most[at] as number, value);
      }
  return pooled;
}
