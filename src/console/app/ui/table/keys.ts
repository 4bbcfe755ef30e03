import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useActions } from "../keys.ts";

type GridKeys = {
  total: number;
  active: Signal<number>;
  /** Rows that fit into the view. */
  perView: number;
  /** Makes a row the active one, and gives it the focus. */
  moveTo: (index: number) => void;
  onOpen: (index: number, isWhole: boolean) => void;
  onToggle: (index: number) => void;
  onRange: (index: number) => void;
  onSelectAll: () => void;
};

const CONTROLS = "a, button, input";

/**
 * The keys of a list: arrows move between rows, left and right through the controls of a row, Enter opens. One stop for the
 * Tab key. Returns what listens to the keys that only mean something while the list has the focus.
 */
export function useGridKeys(box: RefObject<HTMLElement | null>, keys: GridKeys) {
  const { total, active, perView, moveTo, onOpen, onToggle, onRange, onSelectAll } = keys;
  const last = total - 1;
  const move = (to: number) => () => {
    if (total === 0) return;
    if (to < 0 && isInGrid(box) && active.peek() === 0) focusHead(box);
    else moveTo(Math.max(0, Math.min(last, to)));
  };
  const extend = (by: 1 | -1) => () => {
    const to = Math.max(0, Math.min(last, active.peek() + by));
    onRange(to);
    moveTo(to);
  };
  // The first step into a list that has no focus yet is its active row.
  const step = (by: number) => () => move(isInGrid(box) ? active.peek() + by : active.peek())();
  const hasRows = total > 0;
  useActions(
    hasRows
      ? {
          previousRow: step(-1),
          nextRow: step(1),
          firstRow: move(0),
          lastRow: move(last),
          pageUp: () => move(Math.max(0, active.peek() - perView))(),
          pageDown: () => move(active.peek() + perView)(),
          select: () => onToggle(active.peek()),
          extendUp: extend(-1),
          extendDown: extend(1),
          selectAll: onSelectAll,
        }
      : {},
  );
  return (event: KeyboardEvent) => {
    const place = placeOf(event);
    const run = place && actionIn(place, { moveTo, onOpen, active });
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
}

/** Where in a list a key was pressed. */
type Place = {
  key: string;
  isShifted: boolean;
  target: HTMLElement;
  row: HTMLElement;
  isRow: boolean;
  isHead: boolean;
};

function placeOf({ key, target, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Place | undefined {
  if (!(target instanceof HTMLElement) || ctrlKey || metaKey || altKey) return undefined;
  const row = target.closest<HTMLElement>("[role=row]");
  if (!row) return undefined;
  return {
    key,
    isShifted: shiftKey,
    target,
    row,
    isRow: target === row,
    isHead: row.closest(".grid-head") !== null,
  };
}

/** Returns what a key does there; undefined: nothing of its own. */
function actionIn(
  { key, isShifted, target, row, isRow, isHead }: Place,
  { moveTo, onOpen, active }: Pick<GridKeys, "moveTo" | "onOpen" | "active">,
): (() => void) | undefined {
  const isStep = !isShifted && (key === "ArrowLeft" || key === "ArrowRight");
  if (isStep) return () => stepThrough(row, target, key === "ArrowRight" ? 1 : -1);
  if (isHead) return key === "ArrowDown" ? () => moveTo(active.peek()) : undefined;
  if (key === "Enter" && isRow) return () => onOpen(Number(row.dataset.index), isShifted);
  return key === "Escape" && !isRow ? () => row.focus() : undefined;
}

const isInGrid = (box: RefObject<HTMLElement | null>) =>
  box.current?.contains(document.activeElement) ?? false;

function focusHead(box: RefObject<HTMLElement | null>): void {
  box.current?.querySelector<HTMLElement>(".grid-head .head-button")?.focus();
}

/** Moves the focus through a row and its controls. */
function stepThrough(row: HTMLElement, from: HTMLElement, by: 1 | -1): void {
  const isHead = row.closest(".grid-head") !== null;
  const controls = [...row.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (each) => each.offsetParent !== null,
  );
  const stops = isHead ? controls : [row, ...controls];
  stops[stops.indexOf(from) + by]?.focus();
}
