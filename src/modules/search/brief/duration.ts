import { NUMBER, type OpenRange, qualify, readNumber } from "./quantity.ts";
import { type Span, spanOf } from "./text.ts";

/** A number's reading with the place it was read from. */
export type Found<Value> = { value: Value; span: Span };

const CLOCK = "\\d{1,2}:[0-5]\\d|:[0-5]\\d";
const SECOND = "seconds?|secs?|s|\"|''";
const MINUTE = "minutes?|mins?|m|'";
const UNIT = `(?:${SECOND}|${MINUTE}|hours?|hrs?)(?![\\p{L}\\d])`;
const JOIN = "\\s*(?:-|~|to|and|until|through|up to|or)\\s*";

const CLOCK_RANGE = new RegExp(`(?<![\\d:])(${CLOCK})${JOIN}(${CLOCK})(?![\\d:])`, "g");
const UNIT_RANGE = new RegExp(
  `(?<![\\w.,])(${NUMBER})[\\s-]?(?:(${UNIT})\\s*)?${JOIN}(${NUMBER})[\\s-]?(${UNIT})`,
  "gu",
);
/** "2m30s", "2 min 30 sec", "2 minutes and 15 seconds", "two minutes thirty". */
const COMPOUND = new RegExp(
  `(?<![\\w.,:])(${NUMBER})[\\s-]?(?:minutes?|mins?|m|')(?:\\s*(?:and|&))?\\s*(?:(\\d{1,2})\\s*(?:seconds?|secs?|s|"|'')|(\\d\\d|thirty|fifteen|twenty|ten|forty five|forty))(?![\\p{L}\\d:])`,
  "gu",
);
const SINGLE_CLOCK = new RegExp(
  `(?<![\\d:\\p{L}])(${CLOCK})(?!\\d|:\\d|\\s*(?:am|pm|a\\.m|p\\.m|in the (?:morning|evening)|o'clock))`,
  "gu",
);
const SINGLE = new RegExp(
  `(?<![\\w.,])(${NUMBER})(?:[\\s-]|\\s?\\+\\s?| - )?(${UNIT})(?:[\\s-]long)?( and (?:a )?(?:half|quarter)\\b)?`,
  "gu",
);
const HOUR_LONG = /\b(?:hour|minute)-long\b/g;

/** "About" a length is a tenth of it to either side. */
const ABOUT = 0.1;
/** Spots, cues and stings come in these lengths; any other "80s" is a decade. */
const SPOT_SECONDS = new Set([10, 15, 20, 30, 40, 60, 90]);
/** Longer times are said in minutes. */
const LONGEST_PLAIN_SECONDS = 300;
const SPOT_NOUN =
  /^[\s-]*(?:tv |radio |social |web |online |pre-?roll |youtube |insta(?:gram)? |hero |brand |product )?(?:spot|cut|cutdown|edit|version|ad|advert|commercial|cue|sting|bumper|ident|intro|outro|opener|teaser|promo|trailer|film|video|clip|reel|bed|loop|track|piece|long|max|min|logo|jingle|theme|slot|tvc|duration|total)s?\b/;
/** A part of the piece, or of something else. */
const PART_BEFORE =
  /\b(?:first|last|final|opening|within|every|after|by|before|until|each|next|past|previous|from|with an?|has an?|have an?|starts? (?:at|after|around)|in at|comes in (?:at|after)|hits? (?:at|by|around)|drops? (?:at|by|after)|at|in|in the|at the|for the|deliver(?:ed|y)? (?:in|within)|wait|waited|within the)(?: (?:about|around|roughly|first|last|opening|next|under))*\s*(?:the\s*)?$/;
const PART_AFTER =
  /^\s*(?:mark\b|in\b(?! length)|into\b|later|ago|before the|after the|intro (?:then|and|before|that)|build (?:to|then|up|before)|drop at|delivery|turnaround|drive|away|walk|from|old|per|a day|of (?:silence|applause|black|credits|dialogue))/;
/** A length that these stand before is the whole's, whatever else is said. */
const WHOLE_BEFORE =
  /\b(?:length|duration|runs?|running(?: time)?|lasts?|lasting|total|trt|time|long|clocks? in|comes? in|loops?|looping|looped)(?: (?:of|is|at|for|in|should be|around|about|approx|roughly))*:?\s*$/;

/**
 * Finds how long the music should be: "2-3 minutes", "under a minute", "3:30", "about 90 seconds". Seconds; the last
 * length said wins.
 */
export function findDuration(plain: string): Found<OpenRange> | undefined {
  const ranges = [...plain.matchAll(CLOCK_RANGE), ...plain.matchAll(UNIT_RANGE)]
    .filter((match) => isWhole(match, plain) && !isSmall(match))
    .map(readRange);
  const last = ranges.at(-1);
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
  if (WHOLE_BEFORE.test(before)) return true;
  if (PART_AFTER.test(after)) return false;
  return (
    !PART_BEFORE.test(before) ||
    (/\b(?:within|in|at)\s*$/.test(before) && SPOT_NOUN.test(after)) ||
    isLimit(before)
  );
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

function readCompound(match: RegExpMatchArray, plain: string): Found<OpenRange> {
  const minutes = match[1] ?? "";
  const seconds = match[2] ?? match[3] ?? "";
  const value = readNumber(minutes) * 60 + readNumber(seconds);
  return qualified(value, spanOf(match), plain);
}

function readSingle(match: RegExpMatchArray, plain: string): Found<OpenRange> {
  const [, amount = "", unit, more] = match;
  if (amount === "") return qualified(match[0].startsWith("hour") ? 3600 : 60, spanOf(match), plain);
  const extra = more ? toSeconds(more.endsWith("half") ? "half" : "0.25", unit) : 0;
  const seconds = toSeconds(amount, unit) + extra;
  if (match[0].includes("+")) return { value: { min: seconds, max: null }, span: spanOf(match) };
  return qualified(seconds, spanOf(match), plain);
}

function qualified(seconds: number, span: Span, plain: string): Found<OpenRange> {
  return {
    value: qualify(seconds, plain.slice(0, span.start), plain.slice(span.end), seconds * ABOUT),
    span,
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
