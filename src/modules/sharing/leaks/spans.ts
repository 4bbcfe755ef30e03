import { COLUMN_SEC, COLUMNS } from "../../../audio/watermark/grid.ts";
import type { Excerpt } from "./find.ts";
import type { LeakVersion } from "./queries.ts";
import type { Span } from "./task.ts";

/** Readings that are made of one window of an original, and without one, at most. */
export const PLACES_OF_WINDOW = 6;
export const READINGS_BLIND = 8;

/** As much of a leak is read: 50 s reached nine tenths of the highest score. */
const READ_SEC = 60;
/** An original that is no longer is read as a whole; of others, windows that overlap by a leak's length. 300 s are 100 MB. */
const WHOLE_SEC = 300;
const WINDOW_SEC = 240;
const WINDOW_STEP_SEC = WINDOW_SEC - READ_SEC;
const MOST_WINDOWS = 4;
const PERIOD_SEC = COLUMNS * COLUMN_SEC;

type Known = { durationSec: number; excerpts: readonly Excerpt[] };

const excerptIn = ({ excerpts }: Known, version: LeakVersion | undefined): Excerpt | undefined =>
  excerpts.find(({ recordingId }) => recordingId === version?.recordingId) ?? excerpts[0];

/** Returns the part of a leak that is read: the middle of what is of the track. */
export function spanOf(known: Known, version: LeakVersion | undefined): Span {
  const { from, to } = excerptIn(known, version)?.at ?? { from: 0, to: known.durationSec };
  const fromSec = Math.max(from, (from + to - READ_SEC) / 2);
  return { fromSec, toSec: Math.min(to, fromSec + READ_SEC) };
}

/** Returns the parts of an original that a leak is laid on, the likeliest first. Each begins with a period of the mark. */
export function windowsOf(known: Known, version: LeakVersion | undefined): Span[] {
  if (!version) return [];
  const lengthSec = version.durationSec ?? WHOLE_SEC;
  if (lengthSec <= WHOLE_SEC) return [{ fromSec: 0, toSec: lengthSec + 1 }];
  const { fromSec, toSec } = spanOf(known, version);
  const middle = (fromSec + toSec) / 2 + (excerptIn(known, version)?.offsetSec ?? 0);
  const count = Math.ceil((lengthSec - WINDOW_SEC) / WINDOW_STEP_SEC) + 1;
  return Array.from({ length: count }, (_, i) => i * WINDOW_STEP_SEC)
    .sort((one, other) => distance(one, middle) - distance(other, middle))
    .slice(0, MOST_WINDOWS)
    .map((sec) => {
      const begin = Math.floor(sec / PERIOD_SEC) * PERIOD_SEC;
      return { fromSec: begin, toSec: begin + WINDOW_SEC + PERIOD_SEC };
    });
}

const distance = (windowSec: number, middle: number) => Math.abs(windowSec + WINDOW_SEC / 2 - middle);
