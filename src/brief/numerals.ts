import { type LexiconLine, NUMERALS } from "../../db/lexicon.ts";
import { plainOf, type Span } from "./text.ts";

/** A number in words, as it is written in digits: "120", "120s" or "around 30". */
export type Numeral = Span & {
  value: number;
  digits: string;
  /** The hundred is left out, as musicians say tempos: "one twenty-eight". */
  isSpoken: boolean;
};

// A language's numbers are words with a value (`ones`, `teens`, `tens`, `hundreds`), and the ways to join them:
// `below a hundred` joins tens and ones, `above a hundred` joins hundreds and all that is below. French `twenties` take
// the teens too (60 + 11). `more` adds a half or a quarter. `decades` ("one twenties"), `exactly` ("anderthalb") and
// `roughly` ("une trentaine de") are complete. `units` join a number without a blank ("dreiminütig"). A blank stands for
// a hyphen too.

/** What one language makes of its words: the values of the parts, and patterns for the whole. */
type Grammar = { values: Readonly<Record<Part, ReadonlyMap<string, number>>>; patterns: readonly RegExp[] };
type Part = "more" | "hundreds" | "spoken" | "rest" | "decades" | "exactly" | "roughly";

const OPENING = 2;
/** From this number on, what is said after a hundred that is left out cannot be a digit: "one five" is not a number. */
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
  const groups = match.groups ?? {};
  const value = Object.entries(groups).reduce((total, [name, word = ""]) => {
    // Groups are named for their parts; what stands below a hundred may also stand alone.
    const part = name === "alone" ? "rest" : (name as Part);
    return total + (values[part].get(word.replaceAll("-", " ")) ?? 0);
  }, 0);
  const end = start + match[0].length;
  const blank = /\p{L}/u.test(plain[end] ?? "") ? " " : "";
  const digits = `${groups.roughly ? "around " : ""}${value}${groups.decades ? "s" : ""}${blank}`;
  return [{ start, end, value, digits, isSpoken: groups.spoken !== undefined }];
}

function grammarOf(lines: readonly LexiconLine[]): Grammar {
  const words = wordsByPart(lines);
  const afterSpoken = [
    ...words.rest.filter(([, value]) => value >= LEAST_SPOKEN),
    ...joined(templatesOf(lines, "spoken ones"), [["", 0]], words.ones),
  ];
  // A number that another number follows ends earlier: "a hundred and | one twenty".
  const next = anyOf([...words.hundreds, ...words.rest].filter(([, value]) => value > 1));
  const units = orNothing(templatesOf(lines, "units"));
  const end = `(?:(?=${units})|(?!\\p{L})(?!${gap(" ")}(?:${next})(?!\\p{L})))`;
  const joints = templatesOf(lines, "above a hundred").map((each) => each.replace(/<.*?>/g, ""));
  const [high, low] = [anyOf(words.hundreds), anyOf(words.rest)];
  const spoken = `(?<spoken>${anyOf(words.spoken)})${gap(" ")}`;
  const sources = [
    `(?:(?<hundreds>${high})(?:(?:${orNothing(joints)})(?<rest>${low}))?|(?<alone>${low}))(?<more>${anyOf(words.more)})?`,
    ...(words.spoken.length > 0 ? [`${spoken}(?<rest>${anyOf(afterSpoken)})`] : []),
    ...(words.decades.length > 0 ? [`(?:${spoken})?(?<decades>${anyOf(words.decades)})`] : []),
    ...(["exactly", "roughly"] as const)
      .filter((part) => words[part].length > 0)
      .map((part) => `(?<${part}>${anyOf(words[part])})`),
  ];
  const values = { ...words, rest: [...words.rest, ...afterSpoken] };
  return {
    values: mapValues(values),
    patterns: sources.map((source) => new RegExp(source + end, "uy")),
  };
}

function mapValues(words: Readonly<Record<Part, Words>>): Grammar["values"] {
  return {
    more: new Map(words.more),
    hundreds: new Map(words.hundreds),
    spoken: new Map(words.spoken),
    rest: new Map(words.rest),
    decades: new Map(words.decades),
    exactly: new Map(words.exactly),
    roughly: new Map(words.roughly),
  };
}

function wordsByPart(lines: readonly LexiconLine[]): Record<Part | "ones", Words> {
  const [ones, teens, tens] = [wordsOf(lines, "ones"), wordsOf(lines, "teens"), wordsOf(lines, "tens")];
  const [below, twenties] = [templatesOf(lines, "below a hundred"), wordsOf(lines, "twenties")];
  return {
    ones,
    more: wordsOf(lines, "more").map(([word, value]) => [word.replace("<number>", ""), value]),
    hundreds: wordsOf(lines, "hundreds"),
    spoken: wordsOf(lines, "spoken hundreds"),
    rest: [
      ...[...ones, ...teens, ...tens, ...twenties],
      ...joined(below, tens, ones),
      ...joined(below, twenties, [...ones, ...teens]),
    ],
    decades: wordsOf(lines, "decades"),
    exactly: wordsOf(lines, "exactly"),
    roughly: wordsOf(lines, "roughly"),
  };
}

function joined(templates: readonly string[], tens: Words, ones: Words): Words {
  return templates.flatMap((template) =>
    tens.flatMap(([high, a]) =>
      ones.map(([low, b]) => [template.replace("<tens>", high).replace("<ones>", low), a + b] as const),
    ),
  );
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
