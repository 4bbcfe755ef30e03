import { fold } from "../kernel/text.ts";
import { type Span, spanOf, tokensOf } from "./text.ts";

/** At most this many words and quotations go to the text search. */
const MAX_TERMS = 24;
/** Not the signs for seconds in `2'30" to 3'15"`. */
const QUOTATION = /(?<!\d'?)"([^"]{2,80})"|“([^”]{2,80})”/g;

/** Words that say how one asks, not what for. */
const FILLER = new Set(
  [
    "a about above after again all also am an and another any anything are around as at be because been before below",
    "bit but by can could did do does dont each else end ends even every few fine for from get give go going good got",
    "great had has have he her here his how i id if im in instead into is it its ideally just keep kind know last",
    "later least less let like little long look looking lot love made make many may maybe me mean might more most",
    "much must my near need needed needs never next nice no none nor not nothing now of off ok okay on one only or",
    "other our out over please possibly put quite rather really right s same say see she should similar so some",
    "someone something somewhere sort sound sounding sounds still stuff style such t take than that thats the their",
    "them then there these they thing things think this those though through to together too track tracks try two under",
    "until up us use used using ve very vibe vibes want wanted wants was way we well were what when where which while",
    "who whole whose why will with without wont would yes yet you your music song songs tune tunes bpm bpms minute",
    "minutes min mins second seconds sec secs key minor major find search show play piece cue brief",
  ]
    .join(" ")
    .split(" "),
);

/** What is left for the text search of a brief once everything else has been read. */
export function findTerms(left: string, quotations: readonly string[]): string[] {
  const words = tokensOf(left)
    .map(({ word }) => fold(word).replace(/'s$/, ""))
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && word.length > 1 && !FILLER.has(word.replaceAll("'", "")));
  return [...new Set([...quotations.map(fold), ...words])].slice(0, MAX_TERMS);
}

/** Finds what is in double quotes: titles and lines, which are looked for as they stand. */
export function findQuotations(text: string): { texts: string[]; spans: Span[] } {
  const matches = [...text.matchAll(QUOTATION)];
  return { texts: matches.map((match) => match[1] ?? match[2] ?? ""), spans: matches.map(spanOf) };
}
