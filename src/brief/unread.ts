import { type LexiconLine, SMALL_WORDS, TYPED_WORDS } from "../../db/lexicon.ts";
import { fold } from "../kernel/text.ts";
import { alignment } from "./alignment.ts";
import { tokensOf } from "./text.ts";

/** A word that no reader of the brief took: folded for the text search, and as the query has it. */
export type UnreadWord = { word: string; written: string };

/** The topics of the lexicon whose words only say how others are meant. */
const TOPICS = new Set([
  "filler",
  "negation",
  "comparison",
  "strength",
  "reference",
  "voice",
  "number",
  "unit",
]);

const small = new Set([
  ...SMALL_WORDS.flatMap(({ forms }) => forms.map(fold)),
  ...Object.values(TYPED_WORDS)
    .flatMap((topics) =>
      Object.entries<readonly LexiconLine[]>(topics).filter(([topic]) => TOPICS.has(topic)),
    )
    .flatMap(([, lines]) => lines.flatMap(({ forms }) => forms.flatMap((form) => wordsOfForm(fold(form))))),
]);

function wordsOfForm(form: string): string[] {
  return form.replace(/<[^>]*>/g, " ").match(/\p{L}+(?:'\p{L}+)*/gu) ?? [];
}

/** True for a word of grammar, in any language that briefs are read in. */
export const isSmallWord = (word: string): boolean => small.has(word) || small.has(word.replaceAll("'", ""));

/**
 * Returns the words that nothing was made of, in the order of the query, each once. Words of grammar are left out.
 *
 * @param left The corrected text with everything marked that was read.
 */
export function findUnread(left: string, { text, query }: { text: string; query: string }): UnreadWord[] {
  const place = alignment(text, query);
  const found = new Map<string, UnreadWord>();
  for (const { word, start, end } of tokensOf(left)) {
    const folded = fold(word).replace(/'s$/, "");
    if (!/[\p{L}\p{N}]/u.test(folded) || isSmallWord(folded) || found.has(folded)) continue;
    const span = place({ start, end });
    found.set(folded, { word: folded, written: span ? query.slice(span.start, span.end) : word });
  }
  return [...found.values()];
}
