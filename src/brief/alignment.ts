import { type Span, spanOf } from "./text.ts";

/** Beyond this many words, a rewritten brief is not compared with its original. */
const MOST_WORDS = 600;

type Word = Span & { text: string };

/**
 * Returns a function that finds a place of a rewritten text in the original: "pas de batterie" for "no drums". The words
 * that both texts share anchor it. It returns undefined when nothing in the original corresponds to the place.
 */
export function alignment(rewritten: string, original: string): (span: Span) => Span | undefined {
  if (rewritten === original) return (span) => span;
  const [from, to] = [wordsOf(rewritten), wordsOf(original)];
  if (Math.max(from.length, to.length) > MOST_WORDS) return () => undefined;
  const partners = partnersOf(from, to);
  return ({ start, end }) => {
    const first = from.findIndex((word) => word.end > start);
    const last = from.findLastIndex((word) => word.start < end);
    if (first < 0 || last < first) return undefined;
    const begin = partners[first] ?? (partners.slice(0, first).findLast(isNumber) ?? -1) + 1;
    const close = partners[last] ?? (partners.slice(last + 1).find(isNumber) ?? to.length) - 1;
    const [opening, closing] = [to[begin], to[close]];
    return opening && closing && begin <= close ? { start: opening.start, end: closing.end } : undefined;
  };
}

const isNumber = (value: number | undefined): value is number => value !== undefined;

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}'’]+|[^\s\p{L}\p{N}\p{M}'’]/gu)].map((match) => ({
    ...spanOf(match),
    text: SIGNS[match[0]] ?? match[0].normalize("NFKC").toLowerCase(),
  }));

/** Signs of Japanese, as the rewritten text has them. */
const SIGNS: Readonly<Record<string, string>> = { "、": ",", "。": "." };

/** For each word of the rewritten text, the index of its partner in the original. */
type Partners = (number | undefined)[];

function partnersOf(from: readonly Word[], to: readonly Word[]): Partners {
  const shared = sharedWords(from, to);
  const partners: Partners = [];
  for (let index = 0; index < from.length; index++) {
    const known = shared.get(index);
    const [before, after] = [(partners[index - 1] ?? -1) + 1, nextShared(shared, index, from.length)];
    const end = after === undefined ? to.length : (shared.get(after) ?? to.length);
    // As many words as in the original between two partners were replaced one by one: "melancoly paino".
    const isEven = end - before === (after ?? from.length) - index;
    const isBegun = index === 0 || partners[index - 1] !== undefined;
    partners.push(known ?? (isEven && isBegun ? before : undefined));
  }
  return partners;
}

function nextShared(shared: ReadonlyMap<number, number>, from: number, length: number): number | undefined {
  for (let index = from; index < length; index++) if (shared.has(index)) return index;
  return undefined;
}

/** Returns the longest sequence of words that both texts have in common, as indices. */
function sharedWords(from: readonly Word[], to: readonly Word[]): Map<number, number> {
  const table = commonLengths(from, to);
  const at = (i: number, j: number) => table[i * (to.length + 1) + j] ?? 0;
  const shared = new Map<number, number>();
  let [i, j] = [0, 0];
  while (i < from.length && j < to.length) {
    if (from[i]?.text === to[j]?.text) shared.set(i++, j++);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return shared;
}

/** Returns for each pair of words how many the rest of both texts has in common, row by row. */
function commonLengths(from: readonly Word[], to: readonly Word[]): Uint16Array {
  const width = to.length + 1;
  const lengths = new Uint16Array((from.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        from[i]?.text === to[j]?.text ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return lengths;
}
