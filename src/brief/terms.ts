import { fold } from "../kernel/text.ts";
import { headsOf } from "./phrases.ts";
import { type Span, spanOf, tokensOf } from "./text.ts";

/** At most this many words and quotations go to the text search. */
const MAX_TERMS = 24;
/** A quotation, but not the signs for seconds in `2'30" to 3'15"`. */
const QUOTATION = /(?<!\d'?)"([^"]{2,80})"|“([^”]{2,80})”/g;

const filler = headsOf("filler");

/** Returns the words left for the text search after everything else has been read. */
export function findTerms(left: string, quotations: readonly string[]): string[] {
  const words = tokensOf(left)
    .map(({ word }) => fold(word).replace(/'s$/, ""))
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && word.length > 1 && !filler.has(word.replaceAll("'", "")));
  return [...new Set([...quotations.map(fold), ...words])].slice(0, MAX_TERMS);
}

/** Finds the text in double quotes: titles and lines, which are searched for exactly. */
export function findQuotations(text: string): { texts: string[]; spans: Span[] } {
  const matches = [...text.matchAll(QUOTATION)];
  return { texts: matches.map((match) => match[1] ?? match[2] ?? ""), spans: matches.map(spanOf) };
}
