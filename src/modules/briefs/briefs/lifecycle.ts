import type { BriefStatus } from "../../../../db/schema.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { DAY_MS, parseUtcDay, toIso } from "../../../kernel/time.ts";

/** The statuses that may follow each status of a brief (decision 3.6); an archived brief stays archived. */
const NEXT: Readonly<Record<BriefStatus, readonly BriefStatus[]>> = {
  draft: ["open"],
  open: ["closed"],
  closed: ["open", "archived"],
  archived: [],
};

/** Returns true when a brief takes submissions at `at`: it is open, and its deadline, if any, has not passed. */
export function isActive(brief: { status: BriefStatus; deadline: number | null }, at: number): boolean {
  return brief.status === "open" && (brief.deadline === null || brief.deadline > at);
}

/**
 * Checks that a brief may go from one status to another; it may always keep its status.
 *
 * @throws DomainError `invalid_transition`; its data names the statuses allowed instead.
 */
export function checkTransition(from: BriefStatus, to: BriefStatus): void {
  if (from === to || NEXT[from].includes(to)) return;
  throw new DomainError("invalid_transition", `A brief cannot go from ${from} to ${to}`, {
    data: { from, to, allowed: [...NEXT[from]] },
  });
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
/** Length of `YYYY-MM-DDTHH:mm:ss.sssZ`; a year with more digits is refused. */
const ISO_LENGTH = 24;

/**
 * Returns the last millisecond of a deadline: the end of a day in UTC, or the moment of a timestamp with an offset.
 *
 * @throws DomainError `validation_failed` (path `deadline`).
 */
export function readDeadline(text: string): number {
  const day = parseUtcDay(text);
  if (day !== undefined) return day + DAY_MS - 1;
  const at =
    TIMESTAMP.test(text) && parseUtcDay(text.slice(0, 10)) !== undefined ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at) && toIso(at).length === ISO_LENGTH) return at;
  throw invalidField("deadline", "invalid_date", "must be a day YYYY-MM-DD or a timestamp with its offset");
}
