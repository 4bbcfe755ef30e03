import { countsOf } from "./read-name.ts";

/** False for a label that counts less than another of the same kind: `v9` beside `v10`, an earlier date. */
export function isNewerLabel(label: string, other: string): boolean {
  const counts = countsOf(other);
  for (const [kind, count] of countsOf(label)) {
    const difference = compare(count, counts.get(kind) ?? count);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function compare(one: readonly number[], other: readonly number[]): number {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
