import type { Deps } from "../../kernel/deps.ts";
import type { CategorizedTag, TagSuggestion } from "../tags/model.ts";
import { codesOf, selectSuggestions, tagsOfTracks } from "../tags/service.ts";
import type { SuggestedCategory, SuggestedTags, TrackNotFound } from "./model.ts";
import { findTagging, isOfActiveAudio, type Tagging } from "./queries.ts";
import { MODEL_VERSION } from "./suggest/suggest.ts";
import { useCasesOf } from "./use-cases.ts";

/**
 * Returns what is suggested for an account's track and how far its analysis is. What an earlier version of the audio
 * suggested is not shown once another one is to be analysed.
 */
export function getSuggestedTags(
  { db }: Pick<Deps, "db">,
  ownerId: string,
  trackId: string,
): SuggestedTags | TrackNotFound {
  const track = findTagging(db, ownerId, trackId);
  if (!track) return { ok: false, error: "TRACK_NOT_FOUND" };
  const suggestions = isOfActiveAudio(track) ? selectSuggestions(db, trackId) : [];
  const written = tagsOfTracks(db, [trackId]).get(trackId) ?? [];
  return {
    trackId,
    suggestedTags: namesByCategory(suggestions),
    suggestions,
    needsRetagging:
      track.analysisVersionId !== track.activeVersionId || track.suggestionModel !== MODEL_VERSION,
    analysisStatus: track.analysisStatus,
    modelVersion: track.suggestionModel,
    intelligence: intelligenceOf(track, suggestions, written),
  };
}

function namesByCategory(suggestions: readonly TagSuggestion[]): SuggestedTags["suggestedTags"] {
  const names: SuggestedTags["suggestedTags"] = {};
  for (const { category, name } of suggestions) names[category] = [...(names[category] ?? []), name];
  return names;
}

function intelligenceOf(
  track: Tagging,
  suggestions: readonly TagSuggestion[],
  written: readonly CategorizedTag[],
): SuggestedTags["intelligence"] {
  /** What the owner or the file says stands before what is suggested. */
  const codes = (category: SuggestedCategory) => {
    const own = codesOf(written.filter((tag) => tag.category === category));
    return own.length > 0 ? own : codesOf(suggestions.filter((tag) => tag.category === category));
  };
  const status = statusOf(track, suggestions.length > 0);
  const moodCodes = codes("moods");
  return {
    genreCodes: codes("genres"),
    moodCodes,
    typeCodes: codes("types"),
    instrumentCodes: codes("instruments"),
    useCaseCodes: useCasesOf([...moodCodes, ...codes("movements"), ...codes("characters")], track.bpm),
    status,
    ready: status === "ready",
  };
}

/** `none`: the analysis is done and suggests nothing. */
function statusOf({ analysisStatus }: Tagging, hasSuggestions: boolean) {
  if (analysisStatus === "failed") return "failed";
  if (analysisStatus !== "completed") return "pending";
  return hasSuggestions ? "ready" : "none";
}
