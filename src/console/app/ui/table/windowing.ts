/** Browsers cap the height of an element (17.9 million px in Firefox): above this the scroll bar is scaled. */
const MAX_PX = 15_000_000;
/** Rows kept in the document above and below the view. */
const OVERSCAN = 6;

/** What part of a list is in the document. */
export type Window = {
  /** Height of the box that stands for the whole list. */
  boxPx: number;
  /** First row in view, 0-based. */
  first: number;
  /** Rows that fit into the view. */
  inView: number;
  from: number;
  to: number;
  /** Where the row at a position stands in the box. */
  topPx: (index: number) => number;
  /** The scroll position at which a row is the first in view. */
  scrollTo: (index: number) => number;
};

/** Returns the rows to show of a list of rows of one height. All lengths are CSS pixels. */
export function windowOf(total: number, rowPx: number, viewPx: number, scrollPx: number): Window {
  const fullPx = total * rowPx;
  const boxPx = Math.min(fullPx, MAX_PX);
  const scale = boxPx === fullPx || boxPx <= viewPx ? 1 : (fullPx - viewPx) / (boxPx - viewPx);
  const atPx = scrollPx * scale;
  const first = Math.max(0, Math.min(Math.floor(atPx / rowPx), total - 1));
  const inView = Math.ceil(viewPx / rowPx);
  const shiftPx = scrollPx - atPx;
  return {
    boxPx,
    first,
    inView,
    from: Math.max(0, first - OVERSCAN),
    to: Math.min(total - 1, first + inView + OVERSCAN),
    topPx: (index) => index * rowPx + shiftPx,
    scrollTo: (index) => (index * rowPx) / scale,
  };
}
