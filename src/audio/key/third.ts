import type { Chroma } from "./chroma.ts";

/** The third's share of third and tonic together, in its strongest moments: at `none` it is not played, at `full` it is. */
type Ramp = { none: number; full: number };

/** The fifth partial of a tonic is its major third: a bass line without thirds reaches 0.42. */
const UPPER: Readonly<Record<"major" | "minor", Ramp>> = {
  major: { none: 0.43, full: 0.5 },
  minor: { none: 0.28, full: 0.36 },
};
/** The bass has few partials. */
const BASS: Ramp = { none: 0.2, full: 0.3 };
/** Moments with less of both than this say nothing. */
const LEAST_SHARE = 0.02;
/** A third that is played is not played always; an overtone is always as loud as its tonic lets it be. */
const STRONGEST = 0.9;

/**
 * Returns how far the third of a key is played rather than an overtone of its tonic, 0..1. Without it, nothing tells major
 * from minor.
 *
 * @param key 0..11 major, 12..23 minor.
 */
export function thirdHeard({ moments }: Chroma, key: number): number {
  const tonic = key % 12;
  const third = (tonic + (key < 12 ? 4 : 3)) % 12;
  const heard = (part: "upper" | "bass", ramp: Ramp) => {
    const shares = moments
      .map((moment) => [moment[part][third] as number, moment[part][tonic] as number] as const)
      .filter(([own, root]) => own + root > LEAST_SHARE)
      .map(([own, root]) => own / (own + root))
      .sort((a, b) => a - b);
    const strong = shares[Math.floor(STRONGEST * (shares.length - 1))] ?? 0;
    return Math.max(0, Math.min(1, (strong - ramp.none) / (ramp.full - ramp.none)));
  };
  return Math.max(heard("upper", UPPER[key < 12 ? "major" : "minor"]), heard("bass", BASS));
}
