import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

type Handlers = {
  /** Hears where the pointer is, 0 at the left and 1 at the right; undefined when it has left. */
  onMove: (share: number | undefined) => void;
  /** Hears where the picture was pressed. */
  onPick: (share: number) => void;
};

/** Follows the pointer over a picture that is hidden from screen readers, and so has no handlers of its own. */
export function usePointer(box: RefObject<HTMLElement | null>, handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const shareOf = ({ clientX }: MouseEvent) => {
      const { left, width } = element.getBoundingClientRect();
      return Math.min(1, Math.max(0, (clientX - left) / width));
    };
    const move = (event: PointerEvent) => latest.current.onMove(shareOf(event));
    const leave = () => latest.current.onMove(undefined);
    const pick = (event: MouseEvent) => latest.current.onPick(shareOf(event));
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("click", pick);
    return () => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("click", pick);
    };
  }, [box]);
}
