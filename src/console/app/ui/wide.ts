import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const WIDE = matchMedia("(min-width: 64rem)");

/** True while the window is as wide as a desk's: a thing shows beside its list, the column has words. */
export function useWide(): boolean {
  const isWide = useSignal(WIDE.matches);
  useEffect(() => {
    const update = () => {
      isWide.value = WIDE.matches;
    };
    WIDE.addEventListener("change", update);
    return () => WIDE.removeEventListener("change", update);
  }, [isWide]);
  return isWide.value;
}
