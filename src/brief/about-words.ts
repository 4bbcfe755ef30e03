import { meaningOf } from "./lexicon.ts";
import type { Reading } from "./match.ts";
import { begins, nextOf, spansOf } from "./reading.ts";
import { type Span, spanOf } from "./text.ts";

/** A part of a list, between its signs. */
const ITEM = /(?<=^|[,;|/\n])[\p{L}' -]{4,40}(?=$|[,;.|/\n])/gu;
/** One or two words, also joined on: "love and loss". */
const THEME = /(?<![\p{L}'-])[\p{L}'-]{1,30}(?: (?:and|&|or) [\p{L}'-]{1,30}| [\p{L}'-]{1,30})?$/u;
/** A comma that is not followed by another item of the list. */
const LAST_COMMA = /,(?! [\p{L}']+(?: [\p{L}']+){0,2} ?(?:,|\band\b|$|[.;!?\n]))/u;
/** "A film that is about": so far apart, in characters. */
const REACH = 40;

/** Finds where the brief speaks of the words. `theme music` and `main theme` are not about words. */
export function findThemeSpans(reading: Reading): Span[] {
  return [
    ...spansOf(reading, "subject.opening").flatMap((span) => openingSpan(span, reading)),
    ...closingSpans(reading),
    ...(spansOf(reading, "subject.sung").length > 0 ? loneThemes(reading.text) : []),
  ];
}

/** "male vocal, unrequited love, sweet": where words are sung, a part of the list that can only be their theme. */
function loneThemes(plain: string): Span[] {
  return [...plain.matchAll(ITEM)]
    .filter(([item]) => {
      const meaning = meaningOf(item);
      const isTheme = meaning?.tags.every(({ category }) => category === "lyricThemes");
      return meaning !== undefined && isTheme && meaning.suggests.length === 0;
    })
    .map(spanOf);
}

/** "breakup song": what stands before is the theme. */
function closingSpans(reading: Reading): Span[] {
  const spans: Span[] = [];
  let done = 0;
  for (const { start, end } of spansOf(reading, "subject.closing")) {
    if (!/[ -]/.test(reading.text[start - 1] ?? "")) continue;
    const match = THEME.exec(reading.text.slice(done, start - 1));
    if (!match) continue;
    spans.push({ start: done + match.index, end: start - 1 });
    done = end;
  }
  return spans;
}

function openingSpan({ start, end }: Span, reading: Reading): Span[] {
  const { text } = reading;
  const sentence = Math.max(...[..."|.;!?\n"].map((sign) => text.lastIndexOf(sign, start))) + 1;
  const clause = Math.max(sentence, text.lastIndexOf(",", start) + 1);
  const isPicture = text.slice(start, end) === "about" && isAboutPicture(reading, sentence, start);
  const isOther = isPicture && !hasWithin(reading, "subject.sung", clause, start);
  if (isOther || begins(reading, "subject.measure after", end)) return [];
  // "with the lyrics, dark and slow": a list goes on only where the word itself opens one.
  const stop = text.slice(end).search(/[|.;!?()\n]/);
  const comma = text.slice(end).search(LAST_COMMA);
  const stops = [stop, comma].filter((at) => at !== -1).map((at) => end + at);
  return [{ start: end, end: Math.min(...stops, nextOf(reading, "subject.ends", end)) }];
}

/** A film or a show is about something too, and that is not what the words are about. */
function isAboutPicture(reading: Reading, from: number, to: number): boolean {
  return spansOf(reading, "subject.picture").some(
    ({ start, end }) =>
      start >= from && end <= to && to - end <= REACH && !reading.text.slice(end, to).includes(":"),
  );
}

function hasWithin(reading: Reading, type: string, from: number, to: number): boolean {
  return spansOf(reading, type).some(({ start, end }) => start >= from && end <= to);
}
