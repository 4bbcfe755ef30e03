import { fold } from "../kernel/text.ts";

/** A piece of the query, by UTF-16 offsets: `[start, end)`. */
export type Span = { start: number; end: number };

/** Replaces text that has been read, so that no reader reads it twice; also a boundary between phrases. */
export const READ = "|";

/**
 * Returns `text` in lower case, without accents, with plain dashes, apostrophes and accidentals. Every character
 * keeps its place, so an offset means the same in both.
 */
export function plainOf(text: string): string {
  return text
    .replace(/[‐-―−]/g, "-")
    .replace(/[‘’ʼ`´]/g, "'")
    .replaceAll("♯", "#")
    .replaceAll("♭", "b")
    .replace(/[^\p{ASCII}]/gu, (character) => {
      const folded = fold(character).replace("ł", "l");
      return folded.length === character.length ? folded : character;
    })
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns `text` with the spans marked as read. Offsets stay as they are. */
export function markedText(text: string, spans: readonly Span[]): string {
  return spans.reduce(
    (left, { start, end }) => left.slice(0, start) + READ.repeat(end - start) + left.slice(end),
    text,
  );
}

/** Returns the whole span of a regular expression's match. */
export function spanOf(match: RegExpExecArray | RegExpMatchArray): Span {
  const start = match.index ?? 0;
  return { start, end: start + match[0].length };
}

/** Returns true when a place is inside one of the spans. */
export function isWithin(spans: readonly Span[], at: number): boolean {
  return spans.some(({ start, end }) => at >= start && at < end);
}

/** Returns the same places in as few spans as possible, in order. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

/** A word of the query. `phrase` increases at every boundary: words of one phrase may belong together. */
export type Token = Span & { word: string; phrase: number };

/** Splits plain text into words; punctuation, line ends and read text separate the phrases. */
export function tokensOf(plain: string): Token[] {
  const tokens: Token[] = [];
  let phrase = 0;
  for (const match of plain.matchAll(/[\p{L}\p{N}]+(?:'[\p{L}]+)*|[&+]|\n| - |[^\s&+'"/#-]/gu)) {
    if (/^[\p{L}\p{N}&+]/u.test(match[0])) tokens.push({ ...spanOf(match), word: match[0], phrase });
    else phrase += 1;
  }
  return tokens;
}
