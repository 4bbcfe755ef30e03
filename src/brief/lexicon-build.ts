import { CAREFUL, IDIOMS, type LexiconLine, SITUATIONS, TAG_WORDS } from "../../db/lexicon.ts";
import { foldTag } from "../../db/taxonomy/fold.ts";
import { TAXONOMY, type TaxonomyCategory } from "../../db/taxonomy.ts";
import { stemsOf } from "./inflection.ts";
import type { Care, Meaning, TaxonomyTag } from "./meaning.ts";

type Builder = { tags: TaxonomyTag[]; suggests: TaxonomyTag[] };

const all: readonly TaxonomyTag[] = Object.entries(TAXONOMY).flatMap(([category, entries]) =>
  // `Object.entries` loses the type of its keys.
  entries.map((entry) => ({ category: category as TaxonomyCategory, entry })),
);
const byName = new Map(all.map((tag) => [`${tag.category}/${tag.entry.name}`, tag]));
function careOf(head: string | undefined): Care {
  if (head === "alone" || head === "degree" || head === "listed") return head;
  return "music";
}

const care = new Map<string, Care>(
  CAREFUL.flatMap(({ heads, forms }) => forms.map((form) => [foldTag(form), careOf(heads[0])] as const)),
);
/** Returns the meaning of each folded form: the taxonomy's names and aliases, the words for tags, the scenes. */
export function buildMeanings(): ReadonlyMap<string, Meaning> {
  const built = new Map<string, Builder>();
  const at = (key: string): Builder => {
    const known = built.get(key) ?? { tags: [], suggests: [] };
    built.set(key, known);
    return known;
  };
  addWritten(at);
  // Names before aliases before other words: within a category, a form means only the first tag that has it.
  for (const tag of all) addTag(at(foldTag(tag.entry.name)), tag);
  for (const tag of all) for (const alias of tag.entry.aliases ?? []) addTag(at(foldTag(alias)), tag);
  forEachForm(TAG_WORDS, (form, tags) => {
    const [tag] = tags;
    if (tag && tags.length === 1 && !saysNoMore(built, form, tag)) addTag(at(foldTag(form)), tag);
  });
  keepDescriptions(built);
  addGenresOfInstruments(built);
  addMoodsOfGenres(built);
  for (const { heads, forms } of SITUATIONS) {
    const tags = heads.map(suggestedTag);
    for (const form of forms) suggest(at(foldTag(form)), tags);
  }
  return new Map(
    [...built].map(([key, { tags, suggests }]) => [key, { tags, suggests, care: care.get(key) }]),
  );
}

/** Adds the mood to genres such as "epic orchestral" and "uplifting trance". */
function addMoodsOfGenres(built: ReadonlyMap<string, Builder>): void {
  for (const { category, entry } of all) {
    const [first, ...rest] = entry.name.split(/[ -]/);
    if (category !== "genres" || rest.length === 0 || care.has(foldTag(first ?? ""))) continue;
    const mood = built.get(foldTag(first ?? ""))?.tags.find((tag) => tag.category === "moods");
    const genre = built.get(foldTag(entry.name));
    if (mood && genre) addTag(genre, mood);
  }
}

/** Adds the genre to "metal guitars" and "shoegaze guitars", but not to "jazz guitar", the name of a tag. */
function addGenresOfInstruments(built: ReadonlyMap<string, Builder>): void {
  for (const { forms } of TAG_WORDS.instruments)
    for (const form of forms) {
      const [first, ...rest] = form.split(" ");
      // A "latin choir" sings in Latin, which is not the genre.
      const genre =
        rest.length > 0 && rest[0] !== "choir"
          ? built.get(foldTag(first ?? ""))?.tags.find(({ category }) => category === "genres")
          : undefined;
      const entry = built.get(foldTag(form));
      if (genre && entry) addTag(entry, genre);
    }
}

/** "pulsing strings" says no more than "pulsing" and "strings" together, and would hide one of them. */
function saysNoMore(built: ReadonlyMap<string, Builder>, form: string, tag: TaxonomyTag): boolean {
  const words = form.split(/[\s-]+/);
  return words.slice(1).some((_, index) => {
    const [first, rest] = [
      built.get(foldTag(words.slice(0, index + 1).join(""))),
      built.get(foldTag(words.slice(index + 1).join(""))),
    ];
    if (!first || !rest || first.tags.length === 0 || rest.tags.length === 0) return false;
    return (
      first.tags.some(({ entry }) => entry.id === tag.entry.id) !==
      rest.tags.some(({ entry }) => entry.id === tag.entry.id)
    );
  });
}

const DESCRIBED: readonly TaxonomyCategory[] = ["instruments", "vocalTypes"];
const DESCRIBING: ReadonlySet<TaxonomyCategory> = new Set(["moods", "characters"]);

/**
 * Keeps the meaning of a description before a thing: removes "epic choirs", which has a word for each, and adds the mood
 * to "epic drums", which are a drum of their own.
 */
function keepDescriptions(built: Map<string, Builder>): void {
  for (const category of DESCRIBED)
    for (const { heads, forms } of [...TAG_WORDS[category], ...aliasesIn(category)])
      for (const form of heads.length > 1 ? [] : forms) keepDescription(built, form, heads[0] ?? "");
}

function keepDescription(built: Map<string, Builder>, form: string, name: string): void {
  const [word = "", ...others] = form.split(/[\s-]+/);
  const description = findForm(built, [word])?.tags.find((tag) => DESCRIBING.has(tag.category));
  const entry = built.get(foldTag(form));
  if (others.length === 0 || !description || !entry) return;
  if (findForm(built, others)?.tags.some((tag) => tag.entry.name === name)) built.delete(foldTag(form));
  else if (description.category === "moods") addTag(entry, description);
}

function aliasesIn(category: TaxonomyCategory): LexiconLine[] {
  return TAXONOMY[category].map(({ name, aliases = [] }) => ({ heads: [name], forms: aliases }));
}

function findForm(built: ReadonlyMap<string, Builder>, words: readonly string[]): Builder | undefined {
  const key = foldTag(words.join(""));
  return [key, ...stemsOf(key)].map((form) => built.get(form)).find((entry) => entry !== undefined);
}

/** Adds lines with several tags; such a line is complete for its categories. */
function addWritten(at: (key: string) => Builder): void {
  forEachForm(TAG_WORDS, (form, tags) => {
    if (tags.length > 1) at(foldTag(form)).tags.push(...tags);
  });
}

/** Adds the tags that a scene suggests; they stay mere suggestions even when a tag has the same alias. */
function suggest(entry: Builder, tags: readonly TaxonomyTag[]): void {
  if (entry.suggests.length === 0) entry.suggests.push(...tags);
  entry.tags = entry.tags.filter((tag) => !tags.includes(tag));
}

function addTag({ tags }: Builder, tag: TaxonomyTag): void {
  if (!tags.some(({ category }) => category === tag.category)) tags.push(tag);
}

function forEachForm(
  files: Readonly<Record<string, readonly LexiconLine[]>>,
  use: (form: string, tags: readonly TaxonomyTag[]) => void,
): void {
  for (const [category, lines] of Object.entries(files))
    for (const { heads, forms } of lines) {
      const tags = heads.map((head) => namedTag(`${category}/${head}`));
      for (const form of forms) use(form, tags);
    }
}

function suggestedTag(head: string): TaxonomyTag {
  if (head.includes("/")) return namedTag(head);
  return byName.get(`moods/${head}`) ?? namedTag(`movements/${head}`);
}

function namedTag(path: string): TaxonomyTag {
  const tag = byName.get(path);
  if (!tag) throw new Error(`The lexicon names a tag that the taxonomy does not have: ${path}`);
  return tag;
}

/** Returns every form of one word, as targets for typo corrections. */
export function singleWords(): string[] {
  return tagForms()
    .filter((form) => /^\p{L}+$/u.test(form))
    .map((form) => form.toLowerCase());
}

/** Returns every word that occurs in a form, for telling typos from words. */
export function wordsInForms(): string[] {
  const situations = SITUATIONS.flatMap(({ forms }) => [...forms]);
  const read = IDIOMS.flatMap(({ forms }) => [...forms]);
  return [...tagForms(), ...situations, ...read].flatMap(
    (form) => form.toLowerCase().match(/\p{L}+/gu) ?? [],
  );
}

function tagForms(): string[] {
  const named = all.flatMap(({ entry }) => [entry.name, ...(entry.aliases ?? [])]);
  return [...named, ...Object.values(TAG_WORDS).flatMap((lines) => lines.flatMap(({ forms }) => [...forms]))];
}
