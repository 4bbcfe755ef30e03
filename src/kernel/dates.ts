let days: Intl.DateTimeFormat | undefined;
let moments: Intl.DateTimeFormat | undefined;

/** Returns the day of a time in epoch milliseconds, in UTC: `3 November 2026`. */
export function dayOf(at: number | Date): string {
  // Created for the first page only: the tables behind it take 6 MB.
  days ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return days.format(at);
}

/** Returns the day of a time, and its year unless that is the current one: `3 November`. */
export function dayInYear(at: number, now: number): string {
  const day = dayOf(at);
  const year = ` ${new Date(now).getUTCFullYear()}`;
  return day.endsWith(year) ? day.slice(0, -year.length) : day;
}

/** Returns the day and the minute of a time, and its year unless that is the current one: `3 November at 14:05`. */
export function momentInYear(at: number, now: number): string {
  return `${dayInYear(at, now)} at ${new Date(at).toISOString().slice(11, 16)}`;
}

/** Returns the day and the minute of a time in epoch milliseconds, in UTC: `3 November 2026 at 14:05`. */
export function momentOf(at: number | Date): string {
  moments ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return moments.format(at);
}
