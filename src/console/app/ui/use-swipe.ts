import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A finger that moves so far sideways, and twice as far as up or down, swipes. */
const SWIPE_PX = 56;
/** What a finger moves itself, or marks text in. */
const OWN_GESTURES = "input, textarea, select, [role=slider], .step-waves";

/**
 * Hears fingers that swipe over a part of a page: 1 to the left, which brings what comes next, and -1 to the right. The part
 * needs `touch-action: pan-y`, or the browser takes the finger away.
 */
export function useSwipe(box: RefObject<HTMLElement | null>, onSwipe: (by: 1 | -1) => void): void {
  const latest = useRef(onSwipe);
  latest.current = onSwipe;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const stop = new AbortController();
    const { signal } = stop;
    let began: PointerEvent | undefined;
    element.addEventListener(
      "pointerdown",
      (event) => {
        const isAlone = event.pointerType === "touch" && event.isPrimary;
        began = isAlone && !(event.target as Element).closest(OWN_GESTURES) ? event : undefined;
      },
      { signal },
    );
    element.addEventListener(
      "pointerup",
      ({ pointerId, clientX, clientY }) => {
        if (began?.pointerId !== pointerId) return;
        const [x, y] = [clientX - began.clientX, clientY - began.clientY];
        began = undefined;
        if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) latest.current(x < 0 ? 1 : -1);
      },
      { signal },
    );
    return () => stop.abort();
  }, [box]);
}
