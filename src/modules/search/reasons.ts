import type { Filter } from "./constraints.ts";
import { languageName } from "./languages.ts";
import type { HitRow } from "./queries.ts";
import { durationReason, tempoReason } from "./signals/ranges.ts";

/** Says which hard constraints a result meets; it has met all of them. */
export function hardReasons({ bpm, key, durationSec }: HitRow, filter: Filter): string[] {
  const { bpmRange, durationRange, hasVocals, language } = filter;
  return [
    bpmRange && tempoReason(bpm, bpmRange),
    filter.key && key ? `in ${key}` : undefined,
    durationRange && durationReason(durationSec, durationRange),
    hasVocals === undefined ? undefined : hasVocals ? "has vocals" : "instrumental",
    language === undefined ? undefined : `sung in ${languageName(language)}`,
  ].filter((reason) => reason !== undefined);
}
