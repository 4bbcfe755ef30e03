const DAY_MS = 86_400_000;
const DATE = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** What can be chosen without writing. */
export const ENDS = ["Never", "7 days", "30 days"] as const;

/** Returns the end of a link as the server takes it, from the text; null: never; undefined: unreadable or past. */
export function readEnds(text: string, now = Date.now()): string | null | undefined {
  const written = text.trim();
  if (/^(never)?$/i.test(written)) return null;
  const days = /^(\d{1,4})\s*(d|days?)?$/i.exec(written)?.[1];
  if (days !== undefined && Number(days) > 0) return new Date(now + Number(days) * DAY_MS).toISOString();
  const day = dayOf(written);
  return day !== undefined && Date.parse(day) + DAY_MS > now ? day : undefined;
}

/** Returns how the end of a link is written. */
export function writeEnds(expiresAt: string | null): string {
  // A date without a time ends with its day, a millisecond before the next.
  return expiresAt === null ? "Never" : DATE.format(Date.parse(expiresAt));
}

function dayOf(written: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(written)) return Number.isNaN(Date.parse(written)) ? undefined : written;
  const at = Date.parse(`${written} UTC`);
  return Number.isNaN(at) || !/\d{4}/.test(written) ? undefined : new Date(at).toISOString().slice(0, 10);
}
