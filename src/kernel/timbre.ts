/** What an analysis measured of a recording, as measures are made of it; null where it did not. */
export type Features = Readonly<Record<string, number | null>>;

/** The octaves of the analysis, from a dark recording to a bright one: 250 Hz to 2.8 kHz. */
const [DARK_HZ, OCTAVES] = [250, 3.5];

/**
 * Returns where the centre of the spectrum lies, 0 at 250 Hz and 1 at 2.8 kHz; null where it is unknown. Recordings led
 * by bass and kick, a quarter of finished music, lie below 0.
 */
export function centreOf({ centroidHz = null }: Features): number | null {
  return centroidHz === null || centroidHz <= 0 ? null : Math.log2(centroidHz / DARK_HZ) / OCTAVES;
}

/** Returns how many octaves lie between two values of {@link centreOf}. */
export const octavesBetween = (difference: number) => difference * OCTAVES;

/** Shares below this are silence. */
const LEAST_SHARE = 1e-6;

/**
 * Returns by how much the low mids, 200 to 800 Hz, outweigh the highs above 3.2 kHz, in dB. Null for tracks that were
 * analysed before the low mids were measured.
 */
export function warmthOf({ lowMidShare = null, trebleShare = null }: Features): number | null {
  if (lowMidShare === null || trebleShare === null) return null;
  return 10 * Math.log10(Math.max(lowMidShare, LEAST_SHARE) / Math.max(trebleShare, LEAST_SHARE));
}

/** Notes per second, octaves of the spectrum and dB of level that count as all there is. */
const [MOST_ONSETS, NARROW_HZ, MOST_OCTAVES, MOST_SPREAD_DB] = [12, 200, 5, 14];
/** What they count: listeners hear how many notes there are before anything else. */
const [ONSETS_PART, WIDTH_PART, EVEN_PART] = [0.6, 0.2, 0.2];

/**
 * Returns how full the arrangement is, 0 to 1: by the notes that begin per second, by how far the spectrum reaches, and by
 * how little the level sinks between notes.
 */
export function fullnessOf({
  onsetRatePerSec = null,
  rolloffHz = null,
  dynamicRangeDb = null,
}: Features): number | null {
  if (onsetRatePerSec === null) return null;
  const notes = Math.log2(1 + onsetRatePerSec) / Math.log2(1 + MOST_ONSETS);
  const width = rolloffHz === null || rolloffHz <= 0 ? 0 : Math.log2(rolloffHz / NARROW_HZ) / MOST_OCTAVES;
  const even = dynamicRangeDb === null ? 0 : 1 - dynamicRangeDb / MOST_SPREAD_DB;
  return ONSETS_PART * unit(notes) + WIDTH_PART * unit(width) + EVEN_PART * unit(even);
}

const unit = (value: number) => Math.max(0, Math.min(1, value));
