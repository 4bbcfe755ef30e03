import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { exactSec, isPlaying, loaded, positionSec, seek } from "./sound.ts";

/** Where one track is: what plays of it, or where it would begin. */
export type Clock = {
  positionSec: ReadonlySignal<number>;
  isPlaying: ReadonlySignal<boolean>;
  /** Where it is exactly: the signal follows in steps. */
  nowSec: () => number;
  /** Moves to a time, whether it plays or not. */
  moveTo: (toSec: number) => void;
};

export function createClock(trackId: string): Clock {
  const waiting = signal(0);
  const isLoaded = () => loaded.value?.trackId === trackId;
  return {
    positionSec: computed(() => (isLoaded() ? positionSec.value : waiting.value)),
    nowSec: () => (isLoaded() ? exactSec() : waiting.peek()),
    isPlaying: computed(() => isLoaded() && isPlaying.value),
    moveTo: (toSec) => {
      waiting.value = toSec;
      if (isLoaded()) seek(toSec);
    },
  };
}
