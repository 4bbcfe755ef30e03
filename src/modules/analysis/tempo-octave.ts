/** What a file's own tempo may differ by and still mean the measured one. */
const TOLERANCE = 0.02;
/** Mistakes of metre that a tempo measurement makes: half and double, and counting three against two or four. */
const METRE_RATIOS = [1, 1 / 2, 2, 2 / 3, 3 / 2, 1 / 3, 3, 3 / 4, 4 / 3];
const SLOWEST_BPM = 30;
const FASTEST_BPM = 300;

type Tempo = { bpm: number | null; candidates: readonly { bpm: number }[] };

/**
 * Returns the tempo to show, beats a minute, from a measured one and the one written in the file. What is written
 * chooses between readings of what was measured (another candidate, another metrical level) within 2 %, the likelier
 * reading first, and its own value shows only where nothing was measured.
 *
 * @param embeddedBpm Ignored outside 30..300.
 */
export function chooseTempo(measured: Tempo, embeddedBpm: number | undefined): number | null {
  if (embeddedBpm === undefined || !(embeddedBpm >= SLOWEST_BPM && embeddedBpm <= FASTEST_BPM))
    return measured.bpm;
  if (measured.bpm === null) return embeddedBpm;

  const { bpm } = measured;
  const readings = [
    bpm,
    ...measured.candidates.map((candidate) => candidate.bpm),
    ...METRE_RATIOS.map((ratio) => bpm * ratio),
  ];
  return readings.find((reading) => Math.abs(reading / embeddedBpm - 1) <= TOLERANCE) ?? bpm;
}
