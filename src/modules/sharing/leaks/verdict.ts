import { codeOf } from "../../../audio/watermark/pattern.ts";
import { chanceOfError, RISK, scoresOf } from "../../../audio/watermark/verdict.ts";
import type { MarkedCopy } from "../marks/service.ts";
import type { Readings } from "./task.ts";

/** Whose copy a leak is. */
export type Candidate = {
  copy: MarkedCopy;
  score: number;
  chanceOfError: number;
  /** See {@link Reading}. */
  originalSec: number | null;
};

/** The readings of one version, and all codes that were issued for it. */
export type VersionReadings = { readings: Readings; copies: readonly MarkedCopy[] };

/** Returns how many different codes copies have: what one recipient of a link hears and downloads has one. */
export const codesAmong = (copies: readonly MarkedCopy[]): number =>
  new Set(copies.map(({ code }) => code.toString("hex"))).size;

/**
 * Names whose copies a leak may be, the surest first.
 *
 * @param tries Codes times readings of the whole look-up, also those that it did not come to: whatever it stopped at, the bound on naming
 *   anyone wrongly holds for all of it.
 */
export function candidatesOf({ readings, copies }: VersionReadings, tries: number): Candidate[] {
  const codes = copies.map(({ code }) => codeOf(code));
  const scores = readings.map(({ soft }) => scoresOf([soft], codes));
  return copies
    .map((copy, index) => {
      const best = bestOf(scores.map((each) => each[index] as number));
      const score = scores[best]?.[index] ?? 0;
      return {
        copy,
        score,
        chanceOfError: chanceOfError(score, tries),
        originalSec: readings[best]?.originalSec ?? null,
      };
    })
    .filter(({ copy, chanceOfError }) => chanceOfError <= RISK && wentOut(copy, copies))
    .sort((one, other) => other.score - one.score);
}

/** False for a copy that was only prepared, where one with the same code was delivered. */
const wentOut = (copy: MarkedCopy, copies: readonly MarkedCopy[]): boolean =>
  copy.deliveredAt !== null ||
  !copies.some(({ code, deliveredAt }) => deliveredAt !== null && code.equals(copy.code));

const bestOf = (scores: readonly number[]) => scores.indexOf(Math.max(...scores));
