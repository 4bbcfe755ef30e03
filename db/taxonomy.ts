import { AUDIO_TYPES } from "./taxonomy/audio-types.ts";
import { CHARACTERS } from "./taxonomy/characters.ts";
import type { TaxonomyEntry } from "./taxonomy/define.ts";
import { ERAS } from "./taxonomy/eras.ts";
import { GENRES } from "./taxonomy/genres.ts";
import { INSTRUMENTS } from "./taxonomy/instruments.ts";
import { LYRIC_THEMES } from "./taxonomy/lyric-themes.ts";
import { MOODS } from "./taxonomy/moods.ts";
import { MOVEMENTS } from "./taxonomy/movements.ts";
import { TEMPOS } from "./taxonomy/tempos.ts";
import { VOCAL_TYPES } from "./taxonomy/vocal-types.ts";

export type { TaxonomyEntry } from "./taxonomy/define.ts";
export { foldTag } from "./taxonomy/fold.ts";
export { mapGenre, mapGenres } from "./taxonomy/map-genre.ts";
export { tempoForBpm } from "./taxonomy/tempos.ts";

/** Change it with every change to the tags below: a seeded library then knows when to seed again. */
export const TAXONOMY_VERSION = "2";

/** The ten tag categories, in display order. */
export const CATEGORIES = [
  "genres",
  "moods",
  "instruments",
  "vocalTypes",
  "lyricThemes",
  "audioTypes",
  "tempos",
  "eras",
  "characters",
  "movements",
] as const;

/** Key of a tag category. */
export type TaxonomyCategory = (typeof CATEGORIES)[number];

/** Every tag that the product ships with, in display order. */
export const TAXONOMY: Readonly<Record<TaxonomyCategory, readonly TaxonomyEntry[]>> = {
  genres: GENRES,
  moods: MOODS,
  instruments: INSTRUMENTS,
  vocalTypes: VOCAL_TYPES,
  lyricThemes: LYRIC_THEMES,
  audioTypes: AUDIO_TYPES,
  tempos: TEMPOS,
  eras: ERAS,
  characters: CHARACTERS,
  movements: MOVEMENTS,
};

const ENTRY_BY_ID = new Map<string, TaxonomyEntry>();
const ENTRY_BY_NAME = new Map<string, TaxonomyEntry>();

for (const category of CATEGORIES) {
  for (const tag of TAXONOMY[category]) {
    ENTRY_BY_ID.set(tag.id, tag);
    ENTRY_BY_NAME.set(nameKey(category, tag.name), tag);
  }
}

function nameKey(category: TaxonomyCategory, name: string): string {
  return `${category} ${name.toLowerCase()}`;
}

/** Returns the tag with that name in a category, ignoring case; aliases and other spellings do not count. */
export function findTag(category: TaxonomyCategory, name: string): TaxonomyEntry | undefined {
  return ENTRY_BY_NAME.get(nameKey(category, name));
}

/** Returns the tag with that id, or undefined. */
export function tagById(id: string): TaxonomyEntry | undefined {
  return ENTRY_BY_ID.get(id);
}
