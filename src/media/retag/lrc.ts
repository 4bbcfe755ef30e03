import type { TimedLine } from "./tags.ts";

/** Returns words with the time of each line in front of it, as players read them: `[01:02.50]…`. */
export function lrcOf(lines: readonly TimedLine[]): string {
  return lines.map(({ atSec, text }) => `[${stamp(atSec)}]${text}`).join("\n");
}

/** Minutes, seconds and hundredths. */
function stamp(atSec: number): string {
  const hundredths = Math.round(atSec * 100);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(hundredths / 6000))}:${two(Math.floor(hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}
