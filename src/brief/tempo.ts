import { corrected } from "./corrections.ts";
import { meaningOf } from "./lexicon.ts";
import type { Reading } from "./match.ts";
import { headsOf } from "./phrases.ts";
import { type OpenRange, qualify } from "./quantity.ts";
import { begins, endsAt, holds, type Match, spansOf } from "./reading.ts";
import { apply, type Found, type Rule } from "./rule.ts";
import type { Span } from "./text.ts";

type Limits = { min: number; max: number };
const LIMITS: Limits = { min: 20, max: 400 };
/** A number without a unit is a tempo only within these limits. */
const BARE_LIMITS: Limits = { min: 50, max: 220 };
/** "About" a tempo reaches this far, BPM. */
const ABOUT = 5;
/** A brief with more characters than this is not just a row of words. */
const LONGEST_TERSE = 80;
/** The ranges of "low 120s" and similar phrases. */
const PARTS: Readonly<Record<string, readonly [number, number]>> = { low: [0, 4], mid: [3, 7], high: [6, 9] };
const ALL_TEN = [0, 9] as const;

const heads = headsOf("tempo");

/** How briefs give a tempo, BPM, the most reliable rule first. */
export const TEMPO_RULES: readonly Rule<OpenRange>[] = [
  {
    name: "a range before its unit",
    patterns: [
      "<not after 9.:><tempo.beats=low>[~<unit.tempo>]<tempo.range><tempo.beats=high>~[[-]ish~][-](<unit.tempo>|tempo)",
    ],
    example: ["deep house, 120 to 124 bpm", { min: 120, max: 124 }],
    read: (match) => readRange(match, LIMITS),
  },
  {
    name: "a range behind its unit",
    patterns: ["<tempo.lead><tempo.beats=low><tempo.range><tempo.beats=high><not before :>"],
    example: ["BPM: 120-124", { min: 120, max: 124 }],
    read: (match) => readRange(match, LIMITS),
  },
  {
    name: "two limits",
    patterns: [
      "<limit.least lead><tempo.given=low><limit.pair joint><limit.most lead><tempo.given=high>!(<number.unit of length>)",
      "<limit.most lead><tempo.given=high><limit.pair joint><limit.least lead><tempo.given=low>!(<number.unit of length>)",
    ],
    example: ["at least 118 but no more than 124", { min: 118, max: 124 }],
    read: (match, reading) =>
      holds(reading, "comparison.of length", match) ? undefined : readRange(match, BARE_LIMITS),
  },
  {
    name: "a tempo give or take",
    patterns: ["<not after 9.:><tempo.beats=beats>~(+~[/]~-|±|plus or minus)~<9-99=reach>~<unit.tempo>"],
    example: ["90 ± 4 bpm", { min: 86, max: 94 }],
    read: ({ named }) => {
      const [beats, reach] = [beatsOf(named.beats), Number(named.reach)];
      return { min: beats - reach, max: beats + reach };
    },
  },
  {
    name: "tens before their unit",
    patterns: ["<not after a>[<tempo.part=part>_][the ]<99-999=tens>[']s~<unit.tempo>"],
    example: ["mid-90s bpm", { min: 93, max: 97 }],
    read: readTens,
  },
  {
    name: "tens before the word tempo",
    patterns: ["<not after a>[<tempo.part=part>_][the ]<99-999=tens>[']s"],
    example: ["in the 120s for tempo", { min: 120, max: 129 }],
    read: (match, { text }) =>
      /^[^.,;\n]{0,15}\btempo/.test(text.slice(match.end)) ? readTens(match) : undefined,
  },
  {
    name: "tens over a hundred",
    patterns: [
      "<tempo.part of ten=part>_<99-999=tens>[']s",
      "the <99-999=tens>[']s!(<number.unit of length>)",
    ],
    example: ["low 120s", { min: 120, max: 124 }],
    read: (match, reading) => {
      // "Late eighties" is an era, "high eighties" is not.
      const isTempo = match.named.tens?.length === 3 || begins(reading, "tempo.no era before", match.start);
      return isTempo ? readTens(match) : undefined;
    },
  },
  {
    name: "a tempo before its unit",
    patterns: ["<not after 9.:><tempo.beats=beats>[<limit.about after>|+]~[-]<unit.tempo>"],
    example: ["under 110 bpm", { min: null, max: 110 }],
    read: readSingle,
    span: fromBeats,
  },
  {
    name: "a tempo behind its unit",
    patterns: ["<tempo.lead>[(<limit.any before>|(\\~|\\<|>|≤|≥)[\\=]~)]<tempo.beats=beats><not before :%>"],
    example: ["tempo is 92", { min: 92, max: 92 }],
    read: readSingle,
    span: fromBeats,
  },
  {
    name: "half or double time",
    patterns: [
      "<tempo.half time> [feel ][at |of |around ]<tempo.beats=beats><not before :>",
      "<not after 9.:><tempo.beats=beats>~[in |at |,]~[\\(]<tempo.half time><not before 9:>",
    ],
    example: ["half-time 140", { min: 140, max: 140 }],
    read: ({ named }) => exactly(beatsOf(named.beats)),
    span: ({ places, start, end }) => places.beats ?? { start, end },
  },
  {
    name: "at a number",
    patterns: [
      "(@|clocking in at)~<tempo.beats=beats><not before :%.>!(~(<unit.second>|<unit.minute>|<tempo.no beats>))",
    ],
    example: ["@ 126, warm", { min: 126, max: 126 }],
    read: readSingle,
    span: fromBeats,
  },
  {
    name: "between two numbers",
    patterns: [
      "<comparison.between> [<comparison.article> ]<tempo.beats=low><number.range><tempo.beats=high><tempo.between end>",
    ],
    example: ["between 90 and 100, warm", { min: 90, max: 100 }],
    read: (match) => {
      const range = readRange(match, LIMITS);
      return range && isTempo(range.min, BARE_LIMITS) ? range : undefined;
    },
  },
  {
    name: "behind a comparison of speed",
    patterns: ["<limit.of speed before><tempo.beats=low>!(<number.unit of length>)<not before :%>"],
    example: ["no slower than 140 please", { min: 140, max: null }],
    read: readNumbers,
    span: fromLow,
  },
  {
    name: "a number that ends its phrase",
    patterns: [
      "<not after a9.:#$€£/[&-><tempo.beats=low>[~<number.through>~<tempo.beats=high>]<tempo.bare end>",
    ],
    example: ["dark techno 132", { min: 132, max: 132 }],
    read: readBare,
  },
  {
    name: "about a number, in the middle",
    patterns: [
      "(<limit.about before>|<tempo.speaks of speed>~)<tempo.beats=low>[<number.through><tempo.beats=high>]=(<tempo.joins>)",
    ],
    example: ["techno around 130 with vocals", { min: 125, max: 135 }],
    read: (match, reading) => readBare({ ...match, ...fromLow(match) }, reading),
    span: fromLow,
  },
  {
    name: "a number between words of music",
    patterns: [
      "<after ^>~<99-999=low>[-<99-999=high>] =(<letters>)",
      "(<letters>|<bar>) <99-999=low>[-<99-999=high>] =(<letters>)",
    ],
    example: ["trip hop 85 smoky", { min: 85, max: 85 }],
    read: readTerse,
    span: fromLow,
  },
];

/** A number that is a tempo only because it takes the place of one. */
export const CORRECTED_TEMPO: Rule<OpenRange> = {
  name: "a number that corrects a tempo",
  patterns: [
    "<correction.lead>[<limit.any before>]<tempo.beats=low>[<number.range><tempo.beats=high>]<number.alone>",
  ],
  example: ["no wait, make it 120", { min: 120, max: 120 }],
  read: readNumbers,
  span: fromLow,
};

/** Finds the tempo asked for, BPM: "120-130 bpm", "around 90 bpm", "under 100 bpm", or a bare "132". */
export function findTempo(reading: Reading): Found<OpenRange> | undefined {
  for (const rule of TEMPO_RULES) {
    const found = combine(apply(reading, rule), reading.text);
    // "Not 120 bpm" rejects the tempo; "not over 120 bpm" is a limit.
    const wanted = found.find(({ span }) => !endsAt(reading, "tempo.refused before", span.start));
    if (wanted) return corrected(reading, wanted, [...TEMPO_RULES, CORRECTED_TEMPO]);
  }
  return undefined;
}

/** "at least 118 bpm, no more than 124 bpm": two half-open ranges make one range. */
function combine(found: Found<OpenRange>[], text: string): Found<OpenRange>[] {
  const [first, second] = found;
  if (!first || !second || /[;\n]/.test(text.slice(first.span.end, second.span.start))) return found;
  const [min, max] = [first.value.min ?? second.value.min, first.value.max ?? second.value.max];
  const isPair = isHalfOpen(first.value) && isHalfOpen(second.value);
  if (!isPair || min === null || max === null || min > max) return found;
  return [{ value: { min, max }, span: { start: first.span.start, end: second.span.end } }];
}

const isHalfOpen = ({ min, max }: OpenRange) => (min === null) !== (max === null);

function readRange({ named }: Match, limits: Limits): Limits | undefined {
  const [a, b] = [beatsOf(named.low), beatsOf(named.high)];
  return isTempo(a, limits) && isTempo(b, limits) ? { min: Math.min(a, b), max: Math.max(a, b) } : undefined;
}

function readTens({ named: { part = "", tens = "" } }: Match): OpenRange | undefined {
  if (!/^1?\d0$/.test(tens)) return undefined;
  const head = heads.get(part)?.find((each) => each in PARTS);
  const [low, high] = PARTS[head ?? ""] ?? ALL_TEN;
  return { min: Number(tens) + low, max: Number(tens) + high };
}

function readSingle(match: Match, reading: Reading): OpenRange | undefined {
  const beats = beatsOf(match.named.beats);
  const { start, end } = match.places.beats ?? match;
  const hasMark = begins(reading, "limit.about after", end) || reading.text[end] === "+";
  return isTempo(beats, LIMITS)
    ? qualify(beats, reading, { start, end: hasMark ? end : match.end }, ABOUT)
    : undefined;
}

function readBare(match: Match, reading: Reading): OpenRange | undefined {
  const { start } = match;
  // "1 90," is not a single number.
  if (/\d $/.test(reading.text.slice(Math.max(0, start - 2), start))) return undefined;
  if (endsAt(reading, "limit.of length before", start)) return undefined;
  const value = readNumbers(match, reading);
  const isOne = match.named.high === undefined || match.named.high === match.named.low;
  const isOther = isOne && endsAt(reading, "tempo.no tempo before", start) && !isQualified(reading, start);
  return isOther ? undefined : value;
}

/** "for around 100," and "at 128" are tempos, "for 100" is not. */
function isQualified(reading: Reading, at: number): boolean {
  const isSpeed = isLimited(reading, at) || endsAt(reading, "tempo.speed before", at);
  return isSpeed && !endsAt(reading, "tempo.no speed before", at);
}

/** Reads a tempo from a brief of a few words without a sentence. */
function readTerse(match: Match, reading: Reading): OpenRange | undefined {
  const { text } = reading;
  const isSentence = /[.!?]\s/.test(text) || spansOf(reading, "tempo.sentence").length > 0;
  if (text.length > LONGEST_TERSE || isSentence) return undefined;
  const { start } = fromLow(match);
  const after = /^\p{L}+/u.exec(text.slice(match.end))?.[0] ?? "";
  // "Over eighty singers" counts people, "over 130 dark" beats.
  const isCounted = isLimited(reading, start) && !isDescription(after);
  const isAmongMusic = meaningOf(after) !== undefined || begins(reading, "tempo.goes on with", match.end);
  const isOther = endsAt(reading, "tempo.no tempo before", start) || begins(reading, "unit.rate", match.end);
  return isAmongMusic && !isOther && !isCounted ? readNumbers(match, reading) : undefined;
}

const DESCRIPTIONS = new Set(["moods", "characters", "movements", "genres", "eras"]);

const isDescription = (word: string) =>
  meaningOf(word)?.tags.some(({ category }) => DESCRIPTIONS.has(category)) ?? false;

const isLimited = (reading: Reading, at: number) =>
  endsAt(reading, "limit.least before", at) || endsAt(reading, "limit.most before", at);

/** Reads the single number of a match with the words around it, or its two numbers. */
function readNumbers(match: Match, reading: Reading): OpenRange | undefined {
  const [low, high] = [beatsOf(match.named.low), beatsOf(match.named.high ?? match.named.low)];
  if (!isTempo(low, BARE_LIMITS) || !isTempo(high, BARE_LIMITS)) return undefined;
  if (low !== high) return { min: Math.min(low, high), max: Math.max(low, high) };
  return qualify(low, reading, fromLow(match), ABOUT);
}

function fromBeats({ places, start, end }: Match): Span {
  return { start: places.beats?.start ?? start, end };
}

function fromLow({ places, start, end }: Match): Span {
  return { start: places.low?.start ?? start, end: (places.high ?? places.low)?.end ?? end };
}

function exactly(beats: number): OpenRange | undefined {
  return isTempo(beats, BARE_LIMITS) ? { min: beats, max: beats } : undefined;
}

const isTempo = (beats: number, { min, max }: Limits) => beats >= min && beats <= max;

/** Reads "128", "127,5" and "128 bpm". */
const beatsOf = (text = "") => Number.parseFloat(text.replace(",", "."));
