const WHOLE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });
const TIME = /(?:^|\D)(\d{1,2})(?::(\d{2})(?::\d{2})?)? ?(am|pm)?$/i;
/** `2027-03-03`, `3.3.2027`, `3 March 2027` or `March 3, 2027`; a month by its name may leave the year out. */
const DAYS = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<day>\d{1,2})\.? (?<name>[a-z]{3,})\.?(?:,? (?<year>\d{4}))?$/,
  /^(?<name>[a-z]{3,})\.? (?<day>\d{1,2})(?:,? (?<year>\d{4}))?$/,
] as const;
const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
] as const;

/**
 * Returns when a link opens as the server takes it, from a day and a time on this clock, such as `3 March 2027 at 18:00`; null:
 * at once; undefined: unreadable or past. Without a time it opens as the day begins, without a year on the next day of that name.
 */
export function readOpens(text: string, now = Date.now()): string | null | undefined {
  const written = text.trim();
  if (/^(now)?$/i.test(written)) return null;
  const { day, hour, minute } = partsOf(written);
  if (hour > 23 || minute > 59) return undefined;
  const midnight = dayOf(day.toLowerCase(), now);
  const opens = midnight && new Date(midnight).setHours(hour, minute);
  return opens && opens > now ? new Date(opens).toISOString() : undefined;
}

/** Returns when a link opens, as it is written: `3 March 2027 at 18:00`. */
export const writeOpens = (notBefore: string | null): string =>
  notBefore === null ? "" : WHOLE.format(Date.parse(notBefore));

/** A number at the end is a time only with minutes or a half of the day. */
function partsOf(written: string): { day: string; hour: number; minute: number } {
  const [time = "", hours = "", minutes, half] = TIME.exec(written) ?? [];
  if (minutes === undefined && half === undefined) return { day: written, hour: 0, minute: 0 };
  const day = written.slice(0, written.length - time.length).replace(/[\s,]*(\bat)?[\s,]*$/i, "");
  const isAfternoon = half?.toLowerCase() === "pm";
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
  return { day, hour, minute: Number(minutes ?? 0) };
}

/** Returns the beginning of a day on this clock, in epoch milliseconds. */
function dayOf(written: string, now: number): number | undefined {
  const read = DAYS.map((form) => form.exec(written)?.groups).find((groups) => groups !== undefined);
  if (!read) return undefined;
  const { year, month, name = "-", day } = read;
  const number = Number(month ?? MONTHS.findIndex((each) => each.startsWith(name)) + 1);
  const thisYear = new Date(now).getFullYear();
  const midnight = midnightOf(Number(year ?? thisYear), number, Number(day));
  const isOver = year === undefined && midnight && midnight < new Date(now).setHours(0, 0, 0, 0);
  return isOver ? midnightOf(thisYear + 1, number, Number(day)) : midnight;
}

/** A day that its month does not have is none. */
function midnightOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? date.getTime() : undefined;
}
