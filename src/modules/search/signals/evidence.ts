import type { HitRow } from "../queries.ts";

/** A tag of a track, and how much it counts: 1 where somebody wrote it, less where it is suggested. */
export type FoundTag = { id: string; trust: number };

/** What is stored about a track that a search returns: reasons are made from this and nothing else. */
export type Facts = {
  slot: number;
  row: HitRow;
  tags: readonly FoundTag[];
  /** 0 to 1. */
  energy: number | null;
  voice: 0 | 1 | null;
  /** Of `languageNumber`. */
  language: number;
};

/** One thing that spoke for tracks, or against them. */
export type Evidence = {
  /** How much it counts beside the others; of what speaks against a track, 0. */
  weight: number;
  /** 0 to 1. */
  scoreOf: (facts: Facts) => number;
  /** Says why a track scored, or undefined when this gave it nothing worth saying. */
  explain: (facts: Facts) => string | undefined;
};

/** Scores below this are not worth a reason. */
export const WORTH_SAYING = 0.5;

/** Returns the reasons of a track, the heaviest first, without repetitions. */
export function reasonsOf(evidence: readonly Evidence[], facts: Facts): string[] {
  const reasons = evidence
    .map(({ weight, scoreOf, explain }) => ({ share: weight * scoreOf(facts), text: explain(facts) }))
    .toSorted((a, b) => b.share - a.share)
    .flatMap(({ text }) => text ?? []);
  return [...new Set(reasons)];
}
