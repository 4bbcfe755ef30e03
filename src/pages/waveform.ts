/** Bars in a drawn waveform. The drawing is twice as wide as that, and 100 high. */
export const WAVE_BARS = 160;
const FLOOR = 2;
const REACH = 47;

/**
 * Returns a waveform as an SVG path, 320 wide and 100 high, with one vertical stroke per bar. The height of a
 * stroke is the loudest sample of its part relative to the loudest of all. The server draws the first waveform with
 * it, the browser the others.
 *
 * @param pairs Alternating int8 minimum and maximum; empty or silent input gives a flat line.
 */
export function wavePath(pairs: Int8Array): string {
  const buckets = pairs.length / 2;
  const heights = Array.from({ length: WAVE_BARS }, (_, bar) => {
    const from = Math.floor((bar * buckets) / WAVE_BARS);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * buckets) / WAVE_BARS));
    return pairs.subarray(2 * from, 2 * to).reduce((high, value) => Math.max(high, Math.abs(value)), 0);
  });
  const loudest = Math.max(1, ...heights);
  return heights
    .map((height, bar) => {
      const half = Math.max(FLOOR, Math.round((REACH * height) / loudest));
      return `M${2 * bar + 1} ${50 - half}v${2 * half}`;
    })
    .join("");
}

/** Returns the position of a time in that drawing, 0 to 320; undefined while the duration is unknown. */
export function waveX(positionSec: number, durationSec: number): number | undefined {
  if (!(durationSec > 0)) return undefined;
  return Math.round((2 * WAVE_BARS * Math.min(1, positionSec / durationSec) + Number.EPSILON) * 10) / 10;
}

/** Returns a time as players show it: `3:05`, `1:02:03`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** Reads what {@link clock} writes, and plain seconds; undefined for anything else. */
export function readClock(text: string): number | undefined {
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:\.\d{1,3})?)$/.exec(text.trim());
  if (!match) return undefined;
  return Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number(match[3]);
}
