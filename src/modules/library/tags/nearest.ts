import {
  CATEGORIES,
  findTag,
  TAXONOMY,
  type TaxonomyCategory,
  type TaxonomyEntry,
} from "../../../../db/taxonomy.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { fold } from "../../../kernel/text.ts";
import { TAXONOMY_CATEGORY } from "./names.ts";
import type { TagCategory } from "./shapes.ts";

/** How many tags are offered in place of an unknown one. */
const OFFERED = 3;
/** The most unknown names that are answered with offers, which bounds the work of a hostile request. */
const MOST_NAMES = 30;
const MAX_CHARACTERS = 60;

/** What a tag scores when the name means it, and when it is related to such a tag. */
const MEANT = 3;
const RELATED = 2;

type Unknown = Readonly<Partial<Record<TagCategory, readonly string[]>>>;
/** The tags to use in place of unknown ones: by category, then by the name sent. */
type Nearest = Record<string, Record<string, string[]>>;
type Meant = (name: string) => readonly { category: TaxonomyCategory; entry: TaxonomyEntry }[];

/**
 * Adds to a refusal the tags that are nearest to each unknown name, by what it means and by how it is spelled:
 * `data.nearest`, beside `data.unknown`. Any other error is returned as it is.
 */
export async function withNearest(error: unknown): Promise<unknown> {
  if (!(error instanceof DomainError) || error.data?.unknown === undefined) return error;
  const nearest = nearestTags(error.data.unknown as Unknown, await loadMeanings());
  return new DomainError(error.code, error.message, { data: { ...error.data, nearest } });
}

/**
 * Returns the tags of any category that are nearest to each of the names that the taxonomy does not have; undefined when
 * it has all of them.
 */
export async function nearestToUnknown(
  names: readonly string[],
): Promise<Record<string, string[]> | undefined> {
  const unknown = names.filter((name) => !CATEGORIES.some((category) => findTag(category, name)));
  if (unknown.length === 0) return undefined;
  const meant = await loadMeanings();
  return Object.fromEntries(
    unknown.slice(0, MOST_NAMES).map((name) => [name, offersFor(CATEGORIES, name, meant)]),
  );
}

/** The word lists are large, and only a request with an unknown tag needs them. */
async function loadMeanings(): Promise<Meant> {
  const [{ tagsNamed }, { intoEnglish }, { correctTypos }] = await Promise.all([
    import("../../../brief/lexicon.ts"),
    import("../../../brief/glossary.ts"),
    import("../../../brief/typos.ts"),
  ]);
  return (name) => [...tagsNamed(name), ...tagsNamed(intoEnglish(correctTypos(name)).text)];
}

function nearestTags(unknown: Unknown, meant: Meant): Nearest {
  const nearest: Nearest = {};
  let left = MOST_NAMES;
  for (const [category, names] of Object.entries(unknown) as [keyof typeof TAXONOMY_CATEGORY, string[]][]) {
    const wanted = [TAXONOMY_CATEGORY[category]];
    const offers = names.slice(0, left).map((name) => [name, offersFor(wanted, name, meant)] as const);
    left -= offers.length;
    nearest[category] = Object.fromEntries(offers);
  }
  return nearest;
}

function offersFor(wanted: readonly TaxonomyCategory[], sent: string, meant: Meant): string[] {
  const name = sent.slice(0, MAX_CHARACTERS);
  const pairs = pairsIn(name);
  const scored = wanted.flatMap((category) => {
    const scores = scoresByMeaning(category, name, meant);
    return TAXONOMY[category].map((entry) => ({
      entry,
      score: (scores.get(entry.code) ?? 0) + spelledAlike(pairs, entry),
    }));
  });
  const best = scored.sort((a, b) => b.score - a.score || a.entry.order - b.entry.order);
  return [...new Set(best.slice(0, 2 * OFFERED).map(({ entry }) => entry.name))].slice(0, OFFERED);
}

/** Returns what the tags score that the name, or a word of it, means, and those that are related to them. */
function scoresByMeaning(wanted: TaxonomyCategory, name: string, meant: Meant): Map<string, number> {
  const scores = new Map<string, number>();
  const raise = (code: string, score: number) => scores.set(code, Math.max(score, scores.get(code) ?? 0));
  const words = name.split(/[\s/_-]+/).filter((word) => word.length > 2);
  for (const text of [name, ...words]) {
    const weight = text === name ? 1 : 0.5;
    for (const { code, related = [], parent } of namedBy(wanted, text, meant)) {
      raise(code, MEANT * weight);
      for (const other of [...related, parent ?? code]) raise(other, RELATED * weight);
    }
  }
  return scores;
}

/** Returns the tags of a category that a text names. */
function namedBy(wanted: TaxonomyCategory, text: string, meant: Meant): TaxonomyEntry[] {
  const named = meant(text).flatMap(({ category, entry }) => (category === wanted ? [entry] : []));
  const own = findTag(wanted, text);
  return own ? [own, ...named] : named;
}

/** Returns how alike the spellings are, 0 to 1: by the pairs of letters that the nearest alias and the name share. */
function spelledAlike(pairs: ReadonlySet<string>, { name, aliases = [] }: TaxonomyEntry): number {
  return Math.max(...[name, ...aliases].map((spelling) => likeness(pairs, pairsIn(spelling))));
}

/** A name that is part of the other counts too, such as the beginning of a word. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = one.intersection(other).size;
  const [all, fewest] = [one.size + other.size, Math.min(one.size, other.size)];
  return fewest === 0 ? 0 : (0.7 * 2 * shared) / all + (0.3 * shared) / fewest;
}

/** Returns the pairs of letters that follow each other, with the beginnings and ends of words. */
function pairsIn(text: string): Set<string> {
  const spaced = ` ${fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
  return new Set(Array.from({ length: spaced.length - 1 }, (_, at) => spaced.slice(at, at + 2)));
}
