import type { Lyrics } from "../queries.ts";

export type Line = Lyrics["lines"][number];

const NUDGE_LEAST_MS = 0;

/**
 * Returns lines of which one is sung at a time. Times of lines above that are later, and of lines below that are earlier, were of
 * another try, and go.
 */
export function withTime(lines: readonly Line[], index: number, atMs: number): Line[] {
  return lines.map((line, at) => {
    if (at === index) return { ...line, atMs };
    if (line.atMs === null) return line;
    const isWrong = at < index ? line.atMs > atMs : line.atMs < atMs;
    return isWrong ? { ...line, atMs: null } : line;
  });
}

/** Returns lines of which one is a little earlier or later, between the lines around it. */
export function nudged(lines: readonly Line[], index: number, byMs: number): Line[] {
  const line = lines[index];
  if (!line || line.atMs === null) return [...lines];
  const before = lines.slice(0, index).findLast(({ atMs }) => atMs !== null)?.atMs ?? NUDGE_LEAST_MS;
  const after = lines.slice(index + 1).find(({ atMs }) => atMs !== null)?.atMs ?? Number.POSITIVE_INFINITY;
  const atMs = Math.min(Math.max(line.atMs + byMs, before), after);
  return lines.with(index, { ...line, atMs });
}

/** Returns lines that are all earlier or later. */
export const shifted = (lines: readonly Line[], byMs: number): Line[] =>
  lines.map((line) => (line.atMs === null ? line : { ...line, atMs: Math.max(0, line.atMs + byMs) }));

/** Returns lines of which one has no time, or none has. */
export const withoutTime = (lines: readonly Line[], index?: number): Line[] =>
  lines.map((line, at) => (index === undefined || at === index ? { ...line, atMs: null } : line));

/** Returns the next line that is sung, blank ones are not; the same one at the end. */
export function nextSung(lines: readonly Line[], index: number, by: 1 | -1 = 1): number {
  for (let at = index + by; at >= 0 && at < lines.length; at += by)
    if (lines[at]?.text.trim() !== "") return at;
  return index;
}

/** Returns the line that is sung at a time; -1 before the first. */
export const lineAt = (lines: readonly Line[], atMs: number): number =>
  lines.findLastIndex((line) => line.atMs !== null && line.atMs <= atMs);

/** `1:02.34` */
export function stampOf(atMs: number): string {
  const hundredths = Math.round(atMs / 10);
  const seconds = Math.floor(hundredths / 100) % 60;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(hundredths / 6000)}:${two(seconds)}.${two(hundredths % 100)}`;
}
