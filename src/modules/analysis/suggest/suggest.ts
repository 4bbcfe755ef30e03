import type { TagSuggestion } from "../../tags/model.ts";
import type { FileInfo } from "../task.ts";
import { charactersHeard } from "./characters.ts";
import { genresHeard, genresOfFile } from "./genres.ts";
import { moodsHeard } from "./moods.ts";
import { movementsHeard } from "./movements.ts";
import { type Heard, soundOf } from "./sound.ts";
import { typesNamed } from "./types.ts";

/** Stored with each suggestion; raised when the same recording would get others. */
export const MODEL_VERSION = "rules-1";

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
};

/**
 * Returns the tags that a recording suggests by transparent rules, before an owner has taught anything. What the
 * rules cannot hear is left out and not guessed: vocals, instruments, themes and eras always, anything else where its
 * evidence is weak.
 */
export function suggestTags({ features, analysis, embedded, filename }: SuggestionBasis): TagSuggestion[] {
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
  ];
}
