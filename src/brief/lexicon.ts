import { IDIOMS } from "../../db/lexicon.ts";
import { foldTag } from "../../db/taxonomy/fold.ts";
import type { TaxonomyCategory, TaxonomyEntry } from "../../db/taxonomy.ts";
import { stemsOf } from "./inflection.ts";
import { buildMeanings } from "./lexicon-build.ts";

/** An entry of the taxonomy with the category it stands in. */
export type TaxonomyTag = { category: TaxonomyCategory; entry: TaxonomyEntry };

/** What a form means. */
export type Meaning = {
  tags: readonly TaxonomyTag[];
  /** What a scene suggests, where the form names one. */
  suggests: readonly TaxonomyTag[];
  /** In which company an ordinary word counts; undefined: always. */
  care: Care | undefined;
};

/**
 * `alone`: only about the music as such. `music`: beside any other word of music too. `listed`: only as an item of a
 * list.
 */
export type Care = "alone" | "music" | "listed";

const idioms = new Set(IDIOMS.flatMap(({ forms }) => forms.map(spaced)));
const idiomOpenings = new Set([...idioms].map((idiom) => idiom.split(" ")[0] ?? ""));
const meanings = buildMeanings();

const LEAST_INFLECTED = 4;
const LONG_KEY = 12;
const BEGINNING = 7;
const beginnings = new Set([...meanings.keys()].map((key) => key.slice(0, BEGINNING)));

/** False: the folded text is long and begins as no form does. */
function opensLongForm(key: string): boolean {
  return key.length < LONG_KEY || beginnings.has(key.slice(0, BEGINNING));
}

/** Returns what a text means as a whole, in any spelling, singular or plural; undefined when it is no form. */
export function meaningOf(text: string): Meaning | undefined {
  return meaningOfKey(foldTag(text));
}

/** Returns what a folded text means; undefined when it is no form. */
export function meaningOfKey(key: string): Meaning | undefined {
  // Endings leave the beginning of a long form as it is: most runs of words begin like no form, and are done here.
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

/** Words of which the forms are known: a brief's words are looked up by several readers. */
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

/** Categories of things that there can be one of. */
const COUNTED: ReadonlySet<TaxonomyCategory> = new Set(["instruments", "vocalTypes"]);

/** Returns the tags that a text names as a whole; empty when it names none. */
export function tagsNamed(text: string): readonly TaxonomyTag[] {
  return meaningOf(text)?.tags ?? [];
}

/** True when a phrase to be read over may begin with the word, in plain text. */
export function opensIdiom(word: string): boolean {
  return idiomOpenings.has(word);
}

/** True when the words, in plain text, are a phrase to be read over. */
export function isIdiom(words: readonly string[]): boolean {
  return idioms.has(words.join(" "));
}

function spaced(text: string): string {
  return text.toLowerCase().replace(/[\s-]+/g, " ");
}
