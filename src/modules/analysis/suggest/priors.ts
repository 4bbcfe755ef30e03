import type { TagSuggestion } from "../../tags/model.ts";
import { tagsTaught } from "../tagger/tagger.ts";
import type { FileInfo } from "../task.ts";
import { charactersHeard } from "./characters.ts";
import { genresHeard, genresOfFile } from "./genres.ts";
import { moodsHeard } from "./moods.ts";
import { movementsHeard } from "./movements.ts";
import { type Heard, soundOf } from "./sound.ts";
import { typesNamed } from "./types.ts";
import { vocalsHeard } from "./vocals.ts";

/** Raised when the same recording would be thought of otherwise. */
export const RULES_VERSION = "rules-3";

/** Shorter recordings are sounds, stings and loops: nothing is said of their mood or movement. */
const LEAST_MUSIC_SECONDS = 12;

/** What suggestions are made from. */
export type SuggestionBasis = {
  /** As `summarise` of the audio part gives them. */
  features: Readonly<Record<string, number>>;
  analysis: Heard;
  /** What the file says of itself. */
  embedded: Pick<FileInfo["tags"], "title" | "genres">;
  filename: string;
  /** As `describe` of the audio part gives them; null for silence. */
  descriptors: Float32Array | null;
};

/**
 * Returns what is thought of a recording before an owner has taught anything: every tag that a rule knows with how
 * sure the rule is, what file and title say, and what the small tagger is sure of. What none of them can hear is left
 * out (themes, eras), or too unsure to be suggested (vocals).
 */
export function priorsOf(basis: SuggestionBasis): TagSuggestion[] {
  const surest = new Map<string, TagSuggestion>();
  for (const tag of [...ruled(basis), ...taught(basis)]) {
    const key = `${tag.category} ${tag.id}`;
    if (tag.confidence > (surest.get(key)?.confidence ?? -1)) surest.set(key, tag);
  }
  return [...surest.values()];
}

/** What the small tagger says of music; a genre that the file names stands. */
function taught({ analysis, embedded, descriptors }: SuggestionBasis): TagSuggestion[] {
  if (!descriptors || analysis.durationSec < LEAST_MUSIC_SECONDS) return [];
  const hasGenre = genresOfFile(embedded.genres).length > 0;
  return tagsTaught(descriptors).filter(({ category }) => category !== "genres" || !hasGenre);
}

function ruled({ features, analysis, embedded, filename }: SuggestionBasis): TagSuggestion[] {
  const named = [...genresOfFile(embedded.genres), ...typesNamed([embedded.title ?? "", filename])];
  const sound = soundOf(features, analysis);
  if (!sound || analysis.durationSec < LEAST_MUSIC_SECONDS) return named;
  const hasGenre = named.some(({ category }) => category === "genres");
  return [
    ...named,
    ...(hasGenre ? [] : genresHeard(sound)),
    ...moodsHeard(sound),
    ...movementsHeard(sound),
    ...charactersHeard(sound),
    ...vocalsHeard(features.voiceLikelihood),
  ];
}
