import type { Found } from "./duration.ts";
import { meaningOf } from "./lexicon.ts";
import { type OpenRange, qualify } from "./quantity.ts";
import { type Span, spanOf } from "./text.ts";

const BPM = "(?:bpms?|bmps?|bmp|bp|b\\.p\\.m\\.?|beats? (?:per|a) min(?:ute)?)";
const SPELLED =
  "(?:a |one )?hundred(?: and)?(?: (?:ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?)?|(?:one[ -])?(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|one[ -](?:oh|ten)[ -]?(?:five|eight)?";
const BEATS = "\\d{2,3}(?:\\.\\d+)?";
const AMOUNT = `${BEATS}|${SPELLED}`;
const JOIN = "\\s*(?:-|~|/|to|and|up to|through|until|(?:a|et|y|e|bis)(?=\\s))\\s*";
const TOWARD =
  "(?: (?:of|is|at|around|about|approx|roughly|between|from|range|should be|in the)|:|=|\\]|\\||\\s)*";
const HALF = "\\b(?:half|double)[ -]?time (?:feel )?(?:at |of |around )?";

const RANGE = new RegExp(
  `(?<![\\d.:])(${AMOUNT})(?:\\s*${BPM})?${JOIN}(${AMOUNT})\\s*(?:-?ish)?\\s*-?(?:${BPM}|tempo)(?![a-z])`,
  "g",
);
/** "90 ± 4 bpm" */
const TOLERANT = new RegExp(
  `(?<![\\d.:])(${BEATS})\\s*(?:\\+\\s*/?\\s*-|±|plus or minus)\\s*(\\d{1,2})\\s*${BPM}(?![a-z])`,
  "g",
);
/** "between 90 and 100", where no other unit follows. */
const BETWEEN = new RegExp(
  `\\bbetween (${BEATS}) and (${BEATS})(?=\\s*(?:[,.;|/)\\]]|$|\\n))(?![.,:]\\d)`,
  "g",
);
const RANGE_AFTER = new RegExp(
  `\\b(?:${BPM}|tempos?)${TOWARD}\\s*(${BEATS})${JOIN}(${BEATS})(?![\\d:])`,
  "g",
);
/** "mid 120s bpm", "low 90s BPM", "in the 120s": tens, where "80s" alone is a decade. */
const TENS = new RegExp(
  `\\b(?:(low|lower|mid|high|upper|early|late)[- ])?(?:the )?(1?\\d0)'?s(?:\\s*${BPM}|(?=[^.,;\\n]{0,15}\\btempo))`,
  "g",
);
const TENS_OVER_HUNDRED = /\b(low|lower|mid|high|upper)[- ](1[0-9]0)'?s\b/g;
const SINGLE = new RegExp(`(?<![\\d.:])(${AMOUNT})(?:\\s*-?ish|\\+)?\\s*-?${BPM}(?![a-z])`, "g");
const SINGLE_AFTER = new RegExp(`\\b(?:${BPM}|tempos?)${TOWARD}([~<>≤≥]=?\\s*)?(${BEATS})(?![\\d:%])`, "g");
const HALF_TIME = new RegExp(
  `(?:${HALF}(${BEATS})|(?<![\\d.:])(${BEATS})\\s*(?:in |at |,)?\\s*\\(?(?:half|double)[ -]?time)(?![\\d:])`,
  "g",
);
const AT = new RegExp(
  `(?:@|\\bclocking in at)\\s*(${BEATS})(?![\\d:%.]|\\s*(?:seconds|secs|s\\b|min|am|pm|k\\b|khz|hz))`,
  "g",
);
/** A number without a unit is a tempo when it ends its phrase: "dark techno 132", "F# minor, 174, liquid". */
const BARE = new RegExp(
  `(?<![\\d.:#$€£/\\[&-]|\\d )\\b(${BEATS})(?:\\s?(?:-|–|to)\\s?(${BEATS}))?(?=\\+| ?-?ish\\b|\\s*(?:[,.;|/)[\\]]|$|\\n)|\\s+-\\s)(?![.,:]\\d|\\s*/\\s*\\d)`,
  "g",
);
const LONGEST_TERSE = 80;
const TERSE = /(?<![\p{L}\d])(\p{L}+|\|+) (\d{2,3}(?:-\d{2,3})?) (?=(\p{L}+))/gu;
/** "140 dubstep wobble" */
const LEADING = /^(?<before>)\s*(\d{2,3}(?:-\d{2,3})?) (?=(\p{L}+))/gu;
const BARE_LIMITS = { min: 50, max: 220 };
const LIMITS = { min: 20, max: 400 };
const NOT_A_TEMPO =
  /\b(?:top|part|volume|vol|chapter|episode|ep|season|room|scene|track|level|version|page|no|number|take|reel|shot|day|aged?|over|under|class|highway|route|studio|apollo|district|area|channel|catch|bond|act|book|lot|agent|unit|gate|hotel|bus|flight|phase|cue|item|brief|job|for|at|of|like|budget(?: is)?|fee|pays?|usd|eur|gbp|ages?|generation|zone|sector|the|blink|sum|ref|#)\.?\s*$/;

/** "Not 120 bpm"; "not over 120 bpm" is a limit. */
const REFUSED = /\b(?:not|isn't|avoid|never|instead of|rather than|tried) (?:at |around |about )?$/;
/** "About" a tempo reaches this far, BPM. */
const ABOUT = 5;
const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  low: [0, 4],
  lower: [0, 4],
  early: [0, 4],
  mid: [3, 7],
  high: [6, 9],
  upper: [6, 9],
  late: [6, 9],
};

/** Finds the tempo asked for, BPM: "120-130 bpm", "around 90 bpm", "under 100 bpm", or a bare "132". */
export function findTempo(plain: string): Found<OpenRange> | undefined {
  const tries = [
    () => readRanges(plain, RANGE),
    () => readRanges(plain, RANGE_AFTER),
    () => readTolerant(plain),
    () => readTens(plain),
    () => combine(readSingles(plain, SINGLE, 1), plain),
    () => combine(readSingles(plain, SINGLE_AFTER, 2), plain),
    () => readHalfTime(plain),
    () => readSingles(plain, AT, 1),
    () => readRanges(plain, BETWEEN).filter(({ value }) => isTempo(value.min ?? 0, BARE_LIMITS)),
    () => readBare(plain),
    () => readTerse(plain),
  ];
  for (const read of tries) {
    const found = read();
    const wanted = found.find(
      ({ span }) => !REFUSED.test(plain.slice(Math.max(0, span.start - 30), span.start)),
    );
    if (wanted) return wanted;
  }
  return undefined;
}

function readRanges(plain: string, pattern: RegExp): Found<OpenRange>[] {
  return [...plain.matchAll(pattern)].flatMap((match) => {
    const [a, b] = [beatsOf(match[1]), beatsOf(match[2])];
    const value = { min: Math.min(a, b), max: Math.max(a, b) };
    return isTempo(a, LIMITS) && isTempo(b, LIMITS) ? [{ value, span: spanOf(match) }] : [];
  });
}

function readTolerant(plain: string): Found<OpenRange>[] {
  return [...plain.matchAll(TOLERANT)].map((match) => {
    const [beats, reach] = [beatsOf(match[1]), Number(match[2])];
    return { value: { min: beats - reach, max: beats + reach }, span: spanOf(match) };
  });
}

function readTens(plain: string): Found<OpenRange>[] {
  return [...plain.matchAll(TENS), ...plain.matchAll(TENS_OVER_HUNDRED)].map((match) => {
    const [low, high] = PARTS[match[1] ?? ""] ?? [0, 9];
    const tens = Number(match[2]);
    return { value: { min: tens + low, max: tens + high }, span: spanOf(match) };
  });
}

/** "at least 118 bpm, no more than 124 bpm": two open ends make one range. */
function combine(found: Found<OpenRange>[], plain: string): Found<OpenRange>[] {
  const [first, second] = found;
  if (!first || !second || /[;\n]/.test(plain.slice(first.span.end, second.span.start))) return found;
  const [min, max] = [first.value.min ?? second.value.min, first.value.max ?? second.value.max];
  const isPair =
    (first.value.min === null) !== (first.value.max === null) &&
    (second.value.min === null) !== (second.value.max === null);
  if (!isPair || min === null || max === null || min > max) return found;
  return [{ value: { min, max }, span: { start: first.span.start, end: second.span.end } }];
}

function readSingles(plain: string, pattern: RegExp, group: number): Found<OpenRange>[] {
  return [...plain.matchAll(pattern)].flatMap((match) => {
    const beats = beatsOf(match[group]);
    if (!isTempo(beats, LIMITS)) return [];
    const start = spanOf(match).start + match[0].indexOf(match[group] ?? "");
    const span = { start, end: spanOf(match).end };
    return [readSingle(beats, span, match[0], plain)];
  });
}

function readHalfTime(plain: string): Found<OpenRange>[] {
  return [...plain.matchAll(HALF_TIME)].flatMap((match) => {
    const beats = Number(match[1] ?? match[2]);
    const start = spanOf(match).start + match[0].indexOf(String(match[1] ?? match[2]));
    const span = { start, end: start + String(match[1] ?? match[2]).length };
    return isTempo(beats, BARE_LIMITS) ? [{ value: { min: beats, max: beats }, span }] : [];
  });
}

function readBare(plain: string): Found<OpenRange>[] {
  return [...plain.matchAll(BARE)].flatMap((match) => {
    const [low, high] = [Number(match[1]), Number(match[2] ?? match[1])];
    const span = spanOf(match);
    if (!isTempo(low, BARE_LIMITS) || !isTempo(high, BARE_LIMITS)) return [];
    if (
      NOT_A_TEMPO.test(plain.slice(Math.max(0, span.start - 20), span.start)) &&
      low === high &&
      !isQualified(plain, span)
    )
      return [];
    if (low !== high) return [{ value: { min: Math.min(low, high), max: Math.max(low, high) }, span }];
    return [readSingle(low, span, match[0], plain)];
  });
}

/** "trip hop 85 smoky": in a few words without a sentence, a number between words of music. */
function readTerse(plain: string): Found<OpenRange>[] {
  if (plain.length > LONGEST_TERSE || /[.!?]\s|\b(?:the|we|i|is|are)\b/.test(plain)) return [];
  return [...plain.matchAll(LEADING), ...plain.matchAll(TERSE)].flatMap((match) => {
    const [words, before = "", beats = "", after = ""] = match;
    const start = match.index + words.length - beats.length - 1;
    const isAmongMusic =
      !NOT_A_TEMPO.test(before) &&
      !/^(?:fps|hz|khz|mph)$/.test(after) &&
      (meaningOf(after) !== undefined || /^(?:vocals?|vox|no|instrumental)$/.test(after));
    const span = { start, end: start + beats.length };
    const [low = 0, high = low] = beats.split("-").map(Number);
    if (!isAmongMusic || !isTempo(low, BARE_LIMITS) || !isTempo(high, BARE_LIMITS)) return [];
    if (low !== high) return [{ value: { min: Math.min(low, high), max: Math.max(low, high) }, span }];
    return [readSingle(low, span, beats, plain)];
  });
}

/** "for around 100," and "at 128" are tempos where "for 100" is none. */
function isQualified(plain: string, span: Span): boolean {
  const before = plain.slice(Math.max(0, span.start - 30), span.start);
  return (
    /\b(?:around|about|roughly|circa|approx|over|under|(?:fast|quick|slow|tempo|speed) like|sits at|sitting at|groove at|beat at|house at|techno at|runs at|at)\s*$/.test(
      before,
    ) && !/\b(?:for|aged?|budget|page|capped) (?:\w+ )?$/.test(before)
  );
}

function readSingle(beats: number, span: Span, words: string, plain: string): Found<OpenRange> {
  const after = /\d(\s*-?ish|\+)/.exec(words)?.[1] ?? plain.slice(span.end);
  return { value: qualify(beats, plain.slice(0, span.start), after, ABOUT), span };
}

const isTempo = (beats: number, { min, max }: { min: number; max: number }) => beats >= min && beats <= max;

const UNITS: Readonly<Record<string, number>> = {
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
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
};

/** Reads "128", "a hundred and ten", "one twenty eight". */
function beatsOf(text = ""): number {
  if (/^\d/.test(text)) return Number(text);
  const words = text.split(/[ -]+/).filter((word) => word !== "and" && word !== "a" && word !== "oh");
  const sum = words
    .filter((word) => word !== "one" || words.length === 1)
    .reduce((total, word) => total + (UNITS[word] ?? 0), 0);
  const endsInOne = words.at(-1) === "one" && words.length > 1 ? 1 : 0;
  const saysHundred = words.includes("hundred");
  return sum + endsInOne + (words[0] === "one" && !saysHundred && words.length > 1 ? 100 : 0);
}
