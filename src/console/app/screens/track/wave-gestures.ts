import { useEffect } from "preact/hooks";
import type { WaveState } from "./wave-state.ts";

type Gestures = { wave: WaveState; onMove: (sec: number) => void };

/** Zoom by wheel per pixel that it turns. */
const WHEEL = 0.002;

/** Pressing and dragging moves the position; the wheel with Ctrl and two fingers zoom; the wheel alone scrolls sideways. */
export function useGestures(box: { current: HTMLElement | null }, { wave, onMove }: Gestures): void {
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
    const spread = () => {
      const [one = 0, other = 0] = [...fingers.values()];
      return { apart: Math.max(10, Math.abs(one - other)), middle: (one + other) / 2 };
    };

    on("pointerdown", (event) => {
      if (event.button !== 0 || (event.target as Element).closest("button")) return;
      fingers.set(event.pointerId, event.clientX);
      element.setPointerCapture(event.pointerId);
      if (fingers.size === 1) onMove(secAt(event.clientX));
    });
    on("pointermove", ({ pointerId, clientX }) => {
      if (!fingers.has(pointerId)) return;
      const before = spread();
      fingers.set(pointerId, clientX);
      if (fingers.size === 2) wave.zoom(before.apart / spread().apart, xOf(before.middle));
      else if (fingers.size === 1) onMove(secAt(clientX));
    });
    const lift = ({ pointerId }: PointerEvent) => void fingers.delete(pointerId);
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
