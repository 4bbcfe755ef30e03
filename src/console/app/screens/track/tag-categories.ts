import type { Track } from "./queries.ts";

/** The categories of tags in the order they show, with their names in suggestions and in the taxonomy. */
export const CATEGORIES = [
  { id: "genres", wire: "genres", taxonomy: "genres", name: "Genres" },
  { id: "moods", wire: "moods", taxonomy: "moods", name: "Moods" },
  { id: "types", wire: "types", taxonomy: "audioTypes", name: "Types" },
  { id: "instruments", wire: "instruments", taxonomy: "instruments", name: "Instruments" },
  { id: "vocals", wire: "vocals", taxonomy: "vocalTypes", name: "Vocals" },
  { id: "lyricThemes", wire: "lyricThemes", taxonomy: "lyricThemes", name: "Lyric themes" },
  { id: "eras", wire: "eras", taxonomy: "eras", name: "Eras" },
  { id: "characters", wire: "characters", taxonomy: "characters", name: "Characters" },
  { id: "movements", wire: "movements", taxonomy: "movements", name: "Movements" },
  { id: "tags", wire: "additionalTags", taxonomy: undefined, name: "Own words" },
] as const;
export type Category = (typeof CATEGORIES)[number];
/** The category of words that the vocabulary does not have. */
export const OWN_WORDS: Category = CATEGORIES[9];

/** Returns the names of a track's tags in a category. */
export function namesOf({ audio_profile }: Track, id: Category["id"]): string[] {
  return (audio_profile[id] as readonly Record<string, { name: string }>[]).flatMap((relation) =>
    Object.values(relation).map(({ name }) => name),
  );
}
