import { meaningOf } from "./lexicon.ts";
import type { Reading } from "./match.ts";
import { begins, nextOf, spansOf } from "./reading.ts";
import { type Span, spanOf } from "./text.ts";

/** An item of a list, between its separators. */
const ITEM = /(?<=^|[,;|/\n])[\p{L}' -]{4,40}(?=$|[,;.|/\n])/gu;
/** One or two words, or two joined by a conjunction: "love and loss". */
const THEME = /(?<![\p{L}'-])[\p{L}'-]{1,30}(?: (?:and|&|or) [\p{L}'-]{1,30}| [\p{L}'-]{1,30})?$/u;
/** A comma that is not followed by another item of the list. */
const LAST_COMMA = /,(?! [\p{L}']+(?: [\p{L}']+){0,2} ?(?:,|\band\b|$|[.;!?\n]))/u;
/** How far apart "film" and "about" may be in "A film that is about", in characters. */
const REACH = 40;

/** Finds where the brief describes the lyrics. `theme music` and `main theme` do not describe lyrics. */
export function findThemeSpans(reading: Reading): Span[] {
  return [
    ...spansOf(reading, "subject.opening").flatMap((span) => openingSpan(span, reading)),
    ...closingSpans(reading),
    ...(spansOf(reading, "subject.sung").length > 0 ? loneThemes(reading.text) : []),
  ];
}

/** "male vocal, unrequited love, sweet": finds list items that can only be a theme of lyrics. */
function loneThemes(plain: string): Span[] {
  return [...plain.matchAll(ITEM)]
    .filter(([item]) => {
      const meaning = meaningOf(item);
      const isTheme = meaning?.tags.every(({ category }) => category === "lyricThemes");
      return meaning !== undefined && isTheme && meaning.suggests.length === 0;
    })
    .map(spanOf);
}

/** "breakup song": finds themes that stand before their noun. */
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
  // "with the lyrics, dark and slow": a list continues only if the word itself opens one.
  const stop = text.slice(end).search(/[|.;!?()\n]/);
  const comma = text.slice(end).search(LAST_COMMA);
  const stops = [stop, comma].filter((at) => at !== -1).map((at) => end + at);
  return [{ start: end, end: Math.min(...stops, nextOf(reading, "subject.ends", end)) }];
}

/** Returns true when "about" belongs to a film or a show: its subject is not the theme of the lyrics. */
function isAboutPicture(reading: Reading, from: number, to: number): boolean {
  return spansOf(reading, "subject.picture").some(
    ({ start, end }) =>
      start >= from && end <= to && to - end <= REACH && !reading.text.slice(end, to).includes(":"),
  );
}

function hasWithin(reading: Reading, type: string, from: number, to: number): boolean {
  return spansOf(reading, type).some(({ start, end }) => start >= from && end <= to);
}
