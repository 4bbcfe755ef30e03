import type { Signal } from "@preact/signals";

/** Which rows are selected: some by id, or all of the list with exceptions. */
export type Selected = { ids: readonly string[] } | { except: readonly string[] };

export const NOTHING: Selected = { ids: [] };

/** Returns true when a row is selected. */
export function isSelected(selected: Selected, id: string): boolean {
  return "ids" in selected ? selected.ids.includes(id) : !selected.except.includes(id);
}

/** Returns how many rows of a list of `total` are selected. */
export function countOf(selected: Selected, total: number): number {
  return "ids" in selected ? selected.ids.length : Math.max(0, total - selected.except.length);
}

/** Selects a row, or takes it out. */
export function toggle(selected: Signal<Selected>, id: string): void {
  setRows(selected, [id], !isSelected(selected.value, id));
}

/** Selects rows, or takes them out; the others stay as they are. */
export function setRows(selected: Signal<Selected>, ids: readonly string[], isOn: boolean): void {
  const now = selected.value;
  const [listed, adds] = "ids" in now ? [now.ids, isOn] : [now.except, !isOn];
  const next = adds
    ? [...listed, ...ids.filter((id) => !listed.includes(id))]
    : listed.filter((id) => !ids.includes(id));
  selected.value = "ids" in now ? { ids: next } : { except: next };
}
