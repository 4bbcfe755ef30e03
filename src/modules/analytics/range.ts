import { invalidField } from "../../kernel/errors.ts";
import { DAY_MS, parseBound } from "../../kernel/time.ts";
import type { Span } from "./periods.ts";

/** The bounds that a request named, epoch milliseconds, both included; null: not named. */
export type Bounds = { since: number | null; until: number | null };

/**
 * Reads `since` and `until`. A day is taken whole; a time without an offset is UTC.
 *
 * @throws DomainError `validation_failed` for a text that is no time.
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

/** Nothing happened before. */
const BEGINNING_OF_TIME = 0;
/** The last millisecond that a four-digit year has. */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Returns the span that bounds mean where something happened from `happened.from` to `happened.to`: undefined when that
 * is all of it. A bound beyond what happened is moved out to the end of its day, so that no day is cut where nothing
 * lies.
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
