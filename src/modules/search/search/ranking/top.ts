// Indices stay inside the arrays by construction; the compiler cannot check that for typed arrays.

/** Returns true when slot `a` comes before slot `b`. */
export type IsBefore = (a: number, b: number) => boolean;

/**
 * Returns the `limit` slots with the highest scores, best first. Uses a heap and one pass.
 *
 * @param scores By slot.
 * @param isBefore A total order in which higher scores come first.
 */
export function topOf(slots: Uint32Array, limit: number, scores: Float32Array, isBefore: IsBefore): number[] {
  const heap = new Uint32Array(Math.min(limit, slots.length));
  let size = 0;
  /** Score of the root, the last of the kept slots. */
  let least = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i] as number;
    if ((scores[slot] as number) < least) continue;
    if (size < heap.length) rise(heap, size++, slot, isBefore);
    else if (size > 0 && isBefore(slot, heap[0] as number)) sink(heap, slot, isBefore);
    if (size === heap.length) least = scores[heap[0] as number] as number;
  }
  return Array.from(heap).sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

function rise(heap: Uint32Array, at: number, slot: number, isBefore: IsBefore): void {
  let place = at;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent] as number;
    if (!isBefore(above, slot)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = slot;
}

function sink(heap: Uint32Array, slot: number, isBefore: IsBefore): void {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    const right = child + 1;
    if (right < heap.length && isBefore(heap[child] as number, heap[right] as number)) child = right;
    if (!isBefore(slot, heap[child] as number)) break;
    heap[place] = heap[child] as number;
    place = child;
  }
  heap[place] = slot;
}
