import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** A row's element in the document, by a key of its own, and the row that it shows. */
export type Slot = readonly [key: number, index: number];

/** After so long without another row the list is at rest. */
const REST_MS = 150;
/** Without this, an element that is moved loses the focus. */
const canMove = "moveBefore" in Element.prototype;

/**
 * Returns the elements that show rows, in the order of the document. While the list is scrolled, a row that leaves hands its
 * element to one that comes, which costs less than a new one. At rest the document has the order of the list again, for
 * those who read it. A browser that cannot move an element that has the focus gets a new one for each row.
 */
export function useSlots(indices: readonly number[]): readonly Slot[] {
  const slots = useRef<readonly Slot[]>([]);
  const rested = useSignal("");
  const drawn = indices.join();
  const isAtRest = rested.value === drawn;
  useEffect(() => {
    if (!canMove) return;
    const timer = setTimeout(() => {
      rested.value = drawn;
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [drawn, rested]);
  if (!canMove) return indices.map((index) => [index, index]);
  const handed = handOver(slots.current, indices);
  slots.current = isAtRest ? handed.sort(([, a], [, b]) => a - b) : handed;
  return slots.current;
}

/** Keeps the elements of rows that stay. The others go to new rows; missing elements are made, spare ones removed. */
function handOver(slots: readonly Slot[], indices: readonly number[]): Slot[] {
  const wanted = new Set(indices);
  const known = new Set(slots.map(([, index]) => index));
  const coming = indices.filter((index) => !known.has(index));
  const now: Slot[] = [];
  for (const slot of slots) {
    const next = wanted.has(slot[1]) ? slot[1] : coming.shift();
    if (next !== undefined) now.push(next === slot[1] ? slot : [slot[0], next]);
  }
  const free = Math.max(-1, ...now.map(([key]) => key)) + 1;
  return [...now, ...coming.map((index, at): Slot => [free + at, index])];
}
