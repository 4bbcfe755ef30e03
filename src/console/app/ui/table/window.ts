import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";

/** Browsers limit an element's height (17.9 million pixels in Firefox); above this the scrollbar is scaled. */
const MAX_PX = 15_000_000;
const OVERSCAN = 6;
const FALLBACK_PX = 48;

/** Which rows of a list are in view. */
export type Window = {
  /** Of the whole list. */
  heightPx: number;
  /** The rows to draw, `active` always among them. */
  indices: (active: number) => number[];
  /** Where a row stands, in pixels from the top of the list. */
  topOf: (index: number) => number;
  /** Scrolls until a row is wholly in view. */
  reveal: (index: number) => void;
  /** Scrolls until a row is the first in view. */
  beginWith: (index: number) => void;
  /** Rows that fit into the view. */
  perView: number;
  first: number;
  /** Of the view. */
  widthPx: number;
};

/**
 * Follows the scrolling of `box`. All rows are equally high, so the window is two divisions.
 *
 * @param list Another one begins where `scrollTop` says.
 * @param scrollTop Where the list begins, and what it is kept in while it is scrolled.
 */
export function useWindow(
  box: RefObject<HTMLElement | null>,
  { list, total, scrollTop }: { list: unknown; total: number; scrollTop: Signal<number> },
): Window {
  const rowPx = useSignal(FALLBACK_PX);
  const viewPx = useSignal(0);
  const widthPx = useSignal(0);
  const first = useSignal(0);
  /** Of a scaled list: how far the rows are from where they would stand in full height. */
  const shiftPx = useSignal(0);

  const fullPx = total * rowPx.value;
  const heightPx = Math.min(fullPx, MAX_PX);
  const scale = heightPx === fullPx ? 1 : (fullPx - viewPx.value) / (heightPx - viewPx.value);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      rowPx.value = rowHeight(element);
      viewPx.value = element.clientHeight - headHeight(element);
      widthPx.value = element.clientWidth;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, rowPx, viewPx, widthPx]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onScroll = () => {
      scrollTop.value = element.scrollTop;
      first.value = Math.floor((element.scrollTop * scale) / rowPx.peek());
      shiftPx.value = scale === 1 ? 0 : element.scrollTop - element.scrollTop * scale;
    };
    onScroll();
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [box, scale, scrollTop, first, shiftPx, rowPx]);

  // After Back the list begins where it was left, as soon as it is that long.
  const isLong = total > 0;
  useLayoutEffect(() => {
    if (isLong && box.current) box.current.scrollTop = scrollTop.peek();
  }, [list, isLong, box, scrollTop]);

  const perView = Math.max(1, Math.floor(viewPx.value / rowPx.value));
  return {
    heightPx,
    perView,
    first: first.value,
    widthPx: widthPx.value,
    topOf: (index) => index * rowPx.value + shiftPx.value,
    indices: (active) => {
      const from = Math.max(0, first.value - OVERSCAN);
      const to = Math.min(total, first.value + perView + 1 + OVERSCAN);
      const shown = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
      if (active >= total || active < 0 || (active >= from && active < to)) return shown;
      return active < from ? [active, ...shown] : [...shown, active];
    },
    beginWith: (index) => {
      if (box.current) box.current.scrollTop = (index * rowPx.peek()) / scale;
    },
    reveal: (index) => {
      const element = box.current;
      if (!element) return;
      const [top, bottom] = [index * rowPx.peek(), (index + 1) * rowPx.peek()];
      const now = element.scrollTop * scale;
      if (top < now) element.scrollTop = top / scale;
      else if (bottom > now + viewPx.peek()) element.scrollTop = (bottom - viewPx.peek()) / scale;
    },
  };
}

function rowHeight(element: HTMLElement): number {
  const [, size = "", unit = ""] =
    /([\d.]+)(rem|px)/.exec(getComputedStyle(element).getPropertyValue("--row")) ?? [];
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Number(size) * (unit === "rem" ? rem : 1) || FALLBACK_PX;
}

function headHeight(element: HTMLElement): number {
  return element.querySelector<HTMLElement>(".grid-head")?.offsetHeight ?? 0;
}
