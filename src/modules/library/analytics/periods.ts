import { DAY_MS } from "../../../kernel/time.ts";

/** The period that covers all time. */
export const EVER = 0;

/** Returns true for a year. */
export const isYear = (period: number) => period > EVER && period < 10_000;
/** Returns true for a month. */
export const isMonth = (period: number) => period >= 10_000 && period < 1_000_000;

/** First and last millisecond of a span of time, both inclusive. */
export type Span = { from: number; to: number };

/** A span divided as counts are kept: whole UTC calendar periods, and at most two rests to count in the log. */
export type Cover = {
  /** Days (`20260115`), months (`202601`), years (`2026`) or {@link EVER}, without overlaps, in ascending order. */
  periods: number[];
  /** Parts of days, each under 48 hours. */
  rests: Span[];
};

/** Returns the UTC day of a time as a number: `20260115`. */
export function dayOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

/** Returns the periods that include a time: all time, its year, its month and its day. */
export function periodsOf(at: number): number[] {
  const day = dayOf(at);
  return [EVER, Math.floor(day / 10_000), Math.floor(day / 100), day];
}

/** Returns the fewest calendar periods that make up a span, and the rests at its ends. `from` is 1970 or later. */
export function coverSpan({ from, to }: Span): Cover {
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const end = Math.floor((to + 1) / DAY_MS) * DAY_MS;
  if (firstDay >= end) return { periods: [], rests: from <= to ? [{ from, to }] : [] };
  const rests = [
    { from, to: firstDay - 1 },
    { from: end, to },
  ];
  return { periods: wholePeriods(firstDay, end), rests: rests.filter((rest) => rest.from <= rest.to) };
}

function wholePeriods(firstDay: number, end: number): number[] {
  const periods: number[] = [];
  for (let at = firstDay; at < end; ) {
    const { period, next } = longestPeriod(at, end);
    periods.push(period);
    at = next;
  }
  return periods;
}

/** Returns the longest period that begins at `at`, the first millisecond of a day, and ends at or before `end`. */
function longestPeriod(at: number, end: number): { period: number; next: number } {
  const date = new Date(at);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const [nextYear, nextMonth] = [Date.UTC(year + 1, 0), Date.UTC(year, month + 1)];
  if (day === 1 && month === 0 && nextYear <= end) return { period: year, next: nextYear };
  if (day === 1 && nextMonth <= end) return { period: year * 100 + month + 1, next: nextMonth };
  return { period: dayOf(at), next: at + DAY_MS };
}

/**
 * Groups ascending periods into runs of one kind, `[first, last]`: a number between the two is a period between them.
 */
export function runsOf(periods: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const period of periods) {
    const run = runs.at(-1);
    if (run && String(run[1]).length === String(period).length) run[1] = period;
    else runs.push([period, period]);
  }
  return runs;
}
