import type { Mode, MusicalKey } from "../musical-key.ts";
import type { Mention, TaxonomyTag } from "./lexicon.ts";
import type { VocalPreference } from "./voice.ts";

/** What a brief asks for, as the ranker and the answer need it. Nothing here filters. */
export type Interpretation = {
  /** False: nothing was understood, and the words go to the text search as they are. */
  briefParsed: boolean;
  /** Each wish is met by any one of its tags. */
  wanted: readonly Wish[];
  unwanted: readonly Wish[];
  /** Beats per minute. */
  bpmRange: readonly [min: number, max: number] | null;
  /** Seconds. */
  durationRange: readonly [min: number, max: number] | null;
  key: MusicalKey | null;
  keyMode: Mode | null;
  vocalPreference: VocalPreference | null;
  /** 0 to 1. */
  energy: number | null;
  /** 0 (sad) to 1 (happy). */
  valence: number | null;
  /** ISO 639-1. */
  language: string | null;
  /** As the library spells it where the library has this artist. */
  referenceArtist: string | null;
  /** Words that nothing else has read, for the text search: folded, without filler. Quoted words stay together. */
  terms: readonly string[];
};

/** A place of the brief that asks for a tag, or takes one back. */
export type Wish = { tags: Mention["tags"] };

/** Returns the names of the wishes in one category, without repetitions, in the brief's order. */
export function namesIn(wishes: readonly Wish[], category: TaxonomyTag["category"]): string[] {
  const tags = wishes.flatMap((wish) => wish.tags).filter((tag) => tag.category === category);
  return [...new Set(tags.map(({ entry }) => entry.name))];
}
