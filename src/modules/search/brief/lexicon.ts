import { foldTag } from "../../../../db/taxonomy/fold.ts";
import { TAXONOMY, type TaxonomyCategory, type TaxonomyEntry } from "../../../../db/taxonomy.ts";
import type { Span, Token } from "./text.ts";

/** An entry of the taxonomy with the category it stands in. */
export type TaxonomyTag = { category: TaxonomyCategory; entry: TaxonomyEntry };
/** A place where the brief names tags; the same words may name one in several categories ("warm"). */
export type Mention = Span & { tags: readonly TaxonomyTag[] };

const MAX_WORDS = 5;

/** Folded spelling to tags: names win over aliases; plurals and singulars stand in for each other. */
type Lexicon = ReadonlyMap<string, readonly TaxonomyTag[]>;
let lexicon: Lexicon | undefined;

/** Returns the tags that a text names as a whole, in any spelling; empty when it names none. */
export function tagsNamed(text: string): readonly TaxonomyTag[] {
  lexicon ??= buildLexicon();
  const key = foldTag(text);
  return lexicon.get(key) ?? lexicon.get(key.replace(/s$/, "")) ?? lexicon.get(key.replace(/es$/, "")) ?? [];
}

/** Finds every tag that the brief names, the longest names first: "deep house" is not also "house". */
export function findMentions(plain: string, tokens: readonly Token[]): Mention[] {
  const mentions: Mention[] = [];
  let at = 0;
  while (at < tokens.length) {
    const mention = longestAt(plain, tokens, at);
    if (mention) mentions.push(mention, ...decadeIn(plain, mention));
    at += mention ? tokens.slice(at).findIndex((token) => token.end === mention.end) + 1 : 1;
  }
  return mentions;
}

function longestAt(plain: string, tokens: readonly Token[], at: number): Mention | undefined {
  const first = tokens[at];
  for (let last = Math.min(at + MAX_WORDS, tokens.length) - 1; first && last >= at; last--) {
    const end = tokens[last];
    if (!end || end.phrase !== first.phrase) continue;
    const tags = tagsNamed(plain.slice(first.start, end.end));
    if (tags.length > 0) return { start: first.start, end: end.end, tags };
  }
  return undefined;
}

/** "60s soul" names a genre, and the decade within it too. */
function decadeIn(plain: string, mention: Mention): Mention[] {
  const match = /\b(?:19|20)?\d0'?s\b/.exec(plain.slice(mention.start, mention.end));
  const tags = match ? tagsNamed(match[0]).filter(({ category }) => category === "eras") : [];
  const isNew = tags.length > 0 && !mention.tags.some(({ category }) => category === "eras");
  return isNew ? [{ ...mention, tags }] : [];
}

function buildLexicon(): Lexicon {
  const all = Object.entries(TAXONOMY).flatMap(([category, entries]) =>
    // `Object.entries` forgets the type of its keys.
    entries.map((entry) => ({ category: category as TaxonomyCategory, entry })),
  );
  const built = new Map<string, TaxonomyTag[]>();
  for (const tag of all) add(built, foldTag(tag.entry.name), tag);
  for (const tag of all) for (const alias of tag.entry.aliases ?? []) add(built, foldTag(alias), tag);
  for (const [key, tags] of [...built]) {
    const singular = key.replace(/s$/, "");
    if (singular.length > 3 && !built.has(singular)) built.set(singular, tags);
  }
  return built;
}

/** One spelling names at most one tag of a category: the first that has it. */
function add(built: Map<string, TaxonomyTag[]>, key: string, tag: TaxonomyTag): void {
  const known = built.get(key);
  if (!known) built.set(key, [tag]);
  else if (!known.some(({ category }) => category === tag.category)) known.push(tag);
}
