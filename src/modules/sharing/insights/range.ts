import { DAY_MS, toIso } from "../../../kernel/time.ts";
import type { Step } from "./shapes.ts";

/** Whole UTC days: the first millisecond of the first, and the last of the last. */
export type Days = { from: number; to: number };

/** A bar of the chart. */
export type StepDays = { from: string; to: string };

const MAX_STEPS = 120;
/** The first Monday of 1970, which began on a Thursday. */
const FIRST_MONDAY = 4 * DAY_MS;

export const startOfDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;
export const dayName = (at: number): string => toIso(at).slice(0, 10);

/** Returns the time just before, of the same length. */
export function before({ from, to }: Days): Days {
  return { from: from - (to + 1 - from), to: from - 1 };
}

/** Returns the step asked for, or a longer one where there were too many. */
export function stepFor({ from, to }: Days, asked: Step): Step {
  const days = (to + 1 - from) / DAY_MS;
  if (asked === "day" && days <= MAX_STEPS) return "day";
  return asked !== "month" && days / 7 <= MAX_STEPS ? "week" : "month";
}

/** Divides days into steps, in order: weeks begin on Monday. The first and the last may be shorter. */
export function stepsOf({ from, to }: Days, by: Step): StepDays[] {
  const steps: StepDays[] = [];
  for (let at = from; at <= to; ) {
    const next = Math.min(nextStep(at, by), to + 1);
    steps.push({ from: dayName(at), to: dayName(next - 1) });
    at = next;
  }
  return steps;
}

function nextStep(at: number, by: Step): number {
  if (by === "day") return at + DAY_MS;
  if (by === "week")
    return at + 7 * DAY_MS - ((((at - FIRST_MONDAY) % (7 * DAY_MS)) + 7 * DAY_MS) % (7 * DAY_MS));
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
