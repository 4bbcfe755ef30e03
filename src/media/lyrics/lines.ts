/** A line of words, and when it is sung: milliseconds from the beginning of the recording; null when that is not known. */
export type TimedLine = { text: string; atMs: number | null };

/** Returns the words of lines, as they are read without their times. */
export const wordsOf = (lines: readonly TimedLine[]): string => lines.map(({ text }) => text).join("\n");

/** True when at least one line has a time. */
export const isTimed = (lines: readonly TimedLine[]): boolean => lines.some(({ atMs }) => atMs !== null);

/** Returns a line of words without control characters and blanks around it. */
export const cleanLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]+/gu, " ")
    .toWellFormed()
    .trim();
