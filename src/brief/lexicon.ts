import { IDIOMS } from "../../db/lexicon.ts";
import { foldTag } from "../../db/taxonomy/fold.ts";
import type { TaxonomyCategory } from "../../db/taxonomy.ts";
import { stemsOf } from "./inflection.ts";
import { buildMeanings } from "./lexicon-build.ts";
import type { Meaning, TaxonomyTag } from "./meaning.ts";

const idioms = new Set(IDIOMS.flatMap(({ forms }) => forms.map(spaced)));
const idiomOpenings = new Set([...idioms].map((idiom) => idiom.split(" ")[0] ?? ""));
const meanings = buildMeanings();

const LEAST_INFLECTED = 4;
const LONG_KEY = 12;
const BEGINNING = 7;
const beginnings = new Set([...meanings.keys()].map((key) => key.slice(0, BEGINNING)));

/** Returns false when the folded text is long and no form begins like it. */
function opensLongForm(key: string): boolean {
  return key.length < LONG_KEY || beginnings.has(key.slice(0, BEGINNING));
}

/** Returns what a text means as a whole, in any spelling, singular or plural; undefined when it is not a form. */
export function meaningOf(text: string): Meaning | undefined {
  return meaningOfKey(foldTag(text));
}

/** Returns what a folded text means; undefined when it is not a form. */
export function meaningOfKey(key: string): Meaning | undefined {
  // Endings do not change the beginning of a long form. Most runs of words begin unlike any form and return here.
  if (!opensLongForm(key)) return undefined;
  const direct = meanings.get(key);
  if (direct || key.length < LEAST_INFLECTED) return direct;
  const known = inflected.get(key);
  if (known !== undefined) return known ?? undefined;
  if (inflected.size >= MOST_REMEMBERED) inflected.clear();
  const found = inflectedMeaning(key);
  inflected.set(key, found ?? null);
  return found;
}

/** Meanings of inflected words, remembered because several readers look up the words of a brief. */
const inflected = new Map<string, Meaning | null>();
const MOST_REMEMBERED = 2048;

function inflectedMeaning(key: string): Meaning | undefined {
  for (const stem of stemsOf(key)) {
    const meaning = meanings.get(stem);
    if (meaning) return meaning;
  }
  const plural = meanings.get(`${key}s`);
  const things = plural?.tags.filter(({ category }) => COUNTED.has(category)) ?? [];
  return plural && things.length > 0 ? { ...plural, tags: things } : undefined;
}

/** Categories of countable things: a plural form in the lexicon also matches its singular. */
const COUNTED: ReadonlySet<TaxonomyCategory> = new Set(["instruments", "vocalTypes"]);

/** Returns the tags that a text names as a whole; empty when it does not name a tag. */
export function tagsNamed(text: string): readonly TaxonomyTag[] {
  return meaningOf(text)?.tags ?? [];
}

/** Returns true when an idiom to skip may begin with the word, in plain text. */
export function opensIdiom(word: string): boolean {
  return idiomOpenings.has(word);
}

/** Returns true when the words, in plain text, are an idiom to skip. */
export function isIdiom(words: readonly string[]): boolean {
  return idioms.has(words.join(" "));
}

function spaced(text: string): string {
  return text.toLowerCase().replace(/[\s-]+/g, " ");
}
