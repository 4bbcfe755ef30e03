import { type LexiconLine, NUMERALS } from "../../db/lexicon.ts";
import { plainOf, type Span } from "./text.ts";

/** A number in words. `isSpoken`: with its hundred left out, as musicians say tempos: "one twenty-eight". */
export type Numeral = Span & { value: number; isSpoken: boolean };

// A language's numbers are words with a value (`ones`, `teens`, `tens`, `hundreds`), and the ways to join them:
// `below a hundred` joins tens and ones, `above a hundred` joins hundreds and all that is below. French `twenties` take
// the teens too (60 + 11). `half more` adds a half, and `exactly` is complete. A blank stands for a hyphen too.

/** What one language makes of its words: the values of the parts, and patterns for the whole. */
type Grammar = { values: Readonly<Record<Part, ReadonlyMap<string, number>>>; patterns: readonly RegExp[] };
type Part = "hundreds" | "spoken" | "rest" | "exactly";

const OPENING = 2;
/** From this number on, what is said after a hundred that is left out cannot be a digit: "one five" is no number. */
const LEAST_SPOKEN = 10;

/** The grammars by the first letters of their words. */
const opened = new Map<string, Grammar[]>();
for (const lines of Object.values(NUMERALS)) {
  const grammar = grammarOf(lines);
  const words = Object.values(grammar.values).flatMap((part) => [...part.keys()]);
  for (const opening of new Set(words.map((word) => word.slice(0, OPENING))))
    opened.set(opening, [...(opened.get(opening) ?? []), grammar]);
}

/** Returns the numbers that may begin at a place of a plain text, in any language, the longest first. */
export function numeralsAt(plain: string, start: number): Numeral[] {
  if (/[\p{L}\p{N}]/u.test(plain[start - 1] ?? "")) return [];
  const grammars = opened.get(plain.slice(start, start + OPENING)) ?? [];
  return grammars
    .flatMap(({ values, patterns }) =>
      patterns.flatMap((pattern) => numeralOf(plain, start, pattern, values)),
    )
    .toSorted((a, b) => b.end - a.end);
}

function numeralOf(plain: string, start: number, pattern: RegExp, values: Grammar["values"]): Numeral[] {
  pattern.lastIndex = start;
  const match = pattern.exec(plain);
  if (!match) return [];
  const valueIn = (part: Part, name: string = part) =>
    values[part].get(match.groups?.[name]?.replaceAll("-", " ") ?? "") ?? 0;
  const parts = [
    valueIn("hundreds"),
    valueIn("spoken"),
    valueIn("rest"),
    valueIn("rest", "alone"),
    valueIn("exactly"),
  ];
  const half = match.groups?.half === undefined ? 0 : 0.5;
  const value = parts.reduce((sum, part) => sum + part, half);
  return [{ start, end: start + match[0].length, value, isSpoken: match.groups?.spoken !== undefined }];
}

function grammarOf(lines: readonly LexiconLine[]): Grammar {
  const [ones, teens, tens] = [wordsOf(lines, "ones"), wordsOf(lines, "teens"), wordsOf(lines, "tens")];
  const joined = (
    templates: readonly string[],
    left: string,
    high: Words,
    right: string,
    low: Words,
  ): Words =>
    templates.flatMap((template) =>
      high.flatMap(([first, a]) =>
        low.map(([second, b]) => [template.replace(left, first).replace(right, second), a + b] as const),
      ),
    );
  const below = templatesOf(lines, "below a hundred");
  const twenties = wordsOf(lines, "twenties");
  const rest = [
    ...[...ones, ...teens, ...tens, ...twenties],
    ...joined(below, "<tens>", tens, "<ones>", ones),
    ...joined(below, "<tens>", twenties, "<ones>", [...ones, ...teens]),
  ];
  const [hundreds, spoken] = [wordsOf(lines, "hundreds"), wordsOf(lines, "spoken hundreds")];
  const afterSpoken = [
    ...rest.filter(([, value]) => value >= LEAST_SPOKEN),
    ...joined(templatesOf(lines, "spoken ones"), "", [["", 0]], "<ones>", ones),
  ];
  const exactly = wordsOf(lines, "exactly");
  // A number that another number follows ends earlier: "a hundred and | one twenty".
  const next = anyOf([...hundreds, ...rest].filter(([, value]) => value > 1));
  const end = `(?!\\p{L})(?!${gap(" ")}(?:${next})(?!\\p{L}))`;
  const joints = templatesOf(lines, "above a hundred").map((each) =>
    each.slice("<hundreds>".length, -"<rest>".length),
  );
  const halves = templatesOf(lines, "half more").map((each) => each.slice("<number>".length));
  const [all, high, half] = [anyOf(rest), anyOf(hundreds), `(?<half>${orNothing(halves)})?`];
  const sources = [
    `(?:(?<hundreds>${high})(?:(?:${orNothing(joints)})(?<rest>${all}))?|(?<alone>${all}))${half}`,
    ...(spoken.length > 0 ? [`(?<spoken>${anyOf(spoken)})${gap(" ")}(?<rest>${anyOf(afterSpoken)})`] : []),
    ...(exactly.length > 0 ? [`(?<exactly>${anyOf(exactly)})`] : []),
  ];
  return {
    values: {
      hundreds: new Map(hundreds),
      spoken: new Map(spoken),
      rest: new Map([...rest, ...afterSpoken]),
      exactly: new Map(exactly),
    },
    patterns: sources.map((source) => new RegExp(source + end, "uy")),
  };
}

type Words = readonly (readonly [word: string, value: number])[];

function wordsOf(lines: readonly LexiconLine[], head: string): Words {
  return lines
    .filter(({ heads }) => heads[0] === head)
    .flatMap(({ heads, forms }) => forms.map((form) => [plainOf(form), Number(heads[1])] as const));
}

function templatesOf(lines: readonly LexiconLine[], head: string): readonly string[] {
  return lines.filter(({ heads }) => heads[0] === head).flatMap(({ forms }) => forms.map(plainOf));
}

/** Returns a pattern for any of the words, the longest first. */
function anyOf(words: Words): string {
  const longestFirst = words.map(([word]) => word).toSorted((a, b) => b.length - a.length);
  return [...new Set(longestFirst)].map(gap).join("|");
}

function orNothing(texts: readonly string[]): string {
  return texts.length === 0 ? "(?!)" : texts.map(gap).join("|");
}

/** "twenty five" and "twenty-five" are the same. */
function gap(text: string): string {
  return text.replaceAll(" ", "[ -]");
}
