/** The loudness that tracks are played at when it is matched, if their peaks leave room: the level of streaming services. */
const TARGET_LUFS = -14;
/** The highest true peak that is left then, low enough that no converter clips. */
const CEILING_DBTP = -1;

/** How loud a recording is, and where it peaks; null: not measured. */
export type Loudness = { integratedLufs: number | null; truePeakDbtp: number | null };

/** Returns the gain in dB that brings a recording to the common loudness, as far as its peaks leave room. */
export function matchedGain({ integratedLufs, truePeakDbtp }: Loudness): number {
  if (integratedLufs === null) return 0;
  // Without a peak the headroom is unknown, so it is only made softer.
  const headroom = truePeakDbtp === null ? 0 : CEILING_DBTP - truePeakDbtp;
  return Math.round(10 * Math.min(TARGET_LUFS - integratedLufs, headroom)) / 10;
}

/**
 * Returns how loud songs are that play one after the other: the mean of their power, by their length, and the highest of
 * their peaks. Songs that are not measured, or whose length is unknown, do not count for the loudness.
 */
export function loudnessAsWhole(songs: readonly (Loudness & { durationSec: number | null })[]): Loudness {
  let seconds = 0;
  let energy = 0;
  let truePeakDbtp: number | null = null;
  for (const { integratedLufs, durationSec, truePeakDbtp: peak } of songs) {
    if (peak !== null) truePeakDbtp = Math.max(peak, truePeakDbtp ?? peak);
    if (integratedLufs === null || durationSec === null) continue;
    seconds += durationSec;
    energy += durationSec * 10 ** (integratedLufs / 10);
  }
  return { integratedLufs: seconds === 0 ? null : 10 * Math.log10(energy / seconds), truePeakDbtp };
}
