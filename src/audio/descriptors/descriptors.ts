import { DESCRIPTOR_SCALES } from "./descriptor-scales.ts";
import { FRAME_FEATURES } from "./frame-features.ts";
import type { Measurements } from "./summary.ts";

/** Change it whenever vectors change their meaning; vectors of different versions must not be compared. */
export const DESCRIPTOR_VERSION = "dubplate-descriptors-1";

const TIMBRE = FRAME_FEATURES.slice(0, 17);
const CONTRAST = FRAME_FEATURES.slice(17, 23);
const LEVELS = FRAME_FEATURES.slice(23, 31);
const WHOLE = [
  "onsetRatePerSec",
  "lowOnsetRatePerSec",
  "highOnsetRatePerSec",
  "onsetStrength",
  "pulseClarity",
  "chromaEntropy",
  "bassEntropy",
  "scaleFit",
  "minorLead",
  "percussiveness",
  "loudnessRangeLu",
  "crestDb",
  "stereoWidth",
  "silentShare",
];

/** Names of the dimensions, in order. */
export const DESCRIPTOR_NAMES: readonly string[] = [
  ...TIMBRE.flatMap((name) => [`${name} mean`, `${name} deviation`, `${name} delta`]),
  ...CONTRAST.flatMap((name) => [`${name} mean`, `${name} deviation`]),
  ...LEVELS.flatMap((name) => [`${name} mean`, `${name} deviation`]),
  "level deviation",
  ...WHOLE,
  "integrated loudness",
  "tempo octave",
];

/** Length of a descriptor vector; a multiple of 16. */
export const DESCRIPTOR_DIMENSIONS = 96;

/** Dimensions are clamped to this many scales from their centre, so no outlier dominates the cosine. */
export const LIMIT = 3;

/** How many of them, the first ones, are measured frame by frame: passages have these too. */
export const FRAME_DESCRIPTORS = DESCRIPTOR_NAMES.indexOf("level deviation") + 1;

/**
 * Returns a vector of DESCRIPTOR_DIMENSIONS values with length 1 (L2), or null for silence. Each dimension is shifted
 * and scaled by fixed constants, so the cosine of two vectors compares what is unusual about two recordings.
 *
 * @param features What `summarise` returned for the same measurements.
 */
export function describe(measured: Measurements, features: Record<string, number>): Float32Array | null {
  if (measured.frames.count === 0) return null;
  const raw = rawDescriptors(measured, features);
  const scaled = scaledDescriptors(raw);
  const length = Math.hypot(...scaled);
  return length > 0 ? Float32Array.from(scaled, (value) => value / length) : null;
}

/** Returns the unscaled values, in the order of DESCRIPTOR_NAMES; null where a value is undefined. */
export function rawDescriptors(
  { frames, loudness, tempo }: Measurements,
  features: Record<string, number>,
): (number | null)[] {
  return [
    ...rawFrameDescriptors(frames),
    ...WHOLE.map((name) => features[name] ?? null),
    loudness.integratedLufs,
    tempo.bpm === null ? null : Math.log2(tempo.bpm),
  ];
}

/** Returns the first FRAME_DESCRIPTORS unscaled values. */
export function rawFrameDescriptors(frames: Measurements["frames"]): number[] {
  const at = (name: string) => FRAME_FEATURES.indexOf(name);
  const mean = (name: string) => frames.mean[at(name)] ?? 0;
  const deviation = (name: string) => frames.deviation[at(name)] ?? 0;
  return [
    ...TIMBRE.flatMap((name) => [mean(name), deviation(name), frames.deltaDeviation[at(name)] ?? 0]),
    ...[...CONTRAST, ...LEVELS].flatMap((name) => [mean(name), deviation(name)]),
    deviation("level"),
  ];
}

/** Returns values as far from the middle as they are unusual, -LIMIT..LIMIT; 0 where one is undefined. */
export function scaledDescriptors(raw: readonly (number | null)[]): Float64Array {
  return Float64Array.from(raw, (value, i) => {
    const [centre, scale] = DESCRIPTOR_SCALES[i] ?? [0, 1];
    return value === null ? 0 : Math.max(-LIMIT, Math.min(LIMIT, (value - centre) / scale));
  });
}
