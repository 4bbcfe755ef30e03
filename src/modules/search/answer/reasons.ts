import { languageName } from "../../../kernel/languages.ts";
import type { Filter } from "../filters/constraints.ts";
import type { HitRow } from "../queries.ts";
import { durationReason, tempoReason } from "../signals/ranges.ts";

/** Says which hard constraints a result meets; it has met all of them. */
export function hardReasons(row: HitRow, filter: Filter): string[] {
  const { bpm, key, durationSec } = row;
  const { bpmRange, durationRange, hasVocals, language } = filter;
  return [
    bpmRange && tempoReason(bpm, bpmRange),
    filter.key && key ? `in ${key}` : undefined,
    durationRange && durationReason(durationSec, durationRange),
    hasVocals === undefined ? undefined : voiceReason(row, hasVocals),
    language === undefined ? undefined : `sung in ${languageName(language)}`,
  ].filter((reason) => reason !== undefined);
}

/** Says whether a track has vocals; what was only measured is told as heard, since nobody wrote it. */
export function voiceReason({ isVoiceWritten }: Pick<HitRow, "isVoiceWritten">, hasVoice: boolean): string {
  if (isVoiceWritten === 1) return hasVoice ? "has vocals" : "instrumental";
  return hasVoice ? "a voice is heard" : "no voice is heard";
}
