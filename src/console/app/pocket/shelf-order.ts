import type { ListRow, TrackRow } from "./store.ts";

type Rows = ReadonlyMap<string, TrackRow>;

/** Returns kept lists by their names. */
export const sorted = (all: readonly ListRow[]): ListRow[] =>
  all.toSorted((a, b) => a.name.localeCompare(b.name));

/** Returns the kept tracks of a list, in its order. */
export const inOrderOf = ({ trackIds }: ListRow, rows: Rows): TrackRow[] =>
  trackIds.flatMap((id) => rows.get(id) ?? []);

/** Returns all kept tracks in the order in which they show: those of the lists first, then the others by their titles. */
export function inOrder(all: readonly ListRow[], rows: Rows): TrackRow[] {
  const ids = new Set(sorted(all).flatMap(({ trackIds }) => trackIds));
  const single = [...rows.values()].filter(({ trackId }) => !ids.has(trackId));
  single.sort((a, b) => a.title.localeCompare(b.title));
  return [...[...ids].flatMap((id) => rows.get(id) ?? []), ...single];
}
