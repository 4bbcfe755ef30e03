import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";

/** A row that is dragged, and the place where it would land. */
export type Drag = { from: number; to: number };

/** So many pixels make a press a drag. */
const SLOP_PX = 4;
/** Near an edge of what scrolls, it scrolls by so much each frame. */
const EDGE_PX = 56;
const STEP_PX = 9;

/**
 * Lets a row be dragged by its handle, with mouse, finger or pen. Escape puts it back.
 *
 * @param onDrop Called with where the row was and where it lands.
 */
export function useDrag(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowPx: number,
  onDrop: (drag: Drag) => void,
): { drag: Signal<Drag | null>; begin: (event: PointerEvent, from: number) => void } {
  const drag = useSignal<Drag | null>(null);
  const now = useMemo(() => ({ count, rowPx, onDrop }), []);
  Object.assign(now, { count, rowPx, onDrop });
  return {
    drag,
    begin: (event, from) => {
      if (event.button !== 0 || !list.current) return;
      follow({ list: list.current, drag, now, from, startY: event.clientY, handle: event.currentTarget });
    },
  };
}

type Following = {
  list: HTMLElement;
  drag: Signal<Drag | null>;
  now: { count: number; rowPx: number; onDrop: (drag: Drag) => void };
  from: number;
  startY: number;
  handle: EventTarget | null;
};

function follow({ list, drag, now, from, startY, handle }: Following): void {
  const scroller = list.closest<HTMLElement>(".main");
  let y = startY;
  let frame = 0;
  const place = () => {
    const at = (y - list.getBoundingClientRect().top) / now.rowPx;
    const to = Math.max(0, Math.min(now.count - 1, Math.floor(at)));
    if (drag.peek()?.to !== to) drag.value = { from, to };
  };
  const scroll = () => {
    frame = requestAnimationFrame(scroll);
    if (!scroller || !drag.peek()) return;
    const { top, bottom } = scroller.getBoundingClientRect();
    const by = y < top + EDGE_PX ? -STEP_PX : y > bottom - EDGE_PX ? STEP_PX : 0;
    if (by === 0) return;
    scroller.scrollTop += by;
    place();
  };
  const move = (event: PointerEvent) => {
    y = event.clientY;
    if (!drag.peek() && Math.abs(y - startY) < SLOP_PX) return;
    event.preventDefault();
    place();
  };
  const end = (isDropped: boolean) => {
    const dropped = drag.peek();
    drag.value = null;
    cancelAnimationFrame(frame);
    stop.abort();
    if (!dropped) return;
    // The click that follows a drag would open the handle's menu.
    const swallow = (event: Event) => event.stopImmediatePropagation();
    handle?.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => handle?.removeEventListener("click", swallow, { capture: true }));
    if (isDropped && dropped.to !== dropped.from) now.onDrop(dropped);
  };
  const stop = new AbortController();
  const options = { signal: stop.signal };
  addEventListener("pointermove", move, options);
  addEventListener("pointerup", () => end(true), options);
  addEventListener("pointercancel", () => end(false), options);
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      end(false);
    },
    { ...options, capture: true },
  );
  frame = requestAnimationFrame(scroll);
}
