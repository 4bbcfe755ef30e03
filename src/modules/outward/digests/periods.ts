import { DAY_MS, HOUR_MS } from "../../../kernel/time.ts";
import type { Every } from "./shapes.ts";

/** When the mails of a day and of a week go out, in UTC: in the morning of Europe, before the studios of America begin. */
const MORNING_MS = 6 * HOUR_MS;
/** The epoch began on a Thursday, and weeks begin on Monday. */
const FIRST_MONDAY = 4 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** Returns the number of the hour, day or week in which a time lies; each begins when its mails go out. Switched off, no time is over. */
export function periodOf(every: Every, at: number): number {
  switch (every) {
    case "off":
      return 0;
    case "hourly":
      return Math.floor(at / HOUR_MS);
    case "daily":
      return Math.floor((at - MORNING_MS) / DAY_MS);
    case "weekly":
      return Math.floor((at - MORNING_MS - FIRST_MONDAY) / WEEK_MS);
  }
}
