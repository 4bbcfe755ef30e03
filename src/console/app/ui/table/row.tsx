/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Column } from "./columns.ts";
import type { Selection } from "./selection.ts";

/** What a list says of its rows. */
export type RowParts<Row> = {
  idOf: (row: Row) => string;
  /** The accessible name of the row: "Night Bus, Mara". */
  nameOf: (row: Row) => string;
  /** The title alone, for the names of its controls. */
  titleOf: (row: Row) => string;
  /** At the left: a cover with the play button. */
  lead: (row: Row, index: number) => ComponentChildren;
  /** At the right: the row's own actions. */
  actions: (row: Row, index: number) => ComponentChildren;
};

type GridRowProps<Row> = {
  index: number;
  top: number;
  row: Row | undefined;
  columns: readonly Column<Row>[];
  isActive: boolean;
  selection: Selection;
  parts: RowParts<Row>;
  /** Selects from the row selected last to this one. */
  onRange: (index: number) => void;
  onToggle: (index: number) => void;
  onPlay: (index: number) => void;
};

/** So long a finger rests on a row to select it. */
const LONG_PRESS_MS = 500;
const CONTROLS = "a, button, input";

/** A row, or its place while it is not read: a list never jumps. */
export function GridRow<Row>(props: GridRowProps<Row>) {
  const { index, top, row, columns, isActive, selection, parts, onRange, onToggle, onPlay } = props;
  const id = row && parts.idOf(row);
  const isSelected = id !== undefined && selection.has(id);
  const press = useLongPress(() => onToggle(index));
  const onClick = (event: MouseEvent) => {
    if (press.hasJustFired() || (event.target as Element).closest(CONTROLS)) return;
    const isTouch = (event as PointerEvent).pointerType === "touch";
    if (event.shiftKey) onRange(index);
    else if (event.ctrlKey || event.metaKey || (isTouch && selection.count.peek() > 0)) onToggle(index);
    else if (isTouch) onPlay(index);
  };
  return (
    <div
      role="row"
      class="grid-row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-busy={row === undefined}
      {...(row && { "aria-label": parts.nameOf(row) })}
      {...(isActive && { "data-active": "" })}
      data-index={index}
      draggable={row !== undefined}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onClick}
      onDblClick={({ target }) => (target as Element).closest(CONTROLS) || onPlay(index)}
      {...press.handlers}
    >
      <div role="gridcell" class="grid-cell grid-cell-select">
        {row && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${parts.titleOf(row)}`}
            checked={isSelected}
            onClick={(event) => {
              // A checkbox does not say which keys were held when it changes.
              if (event.shiftKey) onRange(index);
              else onToggle(index);
            }}
          />
        )}
      </div>
      <div role="gridcell" class="grid-cell grid-cell-lead">
        {row && parts.lead(row, index)}
      </div>
      {columns.map(({ id: column, isFigure, cell }) => (
        <div
          key={column}
          role="gridcell"
          class={`grid-cell grid-cell-${column} ${isFigure ? "grid-cell-figure" : ""}`}
        >
          {row ? cell(row) : <span class="grid-cell-waiting" />}
        </div>
      ))}
      <div role="gridcell" class="grid-cell grid-cell-actions">
        {row && parts.actions(row, index)}
      </div>
    </div>
  );
}

/** Calls `run` when a finger rests; the click that follows does nothing. */
export function useLongPress(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const firedAt = useRef(Number.NEGATIVE_INFINITY);
  const end = () => clearTimeout(timer.current);
  return {
    hasJustFired: () => performance.now() - firedAt.current < LONG_PRESS_MS,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.pointerType !== "touch") return;
        timer.current = setTimeout(() => {
          firedAt.current = performance.now();
          run();
        }, LONG_PRESS_MS);
      },
      onPointerUp: end,
      onPointerCancel: end,
      onPointerLeave: end,
    },
  };
}
