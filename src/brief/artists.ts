import { ARTISTS } from "../../db/lexicon.ts";
import { findTag } from "../../db/taxonomy.ts";
import { fold } from "../kernel/text.ts";
import type { TaxonomyTag } from "./meaning.ts";

/** A widely known artist. */
export type KnownArtist = {
  name: string;
  /** The sound the artist is known for. */
  sound: readonly TaxonomyTag[];
  /**
   * True when the name is also an ordinary word. It is then read only with a capital and after a lead such as "like".
   */
  isOrdinary: boolean;
};

/** Known artists by name; the first line with a name counts. */
const known = new Map(
  ARTISTS.flatMap(({ heads, forms }) => forms.map((form) => entryOf(heads, form))).toReversed(),
);
const firstWords = new Set([...known.keys()].map((key) => key.split(" ")[0] ?? ""));

/** Returns true when a known artist's name begins with this word. */
export function opensName(word: string): boolean {
  const key = keyOf(word);
  return key === "the" || firstWords.has(key) || firstWords.has(key.replace(/s$/, ""));
}

/** The number of words in the longest name. */
export const LONGEST_NAME = Math.max(...[...known.keys()].map((key) => key.split(" ").length));

/** Returns the known artist with this name, ignoring case, accents and article; undefined for an unknown name. */
export function knownArtist(name: string): KnownArtist | undefined {
  const key = keyOf(name);
  const artist = known.get(key) ?? known.get(key.replace(/^the /, ""));
  const isBare = artist !== undefined && /^The \S+$/.test(artist.name) && !key.startsWith("the ");
  // "The Roots" is a name, but "roots" is a word.
  return isBare ? { ...artist, isOrdinary: true } : artist;
}

function entryOf(heads: readonly string[], form: string): [string, KnownArtist] {
  const name = form
    .replace(/^!/, "")
    .replace(/ (?:band|singer|rapper|dj|producer|group|lofi|electronic|early|remix|artists)$/, "");
  const sound = heads.map((head) => {
    const entry = findTag("genres", head);
    if (!entry)
      throw new Error(`The lexicon of artists names a genre that the taxonomy does not have: ${head}`);
    return { category: "genres", entry } as const;
  });
  const isSuffixed = name !== form.replace(/^!/, "");
  return [keyOf(name).replace(/^the /, ""), { name, sound, isOrdinary: form.startsWith("!") || isSuffixed }];
}

function keyOf(name: string): string {
  const lower = name.toLowerCase();
  if (/^[a-z]+$/.test(lower)) return lower;
  return fold(name)
    .replace(/ø/g, "o")
    .replace(/&/g, "and")
    .replace(/[^\p{L}\p{N}$+ -]/gu, "")
    .replace(/[\s-]+/g, " ")
    .trim();
}
