import {
  ABOUT,
  CLOCK_RANGE,
  COMPOUND,
  HOUR_LONG,
  LONGEST_PLAIN_SECONDS,
  MARKED_RANGE,
  MIXED_RANGE,
  PART_AFTER,
  PART_BEFORE,
  SECONDS_OF,
  SINGLE,
  SINGLE_CLOCK,
  SPOT_NOUN,
  SPOT_SECONDS,
  UNIT_RANGE,
  WHOLE_BEFORE,
} from "./duration-patterns.ts";
import { type OpenRange, qualify, readNumber } from "./quantity.ts";
import { type Span, spanOf } from "./text.ts";

/** A number's reading with the place it was read from. */
export type Found<Value> = { value: Value; span: Span };

/**
 * Finds how long the music should be: "2-3 minutes", "under a minute", "3:30", "about 90 seconds". Seconds; the last
 * length said wins.
 */
export function findDuration(plain: string): Found<OpenRange> | undefined {
  const marked = [...plain.matchAll(MARKED_RANGE)].filter((match) => isWhole(match, plain)).map(readMarked);
  const mixed = [...plain.matchAll(MIXED_RANGE)]
    .filter((match) => isWholeRange(match, plain))
    .flatMap(readMixed);
  const ranges = [...plain.matchAll(CLOCK_RANGE), ...plain.matchAll(UNIT_RANGE)]
    .filter((match) => isWholeRange(match, plain) && !isSmall(match))
    .map(readRange);
  const last = marked.at(-1) ?? ranges.at(-1) ?? mixed.at(-1);
  if (last) return last;
  const compounds = [...plain.matchAll(COMPOUND)]
    .filter((match) => isWhole(match, plain))
    .map((match) => readCompound(match, plain));
  const compound = compounds.at(-1);
  if (compound) return compound;
  const singles = [...plain.matchAll(SINGLE_CLOCK), ...plain.matchAll(SINGLE), ...plain.matchAll(HOUR_LONG)]
    .filter((match) => !isDecade(match, plain) && isWhole(match, plain) && !isSmall(match))
    .map((match) => readSingle(match, plain));
  return combine(singles, plain);
}

/** "at least 2 minutes but under 3": two open ends make one range; else the last one counts. */
function combine(singles: readonly Found<OpenRange>[], plain: string): Found<OpenRange> | undefined {
  const [last, previous] = [singles.at(-1), singles.at(-2)];
  if (!last || !previous) return last;
  const min = previous.value.min ?? last.value.min;
  const max = previous.value.max ?? last.value.max;
  const isPair =
    (previous.value.min === null) !== (previous.value.max === null) &&
    (last.value.min === null) !== (last.value.max === null);
  const between = plain.slice(previous.span.end, last.span.start);
  if (!isPair || min === null || max === null || min > max || /[.;\n]/.test(between))
    return pickOf(singles, plain);
  return { value: { min, max }, span: { start: previous.span.start, end: last.span.end } };
}

/** A length that "for a 30 second spot" and the like go with, else the last. */
function pickOf(singles: readonly Found<OpenRange>[], plain: string): Found<OpenRange> | undefined {
  return singles.findLast(({ span }) => WHOLE_BEFORE.test(plain.slice(0, span.start))) ?? singles.at(-1);
}

function isWhole(match: RegExpMatchArray, plain: string): boolean {
  const { start, end } = spanOf(match);
  const before = plain.slice(Math.max(0, start - 50), start);
  const after = plain.slice(end, end + 30);
  if (/^[\s-]*(?:range|ballpark|region|area|mark or (?:so|under|less))\b/.test(after)) return true;
  if (WHOLE_BEFORE.test(before)) return true;
  if (PART_AFTER.test(after)) return false;
  return (
    !PART_BEFORE.test(before) ||
    (/\b(?:within|in|at)\s*$/.test(before) && SPOT_NOUN.test(after)) ||
    isLimit(before)
  );
}

/** "Anywhere from 3 to 5 min" is a range, where "from 45 seconds" is a place in the piece. */
function isWholeRange(match: RegExpMatchArray, plain: string): boolean {
  return isWhole(match, plain) || /\b(?:from|at|in at|within|by) $/.test(plain.slice(0, match.index));
}

/** "within 90 seconds" alone is a limit; "within the first 10 seconds" is not. */
function isLimit(before: string): boolean {
  return (
    /\bwithin\s*$/.test(before) &&
    !/\b(?:hook|drop|chorus|vocal|in|hits?|gets?|lands?|deliver\w*|lifts?|builds?)\b[^.;\n]*\bwithin\s*$/.test(
      before,
    )
  );
}

/** "I am" is no minute, and "40m" is a distance. */
function isSmall(match: RegExpMatchArray): boolean {
  const text = match[0];
  if (/^[a-z]/.test(text) && /^[a-z]+[\s-]*(?:s|m|"|'+)$/.test(text)) return true;
  return /^\d+m$/.test(text) && Number.parseInt(text, 10) > 15;
}

function readRange(match: RegExpMatchArray): Found<OpenRange> {
  const [, low = "", second = "", third, fourth] = match;
  const isClock = third === undefined;
  const high = isClock ? second : third;
  const [a, b] = isClock
    ? [toSeconds(low, undefined), toSeconds(high, undefined)]
    : [toSeconds(low, second || fourth), toSeconds(high, fourth)];
  return { value: { min: Math.min(a, b), max: Math.max(a, b) }, span: spanOf(match) };
}

function readMixed(match: RegExpMatchArray): Found<OpenRange>[] {
  const [min, max] = [Number(match[1]) * 60, toSeconds(match[2] ?? "", undefined)];
  return min > 0 && min < max ? [{ value: { min, max }, span: spanOf(match) }] : [];
}

function readMarked(match: RegExpMatchArray): Found<OpenRange> {
  const [a, b] = [
    Number(match[1]) * 60 + Number(match[2] ?? 0),
    Number(match[3]) * 60 + Number(match[4] ?? 0),
  ];
  return { value: { min: Math.min(a, b), max: Math.max(a, b) }, span: spanOf(match) };
}

function readCompound(match: RegExpMatchArray, plain: string): Found<OpenRange> {
  const minutes = match[1] ?? "";
  const seconds = match[2] ?? match[3] ?? "";
  const value = readNumber(minutes) * 60 + readNumber(seconds);
  return qualified(value, spanOf(match), plain);
}

function readSingle(match: RegExpMatchArray, plain: string): Found<OpenRange> {
  const [, amount = "", unit, more] = match;
  if (amount === "") return qualified(secondsOf(match[0].replace(/^a /, "")), spanOf(match), plain);
  const extra = more ? toSeconds(more.endsWith("half") ? "half" : "0.25", unit) : 0;
  const seconds = toSeconds(amount, unit) + extra;
  if (match[0].includes("+")) return { value: { min: seconds, max: null }, span: spanOf(match) };
  return qualified(seconds, spanOf(match), plain);
}

/** "Hour-long", "minute and a half", "quarter of an hour". */
function secondsOf(words: string): number {
  return (SECONDS_OF[words[0] ?? ""] ?? 0) * (words.endsWith(" half") ? 1.5 : 1);
}

function qualified(seconds: number, span: Span, plain: string): Found<OpenRange> {
  const before = plain.slice(0, span.start);
  // "Sub-2-minute" speaks of no bass.
  const sub = /\bsub[\s-]*$/.exec(before);
  return {
    value: qualify(seconds, before, plain.slice(span.end), seconds * ABOUT),
    span: { start: sub?.index ?? span.start, end: span.end },
  };
}

function toSeconds(amount: string, unit: string | undefined): number {
  const [minutes, seconds] = amount.split(":");
  if (seconds !== undefined) return Number(minutes) * 60 + Number(seconds);
  const factor = unit === undefined || /^(?:s|")|^''/.test(unit) ? 1 : /^(?:m|')/.test(unit) ? 60 : 3600;
  return readNumber(amount) * factor;
}

/** "60s soul" is a decade and "Instrumental, 60s." a length: a length stands alone or is qualified. */
function isDecade(match: RegExpMatchArray, plain: string): boolean {
  // Also "1940s", and the drum machine in "sliding 808s".
  if (/^\d{3,}s$/.test(match[0]) && Number.parseInt(match[0], 10) > LONGEST_PLAIN_SECONDS) return true;
  const { start, end } = spanOf(match);
  const [before, after] = [plain.slice(0, start), plain.slice(end)];
  const decade = /^(\d0)'?s$/.exec(match[0]);
  if (/^\d\d'$/.test(match[0]) || (/'s$/.test(match[0]) && decade)) return true;
  if (!decade) return false;
  if (/\b(?:early|mid|late|the|swinging|roaring)[\s-]*'?$/.test(before) || before.endsWith("'")) return true;
  if (decade[1] === "10") return false;
  if (!SPOT_SECONDS.has(Number(decade[1]))) return true;
  const standsAlone = /(?:^|[,.;:|(/]|\n|\s-)\s*$/.test(before) && /^\s*(?:$|[,.;|)/]|\n|\s-)/.test(after);
  const { min, max } = qualify(1, before, after, 1);
  return !(standsAlone || min !== max || SPOT_NOUN.test(after) || WHOLE_BEFORE.test(before));
}
