const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });
const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const UNITS = [
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
] as const;

/** Returns the day of a time: `15 Jan 2026`. */
export const day = (at: string): string => DAY.format(Date.parse(at));

const UTC_DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Returns the day of a time that ends with a day, wherever one is. */
export const utcDay = (at: string): string => UTC_DAY.format(Date.parse(at));

/** Returns a time in full, for tooltips. */
export const wholeTime = (at: string): string => WHOLE.format(Date.parse(at));

/** Returns how long ago something was, `5 minutes ago`; after a month, its day. */
export function ago(at: string, now = Date.now()): string {
  const ms = now - Date.parse(at);
  if (Math.abs(ms) < 60_000) return "just now";
  if (Math.abs(ms) > 30 * 86_400_000) return day(at);
  const [unit, length] = UNITS.findLast(([, unitMs]) => Math.abs(ms) >= unitMs) ?? UNITS[0];
  return AGO.format(-Math.trunc(ms / length), unit);
}

const WEEKDAY = new Intl.DateTimeFormat("en", { weekday: "long" });

/** Returns when something was, as in a sentence: `5 minutes ago`, `yesterday`, `on Tuesday`; after a week, `on 15 Jan 2026`. */
export function when(at: string, now = Date.now()): string {
  const days = (new Date(now).setHours(12, 0, 0, 0) - new Date(at).setHours(12, 0, 0, 0)) / 86_400_000;
  if (days < 1) return ago(at, now);
  if (Math.round(days) === 1) return "yesterday";
  return `on ${days < 7 ? WEEKDAY.format(Date.parse(at)) : day(at)}`;
}
