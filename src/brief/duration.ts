import { corrected } from "./corrections.ts";
import type { Reading } from "./match.ts";
import { headsOf } from "./phrases.ts";
import { type OpenRange, qualify, readNumber } from "./quantity.ts";
import { begins, endsAt, holds, type Match, spansOf } from "./reading.ts";
import { apply, type Found, type Rule } from "./rule.ts";
import { clockOf, givenIn, MOST_MINUTES, rangeOf, secondsOf, unitFor } from "./seconds.ts";
import type { Span } from "./text.ts";

/** "About" a length reaches a tenth of it to either side. */
const ABOUT = 0.1;
/** Spots, cues and stings come in these lengths; any other "80s" is a decade. */
const SPOT_SECONDS = new Set([10, 15, 20, 30, 40, 60, 90]);
/** Briefs give longer times in minutes. */
const LONGEST_PLAIN_SECONDS = 300;
/** How far before "within" to look for a word such as "hook" that makes it a place in the piece, in characters. */
const REACH = 50;

const whole = headsOf("length");

/** How briefs give a length as a range, in seconds, the most reliable rule first. */
const RANGES: readonly Rule<OpenRange>[] = [
  {
    name: "two lengths in minutes and seconds",
    patterns: [
      "<not after a9.,:><9-99=m1>~<unit.minute>~[<9-99=s1>~<unit.second>]<number.range><length.marked=high><not before a9:>",
    ],
    example: ["1m45s - 2m15s", { min: 105, max: 135 }],
    read: (match, reading) => (isWhole(match, reading) ? readMarked(match) : undefined),
  },
  {
    name: "two times of a clock",
    patterns: ["<not after 9:><length.clock=low><number.range=to><length.clock=high><not before :>"],
    example: ["2:45-3:15", { min: 165, max: 195 }],
    read: (match, reading) => {
      const { low, high } = match.named;
      const isList = match.places.to && holds(reading, "number.and", match.places.to);
      if (isList && !endsAt(reading, "length.between before", match.start)) return undefined;
      return isWholeRange(match, reading) ? rangeOf(clockOf(low), clockOf(high)) : undefined;
    },
  },
  {
    name: "two limits",
    patterns: [
      "<limit.least lead><length.given=low><limit.pair joint><limit.most lead><length.given=high>",
      "<limit.most lead><length.given=high><limit.pair joint><limit.least lead><length.given=low>",
    ],
    example: ["at least 3 but no longer than 4 minutes", { min: 180, max: 240 }],
    read: readLimits,
  },
  {
    name: "two amounts of a unit",
    patterns: [
      "<not after a9.,><number.amount=low>[~|-][<length.unit=first>~]<number.range><number.amount=high>[~|-]<length.unit=unit>",
      "<not after a9.,><number.amount=low><number.side by side=list><number.amount=high>[~|-]<length.unit=unit>",
    ],
    example: ["2 to 3 minutes", { min: 120, max: 180 }],
    read: (match, reading) => {
      const { low = "", first, high = "", unit } = match.named;
      if (!isWholeRange(match, reading) || isSmall(match) || isOtherNumber(match, reading)) return undefined;
      // "And a-half-minute" is not a range.
      if (first === undefined && /^an?$/.test(low)) return undefined;
      // "2 minutes and 30 seconds" is one length.
      const isSum = first !== undefined && secondsOf("1", first) > secondsOf("1", unit);
      const isBetween = endsAt(reading, "length.between before", match.start);
      if (isSum && !isBetween && holds(reading, "number.and", match)) return undefined;
      return rangeOf(secondsOf(low, first ?? unit), secondsOf(high, unit));
    },
  },
  {
    name: "minutes, then a time of a clock",
    patterns: ["<not after a9.,:/-><9-99=low><number.range><9-99=minutes>:<00-59=seconds><not before :>"],
    example: ["3 to 3:30", { min: 180, max: 210 }],
    read: (match, reading) => {
      const { low, minutes, seconds } = match.named;
      const [min, max] = [Number(low) * 60, Number(minutes) * 60 + Number(seconds)];
      return isWholeRange(match, reading) && min > 0 && min < max ? { min, max } : undefined;
    },
  },
];

/** A length in minutes and seconds. */
const COMPOUND: Rule<OpenRange> = {
  name: "minutes and seconds",
  patterns: [
    "<not after a9.,:><number.amount=m>[~|-]<length.minute><9-99=s>[~|-]<unit.second><not before a9:>",
    "<not after a9.,:><number.amount=m>[~|-]<length.minute><99=s><not before a9:>",
  ],
  example: ["about 2 minutes 30", { min: 135, max: 165 }],
  read: (match, reading) =>
    isWhole(match, reading)
      ? qualified(readNumber(match.named.m ?? "") * 60 + readNumber(match.named.s ?? ""), match, reading)
      : undefined,
  span: fromSub,
};

/** How briefs give one length, in seconds. */
const SINGLES: readonly Rule<OpenRange>[] = [
  {
    name: "a time of a clock",
    patterns: ["<not after a9:><length.clock=clock>[~<length.unit>]!(:<digits>|~<unit.time of day>)"],
    example: ["max. 2:45", { min: null, max: 165 }],
    read: (match, reading) =>
      isWhole(match, reading) ? qualified(clockOf(match.named.clock), match, reading) : undefined,
    span: fromSub,
  },
  {
    name: "an amount of a unit",
    patterns: [
      "<not after a9.,:><number.amount=n>[~|-|~+~| - |<limit.about after>~]<length.unit=unit>[(~|-)long][<length.more=more>]",
    ],
    example: ["under a minute", { min: null, max: 60 }],
    read: readSingle,
    span: fromSub,
  },
  {
    name: "behind a comparison of length",
    patterns: ["<limit.of length before><number.amount=n><number.alone>"],
    example: ["no longer than 4, please", { min: null, max: 240 }],
    read: (match, reading) => {
      const seconds = secondsOf(match.named.n ?? "", unitFor(match.named.n));
      return qualified(seconds, match.places.n ?? match, reading);
    },
  },
  {
    name: "a length without a number",
    patterns: ["<length.without a number>"],
    example: ["minute and a half", { min: 90, max: 90 }],
    read: (match, reading) => {
      const seconds = Number(whole.get(match.text)?.find((head) => Number(head) > 0));
      return isWhole(match, reading) ? qualified(seconds, match, reading) : undefined;
    },
    span: fromSub,
  },
];

/** How briefs give a length, in seconds. */
export const LENGTH_RULES: readonly Rule<OpenRange>[] = [...RANGES, COMPOUND, ...SINGLES];

/** A number that is a length only because it takes the place of one. */
export const CORRECTED_LENGTH: Rule<OpenRange> = {
  name: "a number that corrects a length",
  patterns: ["<correction.lead>[<limit.any before>]<number.in digits=n><number.alone>"],
  example: ["no wait, make it 3", { min: 180, max: 180 }],
  read: (match, reading) =>
    qualified(secondsOf(match.named.n ?? "", unitFor(match.named.n)), match.places.n ?? match, reading),
  span: ({ places, start, end }) => places.n ?? { start, end },
};

/**
 * Finds how long the music should be, in seconds: "2-3 minutes", "under a minute", "3:30", "about 90 seconds". The last
 * length in the brief wins.
 */
export function findDuration(reading: Reading): Found<OpenRange> | undefined {
  const found = findFirst(reading);
  return found && corrected(reading, found, [...LENGTH_RULES, CORRECTED_LENGTH]);
}

function findFirst(reading: Reading): Found<OpenRange> | undefined {
  const [marked = [], clocks = [], limits = [], amounts = [], mixed = []] = RANGES.map((rule) =>
    apply(reading, rule),
  );
  const last = marked.at(-1) ?? limits.at(-1) ?? amounts.at(-1) ?? clocks.at(-1) ?? mixed.at(-1);
  if (last) return last;
  const compound = apply(reading, COMPOUND).at(-1);
  if (compound) return compound;
  return combine(
    SINGLES.flatMap((rule) => apply(reading, rule)),
    reading,
  );
}

/** "at least 2 minutes but under 3": two half-open ranges make one range; otherwise the last one counts. */
function combine(singles: readonly Found<OpenRange>[], reading: Reading): Found<OpenRange> | undefined {
  const [last, previous] = [singles.at(-1), singles.at(-2)];
  if (!last || !previous) return last;
  const min = previous.value.min ?? last.value.min;
  const max = previous.value.max ?? last.value.max;
  const isPair = isHalfOpen(previous.value) && isHalfOpen(last.value);
  const between = reading.text.slice(previous.span.end, last.span.start);
  if (!isPair || min === null || max === null || min > max || /[.;\n]/.test(between))
    return pickOf(singles, reading);
  return { value: { min, max }, span: { start: previous.span.start, end: last.span.end } };
}

const isHalfOpen = ({ min, max }: OpenRange) => (min === null) !== (max === null);

/** Returns the length that follows "runs" or a similar word, otherwise the last one. */
function pickOf(singles: readonly Found<OpenRange>[], reading: Reading): Found<OpenRange> | undefined {
  return (
    singles.findLast(({ span }) => endsAt(reading, "length.whole of it before", span.start)) ?? singles.at(-1)
  );
}

function isWhole({ start, end }: Span, reading: Reading): boolean {
  if (begins(reading, "length.whole of it after", end)) return true;
  if (endsAt(reading, "length.whole of it before", start)) return true;
  if (begins(reading, "length.part of it after", end)) return false;
  if (isTotal({ start, end }, reading)) return true;
  return (
    !endsAt(reading, "length.part of it before", start) ||
    (endsAt(reading, "length.in before", start) && isComplete(end, reading)) ||
    isLimit(start, reading)
  );
}

const isComplete = (end: number, reading: Reading): boolean =>
  begins(reading, "length.spot after", end) || begins(reading, "limit.most after", end);

/** "Anywhere from 3 to 5 min" is a range, where "from 45 seconds" is a place in the piece. */
/** "Two, three minutes" is a range, and "take 2, 3 minutes" is not. */
function isOtherNumber({ named: { low = "", high = "", list }, start }: Match, reading: Reading): boolean {
  if (list === undefined) return false;
  return readNumber(high) !== readNumber(low) + 1 || endsAt(reading, "tempo.no tempo before", start);
}

function isWholeRange(span: Span, reading: Reading): boolean {
  return isWhole(span, reading) || endsAt(reading, "length.range before", span.start);
}

/** ":15 and :30 in 60 seconds": the last one holds the places before it. */
function isTotal({ start, end }: Span, reading: Reading): boolean {
  if (!endsAt(reading, "length.in before", start)) return false;
  const places = spansOf(reading, "length.clock").filter((clock) => clock.end <= start);
  const [, n = "", unit] = /^(.*?\d|.*(?= ))[\s-]*([a-z]+)$/.exec(reading.text.slice(start, end)) ?? [];
  const whole = secondsOf(n, unit);
  return (
    places.length > 0 && places.every((clock) => clockOf(reading.text.slice(clock.start, clock.end)) < whole)
  );
}

/** "within 90 seconds" alone is a limit; "the hook within 10 seconds" is not. */
function isLimit(start: number, reading: Reading): boolean {
  if (!endsAt(reading, "length.within before", start)) return false;
  const sentence = reading.text.slice(0, start).search(/[^.;\n]*$/);
  const from = Math.max(sentence, start - REACH);
  return !spansOf(reading, "length.event").some((event) => event.start >= from && event.end <= start);
}

/** Excludes "I am", which is not a number of minutes, and "40m", which is a distance. */
function isSmall({ text }: Match): boolean {
  if (/^[a-z]+[\s-]*(?:s|m|"|'+)$/.test(text)) return true;
  return /^\d+m$/.test(text) && Number.parseInt(text, 10) > MOST_MINUTES;
}

/** "at least 3 but no longer than 4 minutes": the unit of one number is that of the other too. */
function readLimits(match: Match, reading: Reading): OpenRange | undefined {
  const [low, high] = [givenIn(match.named.low), givenIn(match.named.high)];
  const isLength = holds(reading, "comparison.of length", match);
  const unit = low.unit || high.unit || (isLength ? unitFor(high.amount) : "");
  if (unit === "") return undefined;
  return rangeOf(secondsOf(low.amount, low.unit || unit), secondsOf(high.amount, high.unit || unit));
}

function readMarked({ named }: Match): OpenRange {
  const low = Number(named.m1) * 60 + Number(named.s1 ?? 0);
  const [minutes, seconds] = named.high?.match(/\d+/g) ?? [];
  return rangeOf(low, Number(minutes) * 60 + Number(seconds ?? 0));
}

function readSingle(match: Match, reading: Reading): OpenRange | undefined {
  if (isDecade(match, reading) || !isWhole(match, reading) || isSmall(match)) return undefined;
  const { n = "", unit, more } = match.named;
  const seconds = secondsOf(n, unit) + (more ? secondsOf(more.trim(), unit) : 0);
  if (match.text.includes("+")) return { min: seconds, max: null };
  const { end } = match.places.n ?? match;
  const isAbout = begins(reading, "limit.about after", end);
  return qualified(seconds, isAbout ? { start: match.start, end } : match, reading);
}

function qualified(seconds: number, span: Span, reading: Reading): OpenRange {
  return qualify(seconds, reading, span, seconds * ABOUT);
}

/** Includes the "sub" of "sub-2-minute", so that it is not read as bass. */
function fromSub({ start, end }: Match, { text }: Reading): Span {
  return { start: /\bsub[\s-]*$/.exec(text.slice(0, start))?.index ?? start, end };
}

/** "60s soul" names a decade, "Instrumental, 60s." a length: a length appears alone or is qualified. */
function isDecade({ start, end, text }: Match, reading: Reading): boolean {
  // Also "1940s", and the drum machine in "sliding 808s".
  if (/^\d{3,}s$/.test(text) && Number.parseInt(text, 10) > LONGEST_PLAIN_SECONDS) return true;
  const decade = /^(\d0)'?s$/.exec(text)?.[1];
  if (/^\d\d'$/.test(text) || /^\d0's$/.test(text)) return true;
  if (decade === undefined) return false;
  const before = reading.text.slice(0, start);
  if (endsAt(reading, "length.decade start", start) || before.endsWith("'")) return true;
  if (decade === "10") return false;
  if (!SPOT_SECONDS.has(Number(decade))) return true;
  const after = reading.text.slice(end);
  const standsAlone = /(?:^|[,.;:|(/]|\n|\s-)\s*$/.test(before) && /^\s*(?:$|[,.;|)/]|\n|\s-)/.test(after);
  const { min, max } = qualify(1, reading, { start, end }, 1);
  const isSpot = begins(reading, "length.spot after", end);
  return !(standsAlone || min !== max || isSpot || endsAt(reading, "length.whole of it before", start));
}
