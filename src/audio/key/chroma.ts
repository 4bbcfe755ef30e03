import { PITCH_BINS, type PitchHistograms } from "./pitch-histogram.ts";

/** Pitch-class content: index 0 is C; each array sums to 1, or is all zeros without pitches. */
export type Chroma = {
  upper: Float64Array;
  bass: Float64Array;
  /** One row of 12 for about every five seconds of the upper part, each summing to 1 or all zeros. */
  segments: Float64Array[];
  /** The same for about every second, with the bass: as short as a chord. */
  moments: { upper: Float64Array; bass: Float64Array }[];
  /** Deviation of the recording from A = 440 Hz, cents, -50..50; null when pitches agree on no tuning. */
  tuningCents: number | null;
  /** How well pitches agree on a common offset, 0..1. */
  agreement: number;
};

const BINS_PER_SEMITONE = PITCH_BINS / 12;
/** Below this agreement (0..1) of pitches on a common offset, no tuning is claimed. */
const MIN_TUNING_AGREEMENT = 0.12;
const MOMENTS_PER_SEGMENT = 4;
/** Overtones 2 to 5 also count as evidence for their fundamental; each one by this factor less than the last. */
const OVERTONE_DECAY = 0.6;
type Overtone = { overtone: number; rise: number };
const OVERTONES: readonly Overtone[] = [1, 2, 3, 4, 5].map((overtone) => ({
  overtone,
  rise: 12 * Math.log2(overtone),
}));

/** Folds pitch histograms into tuned chroma; overtones also count for their fundamentals. */
export function foldChroma({ upper, bass, segments }: PitchHistograms): Chroma {
  const upperSum = sumRows(upper, segments);
  const bassSum = sumRows(bass, segments);
  const { cents, agreement } = tuning(upperSum);
  const offset = agreement < MIN_TUNING_AGREEMENT ? 0 : cents;
  const momentOf = (rows: Float32Array, i: number) =>
    normalised(fold(rows.subarray(i * PITCH_BINS, (i + 1) * PITCH_BINS), offset));
  const moments = Array.from({ length: segments }, (_, i) => ({
    upper: momentOf(upper, i),
    bass: momentOf(bass, i),
  }));
  return {
    upper: normalised(fold(upperSum, offset)),
    bass: normalised(fold(bassSum, offset)),
    segments: groups(
      moments.map((moment) => moment.upper),
      MOMENTS_PER_SEGMENT,
    ),
    moments,
    tuningCents: agreement < MIN_TUNING_AGREEMENT ? null : cents,
    agreement,
  };
}

/** Returns the normalised sum of every `size` rows. */
function groups(rows: readonly Float64Array[], size: number): Float64Array[] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, group) => {
    const sum = new Float64Array(12);
    for (const row of rows.slice(group * size, (group + 1) * size))
      for (let i = 0; i < 12; i++) sum[i] = (sum[i] as number) + (row[i] as number);
    return normalised(sum);
  });
}

function sumRows(rows: Float32Array, segments: number): Float64Array {
  const sum = new Float64Array(PITCH_BINS);
  for (let i = 0; i < segments * PITCH_BINS; i++)
    sum[i % PITCH_BINS] = (sum[i % PITCH_BINS] as number) + (rows[i] as number);
  return sum;
}

/** Returns the circular mean of the peaks' positions within their semitones. */
function tuning(bins: Float64Array): { cents: number; agreement: number } {
  let x = 0;
  let y = 0;
  let sum = 0;
  for (const [bin, weight] of bins.entries()) {
    x += weight * Math.cos((2 * Math.PI * bin) / BINS_PER_SEMITONE);
    y += weight * Math.sin((2 * Math.PI * bin) / BINS_PER_SEMITONE);
    sum += weight;
  }
  return { cents: (Math.atan2(y, x) * 100) / (2 * Math.PI), agreement: sum > 0 ? Math.hypot(x, y) / sum : 0 };
}

function fold(bins: Float64Array | Float32Array, offsetCents: number): Float64Array {
  const chroma = new Float64Array(12);
  // Plain loops: with hours of segments, anything else would allocate a small array per bin.
  for (let bin = 0; bin < PITCH_BINS; bin++) {
    const weight = bins[bin] as number;
    if (weight === 0) continue;
    for (let i = 0; i < OVERTONES.length; i++) {
      const { overtone, rise } = OVERTONES[i] as Overtone;
      const semitones = bin / BINS_PER_SEMITONE - offsetCents / 100 - rise;
      const nearest = Math.round(semitones);
      const pitchClass = ((nearest % 12) + 12) % 12;
      const focus = Math.cos(Math.PI * (semitones - nearest)) ** 2;
      chroma[pitchClass] = (chroma[pitchClass] as number) + weight * focus * OVERTONE_DECAY ** (overtone - 1);
    }
  }
  return chroma;
}

/** Returns `values`, divided by their sum. */
function normalised(values: Float64Array): Float64Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  if (sum > 0) for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) / sum;
  return values;
}
