import { computed, type ReadonlySignal, type Signal } from "@preact/signals";

/** Which rows are selected: some by their ids, or all of a list but some. */
export type Selected = { isAll: boolean; ids: readonly string[] };

/** Nothing. */
export const NOTHING: Selected = { isAll: false, ids: [] };

/** The selection of a list. */
export type Selection = {
  selected: Signal<Selected>;
  /** How many rows are selected. */
  count: ReadonlySignal<number>;
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  /** Selects rows, beside those that are. */
  add: (ids: readonly string[]) => void;
  /** Selects the whole list, unread rows included. */
  all: () => void;
  clear: () => void;
};

/**
 * Makes a selection of a value that the caller keeps, so that Back restores it.
 *
 * @param total Rows of the list.
 */
export function createSelection(
  selected: Signal<Selected>,
  total: ReadonlySignal<number | undefined>,
): Selection {
  const set = computed(() => new Set(selected.value.ids));
  return {
    selected,
    count: computed(() => {
      const { isAll, ids } = selected.value;
      return isAll ? Math.max(0, (total.value ?? 0) - ids.length) : ids.length;
    }),
    has: (id) => set.value.has(id) !== selected.value.isAll,
    toggle: (id) => {
      const { isAll, ids } = selected.peek();
      selected.value = { isAll, ids: set.peek().has(id) ? ids.filter((each) => each !== id) : [...ids, id] };
    },
    add: (more) => {
      const { isAll, ids } = selected.peek();
      const next = isAll ? ids.filter((id) => !more.includes(id)) : [...new Set([...ids, ...more])];
      selected.value = { isAll, ids: next };
    },
    all: () => {
      selected.value = { isAll: true, ids: [] };
    },
    clear: () => {
      selected.value = NOTHING;
    },
  };
}
