export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The clock: epoch milliseconds. Injected so tests can control it. */
export type Now = () => number;

/** Returns `YYYY-MM-DDTHH:mm:ss.sssZ` (decision 0.10). */
export function toIso(at: number): string {
  return new Date(at).toISOString();
}

/** Returns a waiting time in words: seconds below one minute, then whole minutes, rounded up. */
export function inWords(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Returns a length as players show it, to the nearest second: `3:05`, `1:02:03`. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** {@link toIso}, or null when there is no time. */
export function toIsoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at);
}

/** Returns the first millisecond of a UTC day `YYYY-MM-DD`, or undefined when there is no such day. */
export function parseUtcDay(day: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const at = Date.parse(`${day}T00:00:00.000Z`);
  return Number.isNaN(at) || !toIso(at).startsWith(day) ? undefined : at;
}

/**
 * Returns the millisecond that a query bound means. A day counts whole, from its first to its last millisecond
 * (decision 0.10). A timestamp counts as it is, in UTC when it names no offset. Undefined when the text is neither.
 */
export function parseBound(text: string, side: "first" | "last"): number | undefined {
  const day = parseUtcDay(text);
  if (day !== undefined) return side === "first" ? day : day + DAY_MS - 1;
  // The runtime reads 30 February as 2 March, and a time without an offset as local time.
  const isOnCalendar = text[10] === "T" && parseUtcDay(text.slice(0, 10)) !== undefined;
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/i.test(text);
  const at = isOnCalendar ? Date.parse(hasOffset ? text : `${text}Z`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
