import { NUMBER, type OpenRange, qualify, readNumber } from "./quantity.ts";
import { type Span, spanOf } from "./text.ts";

/** A number's reading with the place it was read from. */
export type Found<Value> = { value: Value; span: Span };

const CLOCK = "\\d{1,2}:[0-5]\\d";
const UNIT = "(?:seconds?|secs?|s|minutes?|mins?|m)";
const JOIN = "\\s*(?:-|to|and|until)\\s*";

const CLOCK_RANGE = new RegExp(`(?<![\\d:])(${CLOCK})${JOIN}(${CLOCK})(?![\\d:])`, "g");
const UNIT_RANGE = new RegExp(
  `(?<![\\w.,])(${NUMBER})\\s?${UNIT}?${JOIN}(${NUMBER})[\\s-]?(${UNIT})\\b`,
  "g",
);
const SINGLE_CLOCK = new RegExp(`(?<![\\d:])(${CLOCK})(?![\\d:])`, "g");
const SINGLE = new RegExp(`(?<![\\w.,])(${NUMBER})[\\s-]?(${UNIT})\\b( and a half\\b)?`, "g");

/** "About" a length is a tenth of it to either side. */
const ABOUT = 0.1;
/** Spots, cues and stings come in these lengths; any other "80s" is a decade. */
const SPOT_SECONDS = new Set([10, 20, 30, 60, 90]);
/** Longer times are said in minutes. */
const LONGEST_PLAIN_SECONDS = 300;
const SPOT_NOUN = /^[\s-]*(?:spot|cut|cutdown|edit|version|ad|cue|sting|bumper|intro|outro|long)\b/;

/**
 * Finds how long the music should be: "2-3 minutes", "under a minute", "3:30", "about 90 seconds". Seconds; the last
 * length said wins.
 */
export function findDuration(plain: string): Found<OpenRange> | undefined {
  const ranges = [...plain.matchAll(CLOCK_RANGE), ...plain.matchAll(UNIT_RANGE)].map(readRange);
  const last = ranges.at(-1);
  if (last) return last;
  return [...plain.matchAll(SINGLE_CLOCK), ...plain.matchAll(SINGLE)]
    .filter((match) => !isDecade(match, plain))
    .map((match) => readSingle(match, plain))
    .at(-1);
}

function readRange(match: RegExpMatchArray): Found<OpenRange> {
  const [, low = "", high = "", unit] = match;
  const [a, b] = [toSeconds(low, unit), toSeconds(high, unit)];
  return { value: { min: Math.min(a, b), max: Math.max(a, b) }, span: spanOf(match) };
}

function readSingle(match: RegExpMatchArray, plain: string): Found<OpenRange> {
  const [, amount = "", unit, half] = match;
  const span = spanOf(match);
  const seconds = toSeconds(amount, unit) + (half ? toSeconds("half", unit) : 0);
  return {
    value: qualify(seconds, plain.slice(0, span.start), plain.slice(span.end), seconds * ABOUT),
    span,
  };
}

function toSeconds(amount: string, unit: string | undefined): number {
  const [minutes, seconds] = amount.split(":");
  if (seconds !== undefined) return Number(minutes) * 60 + Number(seconds);
  return readNumber(amount) * (unit?.startsWith("m") ? 60 : 1);
}

/** "60s soul" is a decade and "Instrumental, 60s." a length: a length stands alone or is qualified. */
function isDecade(match: RegExpMatchArray, plain: string): boolean {
  // Also "1940s", and the drum machine in "sliding 808s".
  if (/^\d{3,}s$/.test(match[0]) && Number.parseInt(match[0], 10) > LONGEST_PLAIN_SECONDS) return true;
  const decade = /^(\d0)s$/.exec(match[0]);
  if (!decade) return false;
  if (!SPOT_SECONDS.has(Number(decade[1]))) return true;
  const { start, end } = spanOf(match);
  const [before, after] = [plain.slice(0, start), plain.slice(end)];
  const standsAlone = /(?:^|[,.;|(])\s*$/.test(before) && /^\s*(?:$|[,.;|)])/.test(after);
  const { min, max } = qualify(1, before, after, 1);
  return !(standsAlone || min !== max || SPOT_NOUN.test(after));
}
