import { CODES_PER_SECOND, type Fingerprint, SILENT_CODE } from "../fingerprint/fingerprint.ts";
import { findPath } from "../fingerprint/section-path.ts";

/** A stretch of one recording that another has too. */
export type Run = {
  /** Seconds in the first. */
  fromSec: number;
  toSec: number;
  /** How much later the same moment comes in the second, accurate to 0.06 s. */
  offsetSec: number;
};

/** How two recordings lie on each other, by their fingerprints. */
export type Coarse = {
  runs: Run[];
  /** Share of differing bits within the runs. */
  bitErrorRate: number;
  /** Share of the first that the runs are of. */
  share: number;
};

/** Two mixes of one song differ in up to as many bits (`versions/diff.ts`). */
export const MAX_BIT_ERROR_RATE = 0.35;
/** Offsets as near to each other are one, rounded differently. */
const NEAR_CODES = 2;
/** A shorter run says nothing: music repeats. */
const MIN_RUN_SEC = 4;

/** Finds the stretches of a recording that another has, each at a constant offset. */
export function findRuns(a: Fingerprint, b: Fingerprint): Coarse {
  const runs = findPath(a, b)
    .runs.flatMap(({ from, to, offset }) => (offset === undefined ? [] : [{ from, to, offset }]))
    .reduce<{ from: number; to: number; offset: number }[]>((joined, run) => {
      const last = joined.at(-1);
      if (last?.to === run.from && Math.abs(last.offset - run.offset) <= NEAR_CODES) last.to = run.to;
      else joined.push({ ...run });
      return joined;
    }, [])
    .filter(({ from, to }) => to - from >= MIN_RUN_SEC * CODES_PER_SECOND);
  const kept = runs
    .map((run) => ({ run, ...differing(a.codes, b.codes, run) }))
    .filter(({ bits, codes }) => codes > 0 && bits / (32 * codes) <= MAX_BIT_ERROR_RATE);
  const [bits, codes] = kept.reduce(([sum, count], each) => [sum + each.bits, count + each.codes], [0, 0]);
  const covered = kept.reduce((sum, { run }) => sum + run.to - run.from, 0);
  return {
    runs: kept.map(({ run: { from, to, offset } }) => ({
      fromSec: from / CODES_PER_SECOND,
      toSec: to / CODES_PER_SECOND,
      offsetSec: offset / CODES_PER_SECOND,
    })),
    bitErrorRate: codes === 0 ? 1 : bits / (32 * codes),
    share: a.codes.length === 0 ? 0 : covered / a.codes.length,
  };
}

/** Counts the bits that differ in a run, and the codes of it that sound in both. */
function differing(
  a: Uint32Array,
  b: Uint32Array,
  { from, to, offset }: { from: number; to: number; offset: number },
): { bits: number; codes: number } {
  let [bits, codes] = [0, 0];
  for (let at = from; at < to; at++) {
    const [one, two] = [a[at] ?? SILENT_CODE, b[at + offset] ?? SILENT_CODE];
    if (one === SILENT_CODE || two === SILENT_CODE) continue;
    codes++;
    for (let rest = (one ^ two) >>> 0; rest !== 0; rest &= rest - 1) bits++;
  }
  return { bits, codes };
}
