import { readingOf, spansOf } from "./reading.ts";
import { plainOf, type Span } from "./text.ts";

/** A line of lyrics that a brief remembers, and where it says so. */
export type Remembered = { text: string; span: Span };

/**
 * Returns how much of a text's beginning is a line of the library's lyrics, in characters; 0 where it is none.
 *
 * @param isWhole Whether the text is a line as a whole, or may go on behind it.
 */
export type FindLine = (text: string, isWhole: boolean) => number;

/** Lines in the quotation marks of several languages. */
const QUOTATIONS = [
  '"([^"\\n]+)"',
  "“([^”\\n]+)”",
  "„([^“”\\n]+)[“”]",
  "«\\s?([^»\\n]+?)\\s?»",
  "「([^」\\n]+)」",
  "'([^\\n]+?)'(?!\\p{L})",
];
const QUOTED = new RegExp(`^(?:${QUOTATIONS.join("|")})`, "u");
const ANY_QUOTED = new RegExp(QUOTATIONS.slice(0, -1).join("|"), "gu");
/** A line ends with its sentence. */
const SENTENCE = /^[^.;!?\n]*/;
const BETWEEN = /^[\s:,–—-]*/;
/** Fewer words may be in any song. */
const LEAST_WORDS = 3;

/**
 * Finds a line of the lyrics that a brief remembers: behind words such as "the one that goes", or in quotation marks. What no
 * song of the library sings is no line.
 */
export function findRemembered(query: string, findLine: FindLine): Remembered | undefined {
  const leads = spansOf(readingOf(plainOf(query)), "library.goes");
  for (const lead of leads) {
    const from = lead.end + (BETWEEN.exec(query.slice(lead.end))?.[0].length ?? 0);
    const found = lineAt(query, from, findLine);
    if (found) return { ...found, span: { start: lead.start, end: found.span.end } };
  }
  for (const match of query.matchAll(ANY_QUOTED)) {
    const text = match.slice(1).find((each) => each !== undefined) ?? "";
    if (isLong(text) && findLine(text, true) > 0)
      return { text, span: { start: match.index, end: match.index + match[0].length } };
  }
  return undefined;
}

function lineAt(query: string, from: number, findLine: FindLine): Remembered | undefined {
  const rest = query.slice(from);
  const quoted = QUOTED.exec(rest);
  const inner = quoted?.slice(1).find((each) => each !== undefined);
  if (quoted && inner !== undefined)
    return findLine(inner, true) > 0
      ? { text: inner, span: { start: from, end: from + quoted[0].length } }
      : undefined;
  const sentence = SENTENCE.exec(rest)?.[0] ?? "";
  const length = findLine(sentence, false);
  const text = sentence.slice(0, length);
  return length > 0 ? { text, span: { start: from, end: from + length } } : undefined;
}

const isLong = (text: string): boolean =>
  text.trim().split(/\s+/).length >= LEAST_WORDS ||
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{5}/u.test(text);
