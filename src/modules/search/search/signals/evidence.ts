import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import type { Measured } from "../../../../kernel/measures.ts";
import type { HitRow } from "../queries.ts";

/** A tag of a track, and how much it counts: 1 for a written tag, less for a suggested one. */
export type FoundTag = { id: string; trust: number };

/** The stored facts about a track in the results: the only source of reasons. */
export type Facts = Measured & {
  slot: number;
  row: HitRow;
  tags: readonly FoundTag[];
  voice: 0 | 1 | null;
  /** Number from `languageNumber`. */
  language: number;
  /** When a tag is first heard, in seconds; undefined where that is not known, and for what is there from the start. */
  heardFrom: (tag: TaxonomyTag) => number | undefined;
};

/** One kind of evidence for or against tracks. */
export type Evidence = {
  /** How much it counts relative to the others; 0 for evidence against a track. */
  weight: number;
  /** 0 to 1. */
  scoreOf: (facts: Facts) => number;
  /** Says why a track scored; undefined when this evidence gave it nothing worth mentioning. */
  explain: (facts: Facts) => string | undefined;
};

/** Lower scores are not worth a reason. */
export const WORTH_SAYING = 0.5;

/** Returns the reasons of a track, the heaviest first, without repetitions. */
export function reasonsOf(evidence: readonly Evidence[], facts: Facts): string[] {
  const reasons = evidence
    .map(({ weight, scoreOf, explain }) => ({ share: weight * scoreOf(facts), text: explain(facts) }))
    .toSorted((a, b) => b.share - a.share)
    .flatMap(({ text }) => text ?? []);
  return [...new Set(reasons)];
}
