import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { findOwnedTrack, type OwnedTrack } from "../catalog/service.ts";
import { codesOf, selectSuggestions, tagsOfTracks, wireName } from "../tags/service.ts";
import type { CategorizedTag, TagCategory, TagSuggestion } from "../tags/shapes.ts";
import { getLearner } from "./learning/learner.ts";
import { wouldChange } from "./learning/refresh.ts";
import { isOfActiveAudio } from "./queries.ts";
import type { SuggestedCategory, SuggestedTags, TrackNotFound } from "./shapes.ts";
import { useCasesOf } from "./use-cases.ts";

/**
 * Returns the suggestions for an account's track and the status of its analysis. Suggestions from earlier audio are
 * hidden while the new audio waits for its analysis.
 */
export function getSuggestedTags(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  trackId: string,
): SuggestedTags | TrackNotFound {
  const track = findOwnedTrack(db, ownerId, trackId);
  if (!track) return { ok: false, error: "TRACK_NOT_FOUND" };
  const suggestions = isOfActiveAudio(track) ? selectSuggestions(db, trackId) : [];
  const written = tagsOfTracks(db, [trackId]).get(trackId) ?? [];
  return {
    trackId,
    suggestedTags: namesByCategory(suggestions),
    suggestions: suggestions.map(({ category, ...tag }) => ({ category: nameOf(category), ...tag })),
    needsRetagging: isOutdated(db, track, suggestions),
    analysisStatus: track.analysisStatus,
    modelVersion: track.suggestionModel,
    intelligence: intelligenceOf(track, suggestions, written),
  };
}

/** True if the suggestions come from other audio, or from an older model and the newer one disagrees. */
function isOutdated(
  db: Db,
  { id, ownerId, activeVersionId, analysisVersionId, suggestionModel }: OwnedTrack,
  suggestions: readonly TagSuggestion[],
): boolean {
  if (analysisVersionId !== activeVersionId || suggestionModel === null) return true;
  const isNewest = suggestionModel === getLearner(db, ownerId).modelVersion;
  return !isNewest && wouldChange(db, ownerId, id, suggestions);
}

/** Returns the API's name. */
const nameOf = (category: TagCategory) => wireName(category) as SuggestedCategory;

function namesByCategory(suggestions: readonly TagSuggestion[]): SuggestedTags["suggestedTags"] {
  const names: SuggestedTags["suggestedTags"] = {};
  for (const { category, name } of suggestions) {
    const key = nameOf(category);
    names[key] = [...(names[key] ?? []), name];
  }
  return names;
}

function intelligenceOf(
  track: OwnedTrack,
  suggestions: readonly TagSuggestion[],
  written: readonly CategorizedTag[],
): SuggestedTags["intelligence"] {
  /** Written tags take precedence over suggested ones. */
  const codes = (category: TagCategory) => {
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

/** `none` means that the analysis is done and suggests nothing. */
function statusOf({ analysisStatus }: OwnedTrack, hasSuggestions: boolean) {
  if (analysisStatus === "failed") return "failed";
  if (analysisStatus !== "completed") return "pending";
  return hasSuggestions ? "ready" : "none";
}
