import { HEARD_INSTRUMENTS, HEARD_NAMES } from "./tags.ts";

/**
 * A list of numbers in the file of weights. Those of `columns` columns are int16, row by row, after a float32 scale for
 * each column; others are float32.
 */
export type Tensor = { name: string; length: number; columns?: number };

/** The networks in the file, in order; the names of their folders in the package. */
export const NETWORKS = ["MTT_musicnn", "MSD_musicnn"] as const;
export const TAGS_PER_NETWORK = 50;

/** Frames and mel bands of a passage that the networks listen to. */
export const FRAMES = 187;
export const BANDS = 96;

/** A layer of filters; `inputs` for each of its `rows` moments. */
export type Filters = { rows: number; inputs: number; filters: number };

/** Filters over 7 frames and many bands, which hear timbre. */
export const TIMBRE: readonly Filters[] = [
  { rows: 7, inputs: 38, filters: 204 },
  { rows: 7, inputs: 67, filters: 204 },
];
/** Filters over many frames of one band, which hear rhythm. */
export const RHYTHM: readonly Filters[] = [
  { rows: 128, inputs: 1, filters: 51 },
  { rows: 64, inputs: 1, filters: 51 },
  { rows: 32, inputs: 1, filters: 51 },
];
/** Channels that the first layers hand on. */
export const FRONT_CHANNELS = 561;
export const MIDDLE_CHANNELS = 64;
export const MIDDLE: readonly Filters[] = [
  { rows: 7, inputs: FRONT_CHANNELS, filters: MIDDLE_CHANNELS },
  { rows: 7, inputs: MIDDLE_CHANNELS, filters: MIDDLE_CHANNELS },
  { rows: 7, inputs: MIDDLE_CHANNELS, filters: MIDDLE_CHANNELS },
];
/** Maximum and mean over time of each channel of all layers. */
export const POOLED = 2 * (FRONT_CHANNELS + 3 * MIDDLE_CHANNELS);
export const HIDDEN = 200;

const list = (name: string, length: number): Tensor => ({ name, length });
const matrix = (name: string, rows: number, columns: number): Tensor => ({
  name,
  length: rows * columns,
  columns,
});

/** The convolutions in the order of the published network. */
export const CONVOLUTIONS: readonly Filters[] = [...TIMBRE, ...RHYTHM, ...MIDDLE];

/**
 * The tensors of one network, in the order of the file. `scale` and `shift` are a batch normalisation: what was
 * published as mean, variance, gamma and beta.
 */
export const TENSORS: readonly Tensor[] = [
  list("input.scale", 1),
  list("input.shift", 1),
  ...CONVOLUTIONS.flatMap(({ rows, inputs, filters }, index) => [
    matrix(`convolution${index}.kernel`, rows * inputs, filters),
    ...["bias", "scale", "shift"].map((part) => list(`convolution${index}.${part}`, filters)),
  ]),
  list("pooled.scale", POOLED),
  list("pooled.shift", POOLED),
  matrix("hidden.kernel", POOLED, HIDDEN),
  ...["bias", "scale", "shift"].map((part) => list(`hidden.${part}`, HIDDEN)),
  matrix("tags.kernel", HIDDEN, TAGS_PER_NETWORK),
  list("tags.bias", TAGS_PER_NETWORK),
];

/**
 * The tensors of the layer that hears instruments in what both networks pool; see src/ears/instruments.ts. The share is how
 * much what the network of instruments hears counts beside it: none where that does not help.
 */
export const INSTRUMENT_TENSORS: readonly Tensor[] = [
  list("centre", NETWORKS.length * POOLED),
  list("width", NETWORKS.length * POOLED),
  matrix("names.kernel", NETWORKS.length * POOLED, HEARD_NAMES.length),
  list("names.bias", HEARD_NAMES.length),
  list("network.kernel", HEARD_INSTRUMENTS.length * HEARD_NAMES.length),
];

/** A layer of filters over frames and bands; its outputs are `frameStep` and `bandStep` apart. */
export type PlaneFilters = {
  frames: number;
  bands: number;
  inputs: number;
  filters: number;
  frameStep: number;
  bandStep: number;
};

/** The layers of the network that hears instruments in the levels; see src/ears/instrument-network.ts. */
export const PLANE_LAYERS: readonly PlaneFilters[] = [
  { frames: 5, bands: 3, inputs: 1, filters: 24, frameStep: 2, bandStep: 1 },
  { frames: 3, bands: 3, inputs: 24, filters: 32, frameStep: 2, bandStep: 2 },
  { frames: 3, bands: 3, inputs: 32, filters: 64, frameStep: 2, bandStep: 2 },
  { frames: 3, bands: 3, inputs: 64, filters: 96, frameStep: 1, bandStep: 2 },
  { frames: 3, bands: 3, inputs: 96, filters: 128, frameStep: 2, bandStep: 2 },
];
/** The mean and the most over the frames, of each channel and band that the last layer leaves. */
export const PLANES_POOLED = 2 * 128 * 6;

/** The tensors of that network; batch normalisation is multiplied into its kernels. */
export const INSTRUMENT_NETWORK_TENSORS: readonly Tensor[] = [
  ...PLANE_LAYERS.flatMap(({ frames, bands, inputs, filters }, index) => [
    matrix(`layer${index}.kernel`, inputs * frames * bands, filters),
    list(`layer${index}.bias`, filters),
  ]),
  matrix("names.kernel", PLANES_POOLED, HEARD_INSTRUMENTS.length),
  list("names.bias", HEARD_INSTRUMENTS.length),
];
