import type { TagSuggestion } from "../../tags/model.ts";
import { tagsTaught } from "../tagger/tagger.ts";
import type { FileInfo } from "../task.ts";
import { charactersOfSound } from "./characters.ts";
import { genresOfFile, genresOfSound } from "./genres.ts";
import { moodsOfSound } from "./moods.ts";
import { movementsOfSound } from "./movements.ts";
import { type Measurements, soundOf } from "./sound.ts";
import { typesNamed } from "./types.ts";
import { vocalsOfSound } from "./vocals.ts";

/** Raise this when the same recording would get other priors. */
export const RULES_VERSION = "rules-3";

/** Shorter recordings are sounds, stings and loops: they get no mood or movement. */
const LEAST_MUSIC_SECONDS = 12;

/** What suggestions are made from. */
export type SuggestionBasis = {
  /** The result of `summarise` in src/audio. */
  features: Readonly<Record<string, number>>;
  analysis: Measurements;
  /** The file's own tags. */
  embedded: Pick<FileInfo["tags"], "title" | "genres">;
  filename: string;
  /** The result of `describe` in src/audio; null for silence. */
  descriptors: Float32Array | null;
  /** What `createEars` of src/ears heard; null for silence, short sounds, and tracks that were analysed before. */
  heard: Float32Array | null;
};

/**
 * Returns the tags expected on a recording before any learning: every tag that has a rule, with the rule's confidence,
 * what the file and its title say, and what the small tagger is sure of. Tags that none of these can detect are left out
 * (themes, eras) or too uncertain to suggest (vocals).
 */
export function priorsOf(basis: SuggestionBasis): TagSuggestion[] {
  const surest = new Map<string, TagSuggestion>();
  for (const tag of [...ruled(basis), ...taught(basis)]) {
    const key = `${tag.category} ${tag.id}`;
    if (tag.confidence > (surest.get(key)?.confidence ?? -1)) surest.set(key, tag);
  }
  return [...surest.values()];
}

/** Returns the small tagger's tags for music, without genres if the file names one. */
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
    ...(hasGenre ? [] : genresOfSound(sound)),
    ...moodsOfSound(sound),
    ...movementsOfSound(sound),
    ...charactersOfSound(sound),
    ...vocalsOfSound(features.voiceLikelihood),
  ];
}
