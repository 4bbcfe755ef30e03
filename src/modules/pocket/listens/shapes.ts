import { DAY_MS } from "../../../kernel/time.ts";

/** What is reported later than this is not stored. */
export const OLDEST_MS = 90 * DAY_MS;
