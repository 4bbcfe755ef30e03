import { type Signal, signal } from "@preact/signals";
import type { Side, Span } from "../../player/ab.ts";

/** The comparison that shows: at most one. */
type Comparison = {
  ids: Readonly<Record<Side, string>>;
  listen: (side: Side) => void;
  /** What is heard of it, in the times of the version that sounds. */
  now: () => { side: Side; atSec: number; span: Span | undefined; isPlaying: boolean };
};

const current: Signal<Comparison | undefined> = signal(undefined);

/** Says that a comparison shows. Returns how it ends. */
export function begin(comparison: Comparison): () => void {
  current.value = comparison;
  return () => {
    if (current.peek() === comparison) current.value = undefined;
  };
}

/** Plays a version within the comparison that shows; false when it is not part of one. */
export function hear(versionId: string): boolean {
  const comparison = current.peek();
  if (!comparison) return false;
  const side = (["a", "b"] as const).find((each) => comparison.ids[each] === versionId);
  if (side) comparison.listen(side);
  return side !== undefined;
}

/** Returns what is heard of the comparison that shows. */
export function heardNow() {
  const comparison = current.peek();
  if (!comparison) return undefined;
  const { side, ...now } = comparison.now();
  return { ...now, versionId: comparison.ids[side] };
}
