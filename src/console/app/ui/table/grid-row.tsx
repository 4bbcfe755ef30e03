/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

/** A column of a table. */
export type Column<Row> = {
  id: string;
  /** Its heading. */
  name: string;
  /** What the server calls the order by this column; left out: it cannot be sorted by. */
  sort?: string;
  /** The first click sorts from high to low: counts and dates. */
  isDescendingFirst?: boolean;
  /** Figures stand at the right. */
  isFigure?: boolean;
  /** A track of a CSS grid: `4rem`, `minmax(8rem, 1fr)`. */
  width: string;
  cell: (row: Row) => ComponentChildren;
};

const LONG_PRESS_MS = 500;

type RowProps<Row> = {
  row: Row | undefined;
  index: number;
  columns: readonly Column<Row>[];
  lead: (row: Row) => ComponentChildren;
  tail: (row: Row) => ComponentChildren;
  name: string | undefined;
  topPx: number;
  isSelected: boolean;
  isTabStop: boolean;
  className: string;
  onFocus: () => void;
  onLongPress: () => void;
  onOpen: (isWhole: boolean) => void;
};

/** A row of a table. Without its data it keeps its height and shows bars. */
export function GridRow<Row>(props: RowProps<Row>) {
  const { row, index, columns, name, topPx, onFocus, onOpen } = props;
  const press = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const endPress = () => clearTimeout(press.current);
  return (
    <div
      role="row"
      class={`table-row ${props.className}`}
      aria-rowindex={index + 2}
      aria-selected={props.isSelected}
      {...(name === undefined ? { "aria-busy": true, "aria-label": "Loading" } : { "aria-label": name })}
      tabIndex={props.isTabStop ? 0 : -1}
      style={{ transform: `translateY(${topPx}px)` }}
      onFocusIn={onFocus}
      onKeyDown={(event) => moveWithin(event, onOpen)}
      onDblClick={() => onOpen(false)}
      onPointerDown={({ pointerType }) => {
        if (pointerType === "touch") press.current = setTimeout(props.onLongPress, LONG_PRESS_MS);
      }}
      onPointerUp={endPress}
      onPointerCancel={endPress}
      onPointerMove={endPress}
    >
      <div role="gridcell" class="cell-lead">
        {row && props.lead(row)}
      </div>
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          class={`cell cell-${column.id} ${column.isFigure ? "figure" : ""}`}
        >
          {row ? column.cell(row) : <span class="cell-waiting" />}
        </div>
      ))}
      <div role="gridcell" class="cell-tail">
        {row && props.tail(row)}
      </div>
    </div>
  );
}

/** Left and right move between the controls of a row; Enter on the row itself opens it. */
function moveWithin(event: KeyboardEvent, onOpen: (isWhole: boolean) => void): void {
  const row = event.currentTarget as HTMLElement;
  if (event.key === "Enter" && event.target === row) {
    event.preventDefault();
    onOpen(event.shiftKey);
  }
  if ((event.key !== "ArrowLeft" && event.key !== "ArrowRight") || event.shiftKey || event.altKey) return;
  const stops = [row, ...row.querySelectorAll<HTMLElement>("input, button, a")].filter(
    (element) => element.offsetParent !== null || element === row,
  );
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(at + (event.key === "ArrowRight" ? 1 : -1), stops.length - 1))]?.focus();
  event.preventDefault();
}
