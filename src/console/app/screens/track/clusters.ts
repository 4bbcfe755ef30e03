/** A note on the wave. */
export type Spot = {
  id: string;
  fromSec: number;
  /** The end of a range. */
  toSec: number | null;
  isOpen: boolean;
  /** Its place in the version is not certain. */
  isAbout: boolean;
  author: string;
  text: string;
};

/** Notes that would overlap on the wave, in order; most often one. */
export type Cluster = { spots: readonly Spot[]; fromSec: number; toSec: number };

/**
 * Puts notes together that are closer to the first of them than `gapSec`. Which those are depends on the zoom alone and not on
 * the part that shows, so marks do not change while the wave moves.
 *
 * @param spots In the order of `fromSec`.
 */
export function clustersOf(spots: readonly Spot[], gapSec: number): Cluster[] {
  const clusters: { spots: Spot[]; fromSec: number; toSec: number }[] = [];
  for (const spot of spots) {
    const end = spot.toSec ?? spot.fromSec;
    const last = clusters.at(-1);
    if (last && spot.fromSec - last.fromSec < gapSec) {
      last.spots.push(spot);
      last.toSec = Math.max(last.toSec, end);
    } else clusters.push({ spots: [spot], fromSec: spot.fromSec, toSec: end });
  }
  return clusters;
}
