import type { Mode, MusicalKey } from "../kernel/musical-key.ts";
import type { LibraryFilters } from "./library-filters.ts";
import type { TaxonomyTag } from "./meaning.ts";
import type { Mention } from "./mentions.ts";
import type { Move } from "./moves.ts";
import type { Ordering } from "./ordering.ts";
import type { Seed } from "./seed.ts";
import type { Span } from "./text.ts";
import type { UnreadWord } from "./unread.ts";
import type { VocalPreference } from "./voice.ts";

/** What a brief asks for, in the form that the ranker and the answer need. Only `filters` filters. */
export type Interpretation = {
  /** False when the parser understood nothing; the words then go to the text search unchanged. */
  briefParsed: boolean;
  /** Any one of its tags meets a wish. */
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
  /** In the library's spelling if the library has this artist. */
  referenceArtist: string | null;
  /** Every artist referred to, in the brief's order; `referenceArtist` is the first one's name. */
  references: readonly NamedReference[];
  /** The library's own tracks and artists that it names, in its order: "more like Harbour". */
  seeds: readonly Seed[];
  /** How the wish differs from the seeds: "but slower". */
  moves: readonly Move[];
  /** What the prose states outright, as a number or as "no vocals", and which may therefore filter. */
  explicit: Explicit;
  /** What comes first, where the brief says it; null: what fits best. */
  ordering: Ordering | null;
  /** What the brief says about uploads, tags and plays. */
  filters: LibraryFilters;
  /** A line of lyrics as it is remembered: the one that goes so. */
  line: string | null;
  /** It asks for anything at all. */
  isOpen: boolean;
  /** What it asks for that search cannot look at, as the lexicon calls it. */
  unasked?: readonly string[];
  /** The pieces of the query that were understood, in its order. */
  said: readonly Said[];
  /** The words that nothing was made of, without words of grammar. */
  unread: readonly UnreadWord[];
  /** The remaining words, for the text search: folded, without filler. Quoted words stay together. */
  terms: readonly string[];
};

/** What a piece of the brief says, apart from tags. */
export type Measure =
  | "tempo"
  | "length"
  | "key"
  | "language"
  | "vocals"
  | "reference"
  | "energy"
  | "order"
  | "filter"
  | "available"
  | "unasked"
  | "lyrics";

/** A piece of the brief that was understood, and where it is in the brief as it was written. */
export type Said = {
  /** A wish for tags, or what else the words give. */
  about: Wish | Move | Measure;
  /** The name of a reference, of a filter or of what must be available, a line of lyrics; "high" or "low" energy. */
  name?: string;
  isUnwanted: boolean;
  /** In order, without overlaps. */
  spans: readonly Span[];
};

/** A place in the brief that asks for a tag or rejects one. */
export type Wish = {
  /** Any one of them meets the wish. */
  tags: Mention["tags"];
  /** How much it counts, 0 to 1: 0.8 when stated plainly, 1 after "very" or "must have", 0.5 after "slightly". */
  weight: number;
  /**
   * `prose`: the brief names it. `situation`: its scene suggests it. `artist`: a reference's usual sound. `seed`: the
   * tracks that it names share it. `model`: only a language model found it.
   */
  source: "prose" | "situation" | "artist" | "seed" | "model";
  /** Where the corrected brief says it; absent where no words of the brief do. */
  spans?: readonly Span[];
};

/** An artist that the brief refers to; `resolved` when the library or the built-in list knows the name. */
export type NamedReference = { name: string; resolved: boolean };

/** True where the prose gives the number itself, or rules out voices explicitly. */
export type Explicit = { bpmRange: boolean; durationRange: boolean; key: boolean; noVocals: boolean };

/**
 * Returns the names of the wishes in one category, without repetitions, in the brief's order. It leaves out wishes that
 * come only from a reference's usual sound.
 */
export function namesIn(wishes: readonly Wish[], category: TaxonomyTag["category"]): string[] {
  const said = wishes.filter(({ source }) => source !== "artist");
  const tags = said.flatMap((wish) => wish.tags).filter((tag) => tag.category === category);
  return [...new Set(tags.map(({ entry }) => entry.name))];
}
