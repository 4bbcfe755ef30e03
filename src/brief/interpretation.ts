import type { Mode, MusicalKey } from "../kernel/musical-key.ts";
import type { TaxonomyTag } from "./lexicon.ts";
import type { Mention } from "./mentions.ts";
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
  /** Every artist referred to, the first said first; `referenceArtist` is the first one's name. */
  references: readonly NamedReference[];
  /** What the prose states outright, as a number or as "no vocals", so that it may filter. */
  explicit: Explicit;
  /** Words that nothing else has read, for the text search: folded, without filler. Quoted words stay together. */
  terms: readonly string[];
};

/** A place of the brief that asks for a tag, or takes one back. */
export type Wish = {
  /** Any one of them meets the wish. */
  tags: Mention["tags"];
  /** How much it counts, 0 to 1: 0.8 plainly said, 1 after "very" or "must have", 0.5 after "slightly" or "maybe". */
  weight: number;
  /** `prose`: the brief names it. `situation`: its scene suggests it. `artist`: a reference's usual sound. `model`: a
   * language model alone read it so. */
  source: "prose" | "situation" | "artist" | "model";
};

/** An artist that the brief refers to; `resolved` when the library, or the product's own table, knows the name. */
export type NamedReference = { name: string; resolved: boolean };

/** True: the prose gives the number itself, or rules voices out in as many words. */
export type Explicit = { bpmRange: boolean; durationRange: boolean; key: boolean; noVocals: boolean };

/**
 * Returns the names of the wishes in one category, without repetitions, in the brief's order; what only a reference's
 * usual sound suggests is not among them.
 */
export function namesIn(wishes: readonly Wish[], category: TaxonomyTag["category"]): string[] {
  const said = wishes.filter(({ source }) => source !== "artist");
  const tags = said.flatMap((wish) => wish.tags).filter((tag) => tag.category === category);
  return [...new Set(tags.map(({ entry }) => entry.name))];
}
