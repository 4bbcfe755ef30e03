import { foldTag } from "../../db/taxonomy/fold.ts";
import { isIdiom, meaningOfKey, opensIdiom } from "./lexicon.ts";
import type { Meaning, TaxonomyTag } from "./meaning.ts";
import { countsHere, type Neighbours } from "./neighbours.ts";
import { isWithin, type Span, type Token } from "./text.ts";

/** A place where the brief names tags; the same words may name tags of several categories ("warm"). */
export type Mention = Span & {
  tags: readonly TaxonomyTag[];
  /** The tags that a scene suggests, besides those it names. */
  suggests: readonly TaxonomyTag[];
};

const MAX_WORDS = 6;
const NOTHING: Meaning = { tags: [], suggests: [], care: undefined };

/** A run of words with a meaning: tokens `[from, to)`. */
type Run = { from: number; to: number; meaning: Meaning };

/**
 * Finds every tag that the brief names. The longest name wins: "deep house" is not also "house".
 *
 * @param themes Where the brief describes the lyrics: lyric themes are read only there.
 * @param isForeign In a brief of another language, "rock" and "house" are not ordinary words.
 */
export function findMentions(
  tokens: readonly Token[],
  themes: readonly Span[],
  isForeign: boolean,
): Mention[] {
  const runs = findRuns(tokens, themes);
  return runs.flatMap((run, index) => {
    const [first, last] = [tokens[run.from], tokens[run.to - 1]];
    if (!first || !last) return [];
    const near: Neighbours = { before: runs[index - 1], after: runs[index + 1] };
    const { tags, suggests, care } = run.meaning;
    const isGenre = isForeign && tags.some(({ category }) => category === "genres");
    const counts =
      care === undefined || isGenre || isWithin(themes, first.start) || countsHere(tokens, run, near, care);
    if (!counts || tags.length + suggests.length === 0) return [];
    return [{ start: first.start, end: last.end, tags, suggests }];
  });
}

function findRuns(tokens: readonly Token[], themes: readonly Span[]): Run[] {
  const folded = tokens.map(({ word }) => foldTag(word) || word);
  const runs: Run[] = [];
  let at = 0;
  while (at < tokens.length) {
    const run = longestAt(tokens, folded, at, themes);
    if (run) runs.push(run);
    at = run ? run.to : at + 1;
  }
  return runs;
}

function longestAt(
  tokens: readonly Token[],
  folded: readonly string[],
  from: number,
  themes: readonly Span[],
): Run | undefined {
  const first = tokens[from];
  if (!first) return undefined;
  let to = from + 1;
  while (to < from + MAX_WORDS && tokens[to]?.phrase === first.phrase) to++;
  const isTheme = isWithin(themes, first.start);
  const mayBeIdiom = opensIdiom(first.word);
  let key = folded.slice(from, to).join("");
  for (; to > from; to--) {
    const meaning = readable(meaningOfKey(key), isTheme);
    key = key.slice(0, key.length - (folded[to - 1]?.length ?? 0));
    const isRead = mayBeIdiom && isIdiom(tokens.slice(from, to).map(({ word }) => word));
    if (isRead && !(isTheme && meaning?.tags.some(isLyricTheme))) return { from, to, meaning: NOTHING };
    if (meaning) return { from, to, meaning };
  }
  return undefined;
}

const isLyricTheme = ({ category }: TaxonomyTag): boolean => category === "lyricThemes";

/** Reads lyric themes only where the brief describes the lyrics, and there before anything else. */
function readable(meaning: Meaning | undefined, isTheme: boolean): Meaning | undefined {
  if (!meaning) return undefined;
  const themes = meaning.tags.filter(isLyricTheme);
  if (isTheme && themes.length > 0) return { tags: themes, suggests: [], care: undefined };
  if (themes.length === 0) return meaning;
  const tags = meaning.tags.filter((tag) => !themes.includes(tag));
  return tags.length + meaning.suggests.length > 0 ? { ...meaning, tags } : undefined;
}
