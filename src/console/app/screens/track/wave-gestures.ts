import { useEffect } from "preact/hooks";
import type { Span } from "../../player/ab.ts";
import type { WaveState } from "./wave-state.ts";

type Gestures = {
  wave: WaveState;
  onMove: (sec: number) => void;
  /** Called with what is dragged over, and with nothing when a press begins. */
  onSpan?: (span: Span | undefined) => void;
};

/** Zoom by wheel per pixel that it turns. */
const WHEEL = 0.002;
/** A press that moves less than this is no drag. */
const DRAG_PX = 5;

/**
 * Pressing and dragging moves the position, and marks what was dragged over; the wheel with Ctrl and two fingers zoom; the wheel
 * alone scrolls sideways.
 */
export function useGestures(box: { current: HTMLElement | null }, { wave, onMove, onSpan }: Gestures): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const stop = new AbortController();
    const on = <Type extends keyof HTMLElementEventMap>(
      type: Type,
      listener: (event: HTMLElementEventMap[Type]) => void,
    ) => element.addEventListener(type, listener, { signal: stop.signal, passive: false });
    const fingers = new Map<number, number>();
    const xOf = (clientX: number) => clientX - element.getBoundingClientRect().left;
    const secAt = (clientX: number) => {
      const { fromSec, secondsPerPx } = wave.current();
      return Math.min(wave.durationSec.peek(), Math.max(0, fromSec + xOf(clientX) * secondsPerPx));
    };
    let pressed = { x: 0, sec: 0 };
    let isPinched = false;
    const drag = (clientX: number) => {
      const sec = secAt(clientX);
      onMove(sec);
      const isDrag = !isPinched && Math.abs(clientX - pressed.x) >= DRAG_PX;
      const span = { fromSec: Math.min(sec, pressed.sec), toSec: Math.max(sec, pressed.sec) };
      onSpan?.(isDrag ? span : undefined);
    };
    const spread = () => {
      const [one = 0, other = 0] = [...fingers.values()];
      return { apart: Math.max(10, Math.abs(one - other)), middle: (one + other) / 2 };
    };

    on("pointerdown", (event) => {
      if (event.button !== 0 || (event.target as Element).closest("button")) return;
      fingers.set(event.pointerId, event.clientX);
      element.setPointerCapture(event.pointerId);
      isPinched ||= fingers.size > 1;
      onSpan?.(undefined);
      pressed = { x: event.clientX, sec: secAt(event.clientX) };
      if (fingers.size === 1) onMove(pressed.sec);
    });
    on("pointermove", ({ pointerId, clientX }) => {
      if (!fingers.has(pointerId)) return;
      const before = spread();
      fingers.set(pointerId, clientX);
      if (fingers.size === 2) wave.zoom(before.apart / spread().apart, xOf(before.middle));
      if (fingers.size === 1) drag(clientX);
    });
    const lift = ({ pointerId }: PointerEvent) => {
      fingers.delete(pointerId);
      isPinched &&= fingers.size > 0;
    };
    on("pointerup", lift);
    on("pointercancel", lift);
    on("wheel", (event) => {
      const { ctrlKey, metaKey, deltaX, deltaY, clientX } = event;
      if (ctrlKey || metaKey) wave.zoom(Math.exp(deltaY * WHEEL * 4), xOf(clientX));
      else if (Math.abs(deltaX) > Math.abs(deltaY) && wave.view.peek()) {
        const { fromSec, secondsPerPx } = wave.current();
        wave.scrollTo(fromSec + deltaX * secondsPerPx);
      } else return;
      event.preventDefault();
    });
    return () => stop.abort();
  }, [box, wave]);
}
