/** Shorter words are never corrected. */
export const LEAST_LETTERS = 4;

/**
 * Returns how much more likely this typo is than a wrong letter, 0 to 1: swapped letters most, then a letter wrongly
 * doubled or not doubled, then a missing letter.
 */
export function likeliness(word: string, candidate: string): number {
  if (sorted(word) === sorted(candidate)) return 0.9;
  if (sorted(new Set(word)) === sorted(new Set(candidate))) return 0.7;
  return isWithinInOrder(word, candidate) ? 0.5 : word.length === candidate.length ? 0.1 : 0;
}

/** Returns the letters in alphabetical order. */
const sorted = (letters: Iterable<string>): string => [...letters].sort().join("");

/** Returns true when the candidate contains the word's letters in their order. */
function isWithinInOrder(word: string, candidate: string): boolean {
  let at = 0;
  for (const letter of candidate) if (letter === word[at]) at++;
  return at === word.length;
}

/** Returns false for an unlikely typo: words of four letters differ only by a swap, or by one letter more or less. */
export function isLikely(word: string, candidate: string): boolean {
  if (candidate.length > LEAST_LETTERS)
    return word.length > LEAST_LETTERS || isWithinInOrder(word, candidate);
  if (candidate.length < LEAST_LETTERS) return false;
  if (sounded(word) === sounded(candidate)) return true;
  return (
    sorted(word) === sorted(candidate) || (word.length > LEAST_LETTERS && isWithinInOrder(candidate, word))
  );
}

/** Letters that sound alike. */
const SOUNDS: readonly (readonly [written: RegExp, sound: string])[] = [
  [/ph/g, "f"],
  [/c[hk]|[cq]/g, "k"],
  [/z/g, "s"],
  [/(?:ie|ey|y)$/g, "i"],
  [/(.)\1/g, "$1"],
];

/** Returns the word as it sounds: "epik" sounds like "epic", "indy" like "indie". */
export function sounded(word: string): string {
  return SOUNDS.reduce((text, [written, sound]) => text.replace(written, sound), word);
}

const CODE_A = "a".charCodeAt(0);

/** Returns the set of a word's letters, a to z, one bit each. */
export function lettersIn(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at++) mask |= 1 << (word.charCodeAt(at) - CODE_A);
  return mask;
}

/** Returns how many bits are set. */
export function bitsIn(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count++;
  return count;
}

/**
 * Returns how many letters to insert, drop, change or swap with a neighbour to turn one word into the other. Any number
 * above `most` comes back as `most + 1`.
 *
 * @see Optimal string alignment distance.
 */
export function slipsBetween(a: string, b: string, most: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = nextRow(a, b, row, previous, before);
    if (Math.min(...current) > most) return most + 1;
    [before, previous] = [previous, current];
  }
  return previous[b.length] ?? most + 1;
}

function nextRow(
  a: string,
  b: string,
  row: number,
  previous: readonly number[],
  before: readonly number[],
): number[] {
  const current = [row];
  for (let column = 1; column <= b.length; column++) {
    const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
    const value = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, change);
    const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    current.push(isSwap ? Math.min(value, (before[column - 2] ?? 0) + 1) : value);
  }
  return current;
}

/** Returns the set of a word's letters, one bit each; letters of other alphabets share bits. */
export function lettersOf(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at++) mask |= 1 << (word.charCodeAt(at) & 31);
  return mask;
}
