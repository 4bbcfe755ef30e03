/** The largest relative difference at which a file's own tempo still means the measured one. */
const TOLERANCE = 0.02;
/** Metrical mistakes of tempo measurements: half and double, and counting three against two or four. */
const METRE_RATIOS = [1, 1 / 2, 2, 2 / 3, 3 / 2, 1 / 3, 3, 3 / 4, 4 / 3];
const SLOWEST_BPM = 30;
const FASTEST_BPM = 300;

type Tempo = { bpm: number | null; candidates: readonly { bpm: number }[] };

/**
 * Returns the tempo to show, in beats per minute, from the measured tempo and the one written in the file. The written
 * tempo selects, within 2 %, between readings of the measurement (another candidate, another metrical level), likelier
 * readings first. Its own value is shown only when nothing was measured.
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
