/** A range with open ends: null is "any". */
export type OpenRange = { min: number | null; max: number | null };

const AT_MOST_BEFORE =
  /(?:under|below|beneath|less than|shorter than|slower than|(?:no|not) (?:more|longer|faster) than|at most|max(?:imum)?(?: of)?:?|up to|within|<=?|≤)\s*$/;
const AT_LEAST_BEFORE =
  /(?:over|above|more than|longer than|faster than|(?:no|not) (?:less|shorter|slower) than|at least|min(?:imum)?(?: of)?:?|upwards of|north of|>=?|≥)\s*$/;
const ABOUT_BEFORE =
  /(?:around|about|approx(?:imately)?\.?|circa|ca\.?|roughly|nearly|almost|near|~|say)\s*(?:the\s*)?$/;
const AT_MOST_AFTER = /^[\s-]*(?:max(?:imum)?\b|tops\b|at most\b|or (?:less|under|below|shorter|slower)\b)/;
const AT_LEAST_AFTER =
  /^[\s-]*(?:\+(?!\s*\/)|plus\b(?! or)|min(?:imum)?\b|(?:or|and) (?:more|over|above|longer|faster|up|higher)\b)/;
const ABOUT_AFTER = /^[\s-]*(?:ish\b|or so\b|give or take\b|more or less\b)/;
const TOLERANCE_AFTER = /^\s*(?:\+\s*\/\s*-|±|plus or minus)\s*(\d+)/;

/**
 * Returns the range that a single number means with the words around it: "under 90", "90 or more", "about 90",
 * "90 +/- 5", or exactly 90.
 *
 * @param slack How far "about" reaches to either side.
 */
export function qualify(value: number, before: string, after: string, slack: number): OpenRange {
  if (AT_MOST_BEFORE.test(before) || AT_MOST_AFTER.test(after)) return { min: null, max: value };
  if (AT_LEAST_BEFORE.test(before) || AT_LEAST_AFTER.test(after)) return { min: value, max: null };
  const tolerance = Number(TOLERANCE_AFTER.exec(after)?.[1] ?? 0);
  const isAbout = ABOUT_BEFORE.test(before) || ABOUT_AFTER.test(after);
  const reach = tolerance || (isAbout ? slack : 0);
  return { min: value - reach, max: value + reach };
}

const WORDS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  sixty: 60,
  ninety: 90,
  half: 0.5,
};

/** Source of a regular expression for a number in digits or in words. */
export const NUMBER = `(?:\\d+(?:[.,]\\d+)?|half an?|${Object.keys(WORDS).join("|")})`;

/** Reads what {@link NUMBER} matches. */
export function readNumber(text: string): number {
  return WORDS[text.split(" ")[0] ?? ""] ?? Number(text.replace(",", "."));
}
