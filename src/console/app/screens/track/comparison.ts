import { type Signal, signal } from "@preact/signals";
import type { Side } from "../../player/ab.ts";

/** The comparison that shows: at most one. */
type Comparison = { ids: Readonly<Record<Side, string>>; listen: (side: Side) => void };

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
