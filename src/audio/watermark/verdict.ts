import { CODE_BITS } from "./pattern.ts";

/** Whose copy a sound is: never given above the risk. */
export type Match<Candidate> = {
  candidate: Candidate;
  /** At most {@link CODE_BITS}'s root, 22.6. */
  score: number;
  /** Upper bound of the chance that the look-up names anyone wrongly, at this score. */
  chanceOfError: number;
};

const CODE_BYTES = CODE_BITS / 8;
const BYTE_VALUES = 256;

/** How often look-ups may name someone wrongly, as a proven bound. */
export const RISK = 1e-6;

/**
 * Returns how well each code explains the soft bits of the reading that it explains best: their product, over the length of the soft
 * bits. 0 when they say nothing.
 */
export function scoresOf(readings: readonly Float64Array[], codes: readonly Uint8Array[]): Float64Array {
  const best = new Float64Array(codes.length);
  for (const soft of readings) {
    const sums = sumsOf(unitOf(soft));
    for (const [index, code] of codes.entries()) {
      let score = 0;
      for (let byte = 0; byte < CODE_BYTES; byte++)
        score += sums[byte * BYTE_VALUES + (code[byte] as number)] as number;
      if (score > (best[index] as number)) best[index] = score;
    }
  }
  return best;
}

function unitOf(soft: Float64Array): Float64Array {
  const squares = soft.reduce((sum, value) => sum + value * value, 0);
  return squares === 0 ? soft : soft.map((value) => value / Math.sqrt(squares));
}

/** Returns what each value of each byte of a code adds to the score: many codes are tried in less than half the time. */
function sumsOf(unit: Float64Array): Float64Array {
  const sums = new Float64Array(CODE_BYTES * BYTE_VALUES);
  for (let byte = 0; byte < CODE_BYTES; byte++) {
    const bits = unit.subarray(8 * byte, 8 * byte + 8);
    const first = byte * BYTE_VALUES;
    sums[first] = -bits.reduce((sum, value) => sum + value, 0);
    for (let value = 1; value < BYTE_VALUES; value++) {
      const lowest = 31 - Math.clz32(value & -value);
      sums[first + value] = (sums[first + (value & (value - 1))] as number) + 2 * (bits[lowest] as number);
    }
  }
  return sums;
}

/**
 * Returns the most that chance can do: for a code drawn at random, whatever the sound is, a score of t or more has a chance of at most
 * exp(-t²/2), and each code was tried on each reading.
 *
 * @param tries Codes that were issued, times readings.
 * @see Hoeffding 1963, "Probability Inequalities for Sums of Bounded Random Variables", theorem 2.
 */
export function chanceOfError(score: number, tries: number): number {
  return score <= 0 ? 1 : Math.min(1, tries * Math.exp(-(score ** 2) / 2));
}

/**
 * Names whose copies a sound may come from. Several, when copies were mixed.
 *
 * @param readings All soft bits that were read of the sound, with and without the original, of all versions.
 * @param candidates All codes that the readings are tried with, not only those of the likely ones.
 */
export function matchesOf<Candidate>(
  readings: readonly Float64Array[],
  candidates: readonly { candidate: Candidate; code: Uint8Array }[],
): Match<Candidate>[] {
  const tries = readings.length * candidates.length;
  const scores = scoresOf(
    readings,
    candidates.map(({ code }) => code),
  );
  return candidates
    .map(({ candidate }, index) => {
      const score = scores[index] as number;
      return { candidate, score, chanceOfError: chanceOfError(score, tries) };
    })
    .filter((match) => match.chanceOfError <= RISK)
    .sort((one, other) => other.score - one.score);
}
