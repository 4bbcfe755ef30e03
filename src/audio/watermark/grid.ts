/**
 * The grid of a mark: time by frequency, in seconds and hertz, so that a copy at another sample rate carries the same mark. A tile is one
 * column by one band; a mark is a level of each tile of a period, which repeats to the end of the recording.
 */

/** Rate of the sounds that marks are read from, Hz. */
export const READING_RATE_HZ = 44_100;
export const COLUMN_SEC = 4096 / 44_100;
/** Columns of a period of 5.94 s. */
export const COLUMNS = 64;

const [LOWEST_HZ, HIGHEST_HZ] = [301.5, 10_000];
/** A band is a twelfth of an octave, and four bins of a frame at 44.1 kHz at least. */
const NARROWEST_HZ = 86.13;
const FRAME_SEC = 2048 / 44_100;

const EDGES_HZ: readonly number[] = edges();
export const BANDS = EDGES_HZ.length - 1;
export const TILES = COLUMNS * BANDS;

function edges(): number[] {
  const all = [LOWEST_HZ];
  for (let low = LOWEST_HZ; low < HIGHEST_HZ; all.push(low))
    low = Math.max(low + NARROWEST_HZ, low * 2 ** (1 / 12));
  return all;
}

/** Returns the length of a frame at a sample rate: the power of two nearest to 46 ms. */
export function frameSizeAt(rateHz: number): number {
  return 2 ** Math.round(Math.log2(rateHz * FRAME_SEC));
}

/** Returns the first bin of each band and, last, one past the last: BANDS + 1 values, at most half of `frameSize`. */
export function bandBinsAt(rateHz: number, frameSize: number): Int32Array {
  return Int32Array.from(EDGES_HZ, (hz) => Math.min(frameSize / 2, Math.round((hz * frameSize) / rateHz)));
}

/** Returns the first tile of the column that a moment is in, of a recording that begins at 0. */
export function firstTileAt(sec: number): number {
  const column = Math.floor(sec / COLUMN_SEC) % COLUMNS;
  return (column < 0 ? column + COLUMNS : column) * BANDS;
}
