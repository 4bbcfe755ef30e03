import { CODE_BITS } from "./pattern.ts";

/** Whose copy a sound is: never given above the risk. */
export type Match<Candidate> = {
  candidate: Candidate;
  /** At most {@link CODE_BITS}'s root, 22.6. */
  score: number;
  /** Upper bound of the chance that the look-up names anyone wrongly, at this score. */
  chanceOfError: number;
};

/** How often look-ups may name someone wrongly, as a proven bound. */
export const RISK = 1e-6;

/**
 * Returns how well each code explains the soft bits of the reading that it explains best: their product, over the length of the soft
 * bits. 0 when they say nothing.
 */
export function scoresOf(readings: readonly Float64Array[], codes: readonly Int8Array[]): Float64Array {
  const units = readings.map(unitOf);
  return Float64Array.from(codes, (code) => {
    let best = 0;
    for (const unit of units) {
      let sum = 0;
      for (let i = 0; i < CODE_BITS; i++) sum += (unit[i] as number) * (code[i] as number);
      if (sum > best) best = sum;
    }
    return best;
  });
}

function unitOf(soft: Float64Array): Float64Array {
  const squares = soft.reduce((sum, value) => sum + value * value, 0);
  return squares === 0 ? soft : soft.map((value) => value / Math.sqrt(squares));
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
  candidates: readonly { candidate: Candidate; code: Int8Array }[],
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
