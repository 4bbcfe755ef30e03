import { SECOND_MS } from "../kernel/time.ts";

/** How often a line is logged, and a terminal's line redrawn. */
const LOG_EVERY_MS = 10 * SECOND_MS;
const DRAW_EVERY_MS = SECOND_MS / 2;
/** Erases the rest of a terminal's line. */
const ERASE = "\u001b[K";

/** Shows the progress of a long operation. */
export type Progress = { add: (bytes: number) => void; end: () => void };

/**
 * Writes bytes done, rate and time left to a terminal or a log. Writes nothing for short operations.
 *
 * @param totalBytes 0 when unknown.
 */
export function createProgress(
  out: { write: (text: string) => unknown; isTTY?: boolean },
  totalBytes: number,
): Progress {
  const startedAt = performance.now();
  let told = startedAt;
  let doneBytes = 0;
  const everyMs = out.isTTY ? DRAW_EVERY_MS : LOG_EVERY_MS;
  return {
    add(bytes) {
      doneBytes += bytes;
      const now = performance.now();
      if (now - told < everyMs) return;
      told = now;
      const line = describe(doneBytes, totalBytes, (now - startedAt) / SECOND_MS);
      out.write(out.isTTY ? `\r${line}${ERASE}` : `${line}\n`);
    },
    end() {
      if (out.isTTY && told !== startedAt) out.write(`\r${ERASE}`);
    },
  };
}

function describe(doneBytes: number, totalBytes: number, seconds: number): string {
  const rate = `${inWords(doneBytes / seconds)}/s`;
  if (totalBytes < doneBytes) return `${inWords(doneBytes)}, ${rate}`;
  const left = Math.ceil(((totalBytes - doneBytes) * seconds) / doneBytes);
  return `${inWords(doneBytes)} of ${inWords(totalBytes)}, ${rate}, ${left} s left`;
}

/** Returns a number of bytes in words, such as `1.2 GB`. */
export function inWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}
