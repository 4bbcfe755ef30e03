import { DAY_MS, HOUR_MS } from "../kernel/time.ts";
import type { Reading } from "./match.ts";
import { numeralsAt } from "./numerals.ts";
import type { Phrases } from "./phrases.ts";
import { endOf, type Match } from "./reading.ts";
import { compilePhrase, matchAt } from "./rule.ts";
import type { Span } from "./text.ts";

/** A stretch of time, epoch milliseconds: from the first to just before the second; null is now. */
export type Period = { from: number; to: number | null };

type Unit = "hour" | "day" | "week" | "month" | "term" | "year";
const UNITS: readonly Unit[] = ["hour", "day", "week", "month", "year"];
const DAYS_OF_WEEK = 7;
const MONTHS = 12;
const SEASONS = 4;
const MONTHS_OF_SEASON = 3;
const QUARTERS = 4;
const MONTHS_OF_QUARTER = 3;
/** The heads of whole units, by how many units they lie back. */
const WHOLES = new Set([
  "day 0",
  "day 1",
  "day 2",
  "week 0",
  "week 1",
  "month 0",
  "month 1",
  "term 0",
  "term 1",
  "year 0",
  "year 1",
]);
/** The heads of parts of a day: hours since the day began, from the first to the second. */
const PARTS = ["part -6 6", "part 0 12", "part 12 18", "part 18 24"] as const;
/** The heads of weekends, by how many weeks they lie back. */
const WEEKENDS = ["weekend 0", "weekend 1"] as const;
const SATURDAY = 6;
/** The heads of feasts, by month and day. */
const FEASTS = ["feast 1 1", "feast 10 31", "feast 12 25"] as const;
/** Nothing was uploaded before the first of these years. */
const YEARS = { first: 1995, last: 2200 } as const;

const ROLLING = compilePhrase("[<library.past> ]<library.count=count> [<library.past> ]<library.unit=unit>");
const ROLLING_UNIT = compilePhrase("<library.past unit> <library.unit=unit>");
const THEN = compilePhrase(
  "[<library.ago before>~](<library.count=count>|<library.one>) <library.unit=unit>[ <library.ago>]",
);
const DAY_FIRST = compilePhrase(
  "<9-99=day>[.|st|nd|rd|th|er][ of| de| di] <library.name=month>[[<comma>] [de ]<digits=year>]",
);
const MONTH_FIRST = compilePhrase(
  "<library.name=month> <9-99=day>[st|nd|rd|th]!(<digits>)[[<comma>] <digits=year>]",
);
const MONTH = compilePhrase("<library.name=month>[[<comma>] [de |of ]<digits=year>]");
const ISO = compilePhrase("<digits=year>-<99=number>-<99=day>");
const DOTTED = compilePhrase("<9-99=day>.<9-99=number>.<digits=year>");
const YEAR = compilePhrase("<digits=year>");
const AGE = compilePhrase("[(<library.count=count>|<library.one>) ]<library.unit=unit>");
const QUARTER = compilePhrase("<library.quarter=quarter>[ [<library.of year> ]<digits=year>]");
const SEASON = compilePhrase("[<library.season before> ]<library.season=season>[ <digits=year>]");
const WEEKDAY = compilePhrase("[last=last ]<library.weekday=name>");

/** Reads the period that a phrase of the type `library.period` names; undefined when no such day exists. */
export function readPeriod(reading: Reading, span: Span, now: number): Period | undefined {
  return (
    wholeAt(reading, span, now) ??
    partAt(reading, span, now) ??
    countedAt(reading, span, now) ??
    quarterAt(reading, span, now) ??
    seasonAt(reading, span, now) ??
    dateAt(reading, span, now)
  );
}

/** Returns the period of a head of the lexicon such as `week 1`; undefined for another head. */
export function wholePeriod(head: string, now: number): Period | undefined {
  const [unit, back] = head.split(" ");
  return WHOLES.has(head) ? unitBefore(now, unit as Unit, Number(back)) : undefined;
}

/** "today", "last week", "this month" */
function wholeAt(reading: Reading, { start, end }: Span, now: number): Period | undefined {
  for (const head of WHOLES)
    if (endOf(reading, `library.${head}`, start) === end) return wholePeriod(head, now);
  return undefined;
}

/** "this morning", "last night", "last weekend", "Christmas" */
function partAt(reading: Reading, { start, end }: Span, now: number): Period | undefined {
  const isSaid = (head: string) => endOf(reading, `library.${head}`, start) === end;
  const [part, weekend, feast] = [PARTS, WEEKENDS, FEASTS].map((heads) => heads.find(isSaid)?.split(" "));
  if (part) {
    const today = unitBefore(now, "day", 0).from;
    const [from = 0, to = 0] = part.slice(1).map((hour) => today + Number(hour) * HOUR_MS);
    return { from, to };
  }
  if (weekend) {
    const from = unitBefore(now, "week", Number(weekend[1])).from + (SATURDAY - 1) * DAY_MS;
    return { from, to: from + 2 * DAY_MS };
  }
  if (!feast) return undefined;
  return dayOf({ year: undefined, month: Number(feast[1]), day: Number(feast[2]) }, now);
}

/** "Q3", "the second quarter of 2025" */
function quarterAt(reading: Reading, span: Span, now: number): Period | undefined {
  const match = exactly(reading, QUARTER, span);
  const place = match?.places.quarter;
  const quarter = place && numbered(reading, "quarter", place, QUARTERS);
  if (!match || quarter === undefined) return undefined;
  const year = match.named.year === undefined ? undefined : Number(match.named.year);
  const first = dayOf({ year, month: (quarter - 1) * MONTHS_OF_QUARTER + 1, day: undefined }, now);
  return first && { from: first.from, to: shifted(first.from, "term", 1) };
}

/** "the last 3 days", "two weeks ago" */
function countedAt(reading: Reading, span: Span, now: number): Period | undefined {
  const unitOnly = exactly(reading, ROLLING_UNIT, span);
  if (unitOnly) return { from: shifted(now, unitOf(reading, unitOnly), -1), to: null };
  const isThen = endOf(reading, "library.then", span.start) === span.end;
  const counted = exactly(reading, isThen ? THEN : ROLLING, span);
  if (!counted) return undefined;
  const count = counted.places.count ? countOf(reading, counted) : 1;
  const unit = unitOf(reading, counted);
  if (!Number.isSafeInteger(count) || count < 1) return undefined;
  if (!isThen) return { from: shifted(now, unit, -count), to: null };
  return unit === "hour"
    ? { from: now - (count + 1) * HOUR_MS, to: now - (count - 1) * HOUR_MS }
    : unitBefore(now, unit, count);
}

/** Returns the stretch from so long ago until now: "a year", "six months". */
export function readAge(reading: Reading, span: Span, now: number): Period | undefined {
  if (endOf(reading, "library.half year", span.start) === span.end)
    return { from: shifted(now, "month", -MONTHS / 2), to: null };
  const match = exactly(reading, AGE, span);
  const count = match?.places.count ? countOf(reading, match) : 1;
  if (!match || !Number.isSafeInteger(count) || count < 1) return undefined;
  return { from: shifted(now, unitOf(reading, match), -count), to: null };
}

/** "last summer", "winter 2025"; the seasons of the north, each from the first day of its first month. */
function seasonAt(reading: Reading, span: Span, now: number): Period | undefined {
  const match = exactly(reading, SEASON, span);
  const place = match?.places.season;
  const season = place && numbered(reading, "season", place, SEASONS);
  if (!match || season === undefined) return undefined;
  const month = season * MONTHS_OF_SEASON;
  const year = match.named.year === undefined ? undefined : Number(match.named.year);
  const first = dayOf({ year, month, day: undefined }, now);
  if (!first) return undefined;
  const period = { from: first.from, to: shifted(first.from, "month", MONTHS_OF_SEASON) };
  // "Last winter" is over.
  const isGoing = period.to > now && /^last\b/.test(match.text);
  return isGoing ? { from: shifted(period.from, "year", -1), to: shifted(period.to, "year", -1) } : period;
}

/** "12 March 2026", "March", "2026-03-12", "last Monday", "2025" */
function dateAt(reading: Reading, span: Span, now: number): Period | undefined {
  const weekday = exactly(reading, WEEKDAY, span);
  if (weekday) return weekdayBefore(reading, weekday, now);
  const found = [DAY_FIRST, MONTH_FIRST, MONTH, ISO, DOTTED, YEAR]
    .map((phrases) => exactly(reading, phrases, span))
    .find((match) => match !== undefined);
  if (!found) return undefined;
  const { year, day, number } = found.named;
  const place = found.places.month;
  const month = number ? Number(number) : place && numbered(reading, "named month", place, MONTHS);
  return dayOf({ year: year ? Number(year) : undefined, month, day: day ? Number(day) : undefined }, now);
}

type Day = { year: number | undefined; month: number | undefined; day: number | undefined };

/** Returns a year, a month or a day. Without a year, it is the last one that has begun. */
function dayOf({ year, month, day }: Day, now: number): Period | undefined {
  const named = year ?? new Date(now).getUTCFullYear();
  const startIn = (of: number) => Date.UTC(of, (month ?? 1) - 1, day ?? 1);
  const known = year === undefined && startIn(named) > now ? named - 1 : named;
  if (known < YEARS.first || known > YEARS.last) return undefined;
  const from = startIn(known);
  // 30 February would be a day of March.
  if (new Date(from).getUTCMonth() !== (month ?? 1) - 1) return undefined;
  return { from, to: shifted(from, day === undefined ? (month === undefined ? "year" : "month") : "day", 1) };
}

/** The last such day before now; "last Monday" is not today. */
function weekdayBefore(reading: Reading, { places, named }: Match, now: number): Period | undefined {
  const weekday = places.name && numbered(reading, "weekday", places.name, DAYS_OF_WEEK);
  if (weekday === undefined) return undefined;
  const today = unitBefore(now, "day", 0).from;
  const back = (dayOfWeek(today) - weekday + DAYS_OF_WEEK) % DAYS_OF_WEEK;
  const from = today - (back === 0 && named.last !== undefined ? DAYS_OF_WEEK : back) * DAY_MS;
  return { from, to: from + DAY_MS };
}

/** Returns the calendar unit that lies some units before the present one. Weeks begin on Monday (ISO 8601). */
function unitBefore(now: number, unit: Unit, back: number): { from: number; to: number } {
  const at = new Date(now);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const today = Date.UTC(year, month, at.getUTCDate());
  const starts: Readonly<Record<Unit, number>> = {
    hour: now,
    day: today,
    week: today - (dayOfWeek(today) - 1) * DAY_MS,
    month: Date.UTC(year, month),
    term: Date.UTC(year, month - (month % MONTHS_OF_QUARTER)),
    year: Date.UTC(year, 0),
  };
  const from = shifted(starts[unit], unit, -back);
  return { from, to: shifted(from, unit, 1) };
}

/** Returns 1 for Monday to 7 for Sunday. */
const dayOfWeek = (at: number): number => new Date(at).getUTCDay() || DAYS_OF_WEEK;

function shifted(at: number, unit: Unit, by: number): number {
  if (unit === "hour") return at + by * HOUR_MS;
  if (unit === "day") return at + by * DAY_MS;
  if (unit === "week") return at + by * DAYS_OF_WEEK * DAY_MS;
  const date = new Date(at);
  if (unit === "month") date.setUTCMonth(date.getUTCMonth() + by);
  else if (unit === "term") date.setUTCMonth(date.getUTCMonth() + by * MONTHS_OF_QUARTER);
  else date.setUTCFullYear(date.getUTCFullYear() + by);
  return date.getTime();
}

/** Returns a number in digits or in words; NaN for another word. */
function countOf({ text }: Reading, { named, places: { count } }: Match): number {
  if (!count || /^\d/.test(named.count ?? "")) return Number(named.count);
  return numeralsAt(text, count.start).find(({ end }) => end === count.end)?.value ?? Number.NaN;
}

function unitOf(reading: Reading, { places }: Match): Unit {
  const { unit } = places;
  return (unit && UNITS.find((each) => endOf(reading, `library.${each}`, unit.start) === unit.end)) ?? "day";
}

/** Returns the number of a month or a weekday by its name, in any language. */
function numbered(reading: Reading, what: string, { start, end }: Span, most: number): number | undefined {
  for (let number = 1; number <= most; number++)
    if (endOf(reading, `library.${what} ${number}`, start) === end) return number;
  return undefined;
}

function exactly(reading: Reading, phrases: Phrases, { start, end }: Span): Match | undefined {
  const match = matchAt(reading, phrases, start);
  return match?.end === end ? match : undefined;
}
