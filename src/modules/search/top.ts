/**
 * Returns the places of the `limit` best rows: highest score first, then newest, then by id, so that the order never
 * depends on how the rows came. One pass; `limit` is small.
 */
export function topOf(
  rows: readonly { id: string; createdAt: number }[],
  scores: Float64Array,
  limit: number,
): number[] {
  const best: number[] = [];
  const isBefore = (a: number, b: number) => {
    const [left, right, difference] = [rows[a], rows[b], (scores[b] ?? 0) - (scores[a] ?? 0)];
    if (!left || !right || difference !== 0) return difference < 0;
    return left.createdAt === right.createdAt ? left.id < right.id : left.createdAt > right.createdAt;
  };
  for (let index = 0; index < rows.length; index++) {
    const last = best.at(-1);
    if (best.length === limit && last !== undefined && !isBefore(index, last)) continue;
    const place = best.findIndex((other) => isBefore(index, other));
    best.splice(place === -1 ? best.length : place, 0, index);
    if (best.length > limit) best.pop();
  }
  return best;
}
