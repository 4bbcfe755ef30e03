import type { Reading } from "./match.ts";
import { type Numeral, numeralsAt } from "./numerals.ts";
import { begins, endOf, endsAt, readingOf, spansOf, startOf } from "./reading.ts";
import { plainOf, type Span } from "./text.ts";

/** A number without a unit measures something from here on; "about one love" and "over two albums" do not. */
const LEAST_TEMPO = 40;
/** Above it, a number in words alone is a tempo: "techno, hundertzwanzig". */
const HUNDRED = 100;

/** What a number counts: beats, time, or one of them. */
type Measure = "tempo" | "length" | "either";

/**
 * Writes numbers in words in digits where they measure something, in any language: "a hundred and twenty bpm" becomes
 * "120 bpm", and "Twenty One Pilots" stays.
 */
export function writeDigits(text: string): string {
  const plain = plainOf(text);
  const starts = [...plain.matchAll(/(?<![\p{L}\p{N}])\p{L}/gu)].map(({ index }) => index);
  const all = starts.flatMap((start) => numeralsAt(plain, start));
  if (all.length === 0) return text;
  const brief: Brief = { text, all, reading: readingOf(plain), after: new Map() };
  // From the last to the first: what a range counts is said behind its second number.
  for (const numeral of all.toReversed()) brief.after.set(numeral.start, measureAfter(numeral, brief));
  let [result, done] = ["", 0];
  let previous: Numeral | undefined;
  for (const numeral of all) {
    if (numeral.start < done || !isMeasure(numeral, brief, previous)) continue;
    result += text.slice(done, numeral.start) + numeral.digits;
    done = numeral.end;
    previous = numeral;
  }
  return result + text.slice(done);
}

type Brief = {
  text: string;
  all: readonly Numeral[];
  reading: Reading;
  /** What the numbers in words count, by their places. */
  after: Map<number, Measure | undefined>;
};

function isMeasure(numeral: Numeral, brief: Brief, previous: Numeral | undefined): boolean {
  if (previous && isJoined(brief.reading, previous.end, numeral.start)) return true;
  if (endsAt(brief.reading, "number.minutes before", numeral.start)) return true;
  const measure = measureAfter(numeral, brief) ?? measureBefore(numeral, brief.reading);
  if (measure !== undefined) return !(numeral.isSpoken && measure === "length");
  return isTempoAlone(numeral, brief);
}

/**
 * Finds the words that measure something with a number: its unit, its limits, a correction; and keys: "la menor". Their
 * types are the same in every language, so they need no translation, which would only take them apart.
 */
export function findMeasures(text: string): Span[] {
  const reading = readingOf(plainOf(text));
  const numbers = [
    ...reading.pieces.filter(({ kind }) => kind === "number"),
    ...spansOf(reading, "length.without a number"),
  ];
  const measures = numbers.map(({ start, end }) => ({
    start: Math.min(start, ...BEFORE.flatMap((type) => startOf(reading, type, start) ?? [])),
    end: Math.max(end, ...AFTER.flatMap((type) => endOf(reading, type, end) ?? [])),
  }));
  return [...measures, ...spansOf(reading, "key.in syllables")];
}

const BEFORE = ["limit.any before", "number.joint", "correction.lead", "number.minutes between"];
const AFTER = ["number.measure after"];

/** Returns what the unit after a number says that it counts, or the unit after the range that it begins. */
function measureAfter({ end }: Numeral, brief: Brief): Measure | undefined {
  const { reading, after } = brief;
  if (begins(reading, "number.unit of tempo", end)) return "tempo";
  const isGlued = /\p{L}/u.test(reading.text[end] ?? "");
  if (isGlued || begins(reading, "number.unit of length", end)) return "length";
  const beside = endOf(reading, "number.side by side", end);
  if (beside !== undefined && after.get(beside) === "length") return "length";
  const next = endOf(reading, "number.joint", end);
  if (next === undefined) return undefined;
  if (/^\d/.test(reading.text.slice(next))) return "either";
  return after.get(next);
}

function measureBefore({ start, end, value }: Numeral, reading: Reading): Measure | undefined {
  if (endsAt(reading, "limit.of length before", start)) return "length";
  const isCorrection = endsAt(reading, "correction.lead", start) && begins(reading, "number.alone", end);
  if (isCorrection) return "either";
  if (value < LEAST_TEMPO) return undefined;
  if (endsAt(reading, "tempo.no era before", start)) return "tempo";
  const isTempo = endsAt(reading, "limit.any before", start) || endsAt(reading, "tempo.lead", start);
  return isTempo || endsAt(reading, "tempo.speed before", start) ? "tempo" : undefined;
}

/** Returns true for the second number of "one ten to one twenty" and of "two minutes thirty". */
function isJoined(reading: Reading, from: number, to: number): boolean {
  return endOf(reading, "number.next", from) === to || endOf(reading, "number.minutes between", from) === to;
}

/** "Techno, hundertzwanzig": a number beyond a hundred behind other words. "Two hundred" alone, or first, is a title. */
function isTempoAlone({ start, end, value }: Numeral, { text, all, reading }: Brief): boolean {
  const isName = /^\p{Lu}/u.test(text.slice(start)) || !/[\p{L}\p{N}]/u.test(text.slice(0, start));
  const isPart = all.some((other) => other.start < start && other.end >= end);
  return value > HUNDRED && !isName && !isPart && begins(reading, "tempo.bare end", end);
}
