import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Rows drawn above and below what shows, so that fast scrolling finds them. */
const SPARE = 12;

/** The rows of a list that are drawn, `to` not among them, and the height of one. */
export type RowWindow = { from: number; to: number; rowPx: number };

/**
 * Says which rows of a long list to draw. Rows have one height, `--row`; rows that are not drawn are space above and below. `list` is
 * the element that holds the rows; it scrolls within the nearest ancestor that does.
 */
export function useRowWindow(list: RefObject<HTMLElement | null>, count: number): RowWindow {
  // The first rows are drawn once their place is known: laying out rows that do not show is what costs.
  const shown = useSignal<RowWindow>({ from: 0, to: 0, rowPx: 48 });
  useLayoutEffect(() => {
    const element = list.current;
    const scroller = element && scrollerOf(element);
    if (!element || !scroller) return;
    const look = () => {
      const rowPx = rowHeightOf(element);
      const above = scroller.getBoundingClientRect().top - element.getBoundingClientRect().top;
      const from = Math.max(0, Math.floor(above / rowPx) - SPARE);
      const to = Math.min(count, Math.ceil((above + scroller.clientHeight) / rowPx) + SPARE);
      const { from: f, to: t, rowPx: r } = shown.peek();
      if (f !== from || t !== to || r !== rowPx) shown.value = { from, to: Math.max(from, to), rowPx };
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(scroller);
    scroller.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      scroller.removeEventListener("scroll", look);
    };
  }, [count, list, shown]);
  return shown.value;
}

/** Scrolls a row of the list into view, drawn or not. */
export function scrollToRow(list: HTMLElement, index: number): void {
  const scroller = scrollerOf(list);
  const rowPx = rowHeightOf(list);
  const top = list.getBoundingClientRect().top - scroller.getBoundingClientRect().top + index * rowPx;
  if (top < 0) scroller.scrollTop += top;
  else if (top + rowPx > scroller.clientHeight) scroller.scrollTop += top + rowPx - scroller.clientHeight;
}

function scrollerOf(element: HTMLElement): HTMLElement {
  for (let each = element.parentElement; each; each = each.parentElement)
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  return document.documentElement;
}

function rowHeightOf(element: HTMLElement): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Number.parseFloat(getComputedStyle(element).getPropertyValue("--row")) * rem;
}
