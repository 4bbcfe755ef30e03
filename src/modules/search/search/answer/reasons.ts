import { languageName } from "../../../../kernel/languages.ts";
import type { Filter } from "../filters/constraints.ts";
import type { HitRow } from "../queries.ts";
import { durationReason, tempoReason } from "../signals/ranges.ts";
import { availableNames } from "./stated.ts";

/** Lists the hard constraints in words; a result meets all of them. */
export function hardReasons(row: HitRow, filter: Filter): string[] {
  const { key, durationSec } = row;
  const { bpmRange, durationRange, hasVocals, language, availableAs = [], editSec } = filter;
  return [
    bpmRange && tempoReason(row, bpmRange),
    filter.key && key ? `in ${key}` : undefined,
    durationRange && durationReason(durationSec, durationRange),
    hasVocals === undefined ? undefined : voiceReason(row, hasVocals),
    language === undefined ? undefined : `sung in ${languageName(language)}`,
    ...availableNames({ availableAs, edits: editSec ? [editSec] : [] }).map((name) => `${name} available`),
  ].filter((reason) => reason !== undefined);
}

/** Says whether a track has vocals; "heard" marks a measurement, as opposed to a written tag or lyrics. */
export function voiceReason({ isVoiceWritten }: Pick<HitRow, "isVoiceWritten">, hasVoice: boolean): string {
  if (isVoiceWritten === 1) return hasVoice ? "has vocals" : "instrumental";
  return hasVoice ? "a voice is heard" : "no voice is heard";
}
