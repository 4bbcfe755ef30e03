import { invalidField } from "../../../kernel/errors.ts";
import { DAY_MS, parseBound } from "../../../kernel/time.ts";
import type { Span } from "./periods.ts";

/** The bounds in a request, epoch milliseconds, both inclusive; null when the request names no bound. */
export type Bounds = { since: number | null; until: number | null };

/**
 * Reads `since` and `until`. A day counts as a whole; a time without an offset is UTC.
 *
 * @throws DomainError `validation_failed` when a text is not a time.
 */
export function readBounds({ since, until }: { since?: string; until?: string }): Bounds {
  return { since: readBound("since", since, "first"), until: readBound("until", until, "last") };
}

/** @throws DomainError `validation_failed` when the range ends before it begins. */
export function refuseReversed({ since, until }: Bounds): void {
  if (since === null || until === null || since <= until) return;
  throw invalidField("since", "range", "must not be later than until");
}

function readBound(path: string, text: string | undefined, side: "first" | "last"): number | null {
  if (text === undefined) return null;
  const at = parseBound(text, side);
  if (at === undefined) throw invalidField(path, "date", "must be YYYY-MM-DD or an ISO 8601 timestamp");
  return at;
}

/** No activity is older than this. */
const BEGINNING_OF_TIME = 0;
/** The last millisecond of the last four-digit year. */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Returns the span that bounds select from the activity between `happened.from` and `happened.to`, or undefined when
 * they select all of it. A bound beyond the activity moves out to the end of its day, so no day is cut needlessly.
 */
export function spanOf({ since, until }: Bounds, happened: Span): Span | undefined {
  const from = Math.max(since ?? BEGINNING_OF_TIME, BEGINNING_OF_TIME);
  const to = Math.min(until ?? END_OF_TIME, END_OF_TIME);
  const [isFromStart, isToEnd] = [from <= happened.from, to >= happened.to];
  if (isFromStart && isToEnd) return undefined;
  return {
    from: isFromStart ? startOfDay(happened.from) : from,
    to: isToEnd ? startOfDay(happened.to) + DAY_MS - 1 : to,
  };
}

const startOfDay = (at: number) => Math.floor(at / DAY_MS) * DAY_MS;
