import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { Paint } from "./outline.ts";

const DARK = matchMedia("(prefers-color-scheme: dark)");

/** The size of an element in CSS pixels, 0 by 0 until it is laid out. */
export function useSize(element: RefObject<HTMLElement | null>): Signal<{ width: number; height: number }> {
  const size = useSignal({ width: 0, height: 0 });
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      size.value = { width, height };
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, size]);
  return size;
}

/** The colours of a waveform in the scheme that shows. */
export function usePaint(): Signal<Paint> {
  const paint = useSignal(readPaint());
  useEffect(() => {
    const update = () => {
      paint.value = readPaint();
    };
    DARK.addEventListener("change", update);
    return () => DARK.removeEventListener("change", update);
  }, [paint]);
  return paint;
}

function readPaint(): Paint {
  const style = getComputedStyle(document.documentElement);
  const [wave = "", played = "", head = ""] = ["--wave", "--accent", "--ink"].map((name) =>
    style.getPropertyValue(name),
  );
  return { wave, played, head };
}
