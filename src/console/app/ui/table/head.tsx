/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { Icon } from "../icon.tsx";
import type { Arrangement, Column } from "./columns.ts";
import type { Selection } from "./selection.ts";

/** How a list is ordered: a column's `sort`, with `-` in front backwards. */
export type Sort = { value: string; change: (value: string) => void };

const MIN_PX = 48;

type HeadProps<Row> = {
  columns: readonly Column<Row>[];
  arrangement: Signal<Arrangement>;
  selection: Selection;
  sort: Sort | undefined;
  total: number;
};

/** The row of column headers; their buttons order the list, their edges size the columns. */
export function GridHead<Row>({ columns, arrangement, selection, sort, total }: HeadProps<Row>) {
  const { value: selected } = selection.selected;
  const isAll = total > 0 && selection.count.value === total;
  return (
    <div role="rowgroup" class="grid-head">
      <div role="row" aria-rowindex={1} class="grid-row grid-head-row">
        <div role="columnheader" class="grid-cell grid-cell-select">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select all"
            checked={isAll}
            ref={(input) => {
              if (input) input.indeterminate = !isAll && (selected.isAll || selected.ids.length > 0);
            }}
            onChange={() => (isAll ? selection.clear() : selection.all())}
          />
        </div>
        <div role="columnheader" class="grid-cell grid-cell-lead">
          <span class="sr-only">Play</span>
        </div>
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} arrangement={arrangement} sort={sort} />
        ))}
        <div role="columnheader" class="grid-cell grid-cell-actions">
          <span class="sr-only">Actions</span>
        </div>
      </div>
    </div>
  );
}

type CellProps<Row> = { column: Column<Row>; arrangement: Signal<Arrangement>; sort: Sort | undefined };

function HeadCell<Row>({ column, arrangement, sort }: CellProps<Row>) {
  const { id, name, isFigure = false, sort: by, firstSort = "ascending" } = column;
  const direction = by === undefined || !sort ? undefined : directionOf(sort.value, by);
  const press = () => {
    if (by === undefined || !sort) return;
    const next = direction === undefined ? firstSort : direction === "ascending" ? "descending" : "ascending";
    sort.change(next === "ascending" ? by : `-${by}`);
  };
  return (
    <div
      role="columnheader"
      class={`grid-cell grid-cell-${id} ${isFigure ? "grid-cell-figure" : ""}`}
      aria-sort={by === undefined ? undefined : (direction ?? "none")}
    >
      {by === undefined || !sort ? (
        <span class="head-name">{name}</span>
      ) : (
        <button type="button" class="head-button" tabIndex={-1} onClick={press}>
          {name}
          {direction !== undefined && <Icon name={direction === "ascending" ? "up" : "down"} />}
        </button>
      )}
      <span
        class="head-edge"
        aria-hidden="true"
        onPointerDown={(event) => beginResize(event, id, arrangement)}
      />
    </div>
  );
}

function directionOf(sort: string, by: string): "ascending" | "descending" | undefined {
  return sort === by ? "ascending" : sort === `-${by}` ? "descending" : undefined;
}

/** Drags the edge of a column. The dialog "Columns" does the same by keys. */
function beginResize(event: PointerEvent, id: string, arrangement: Signal<Arrangement>): void {
  const edge = event.currentTarget as HTMLElement;
  const from = edge.parentElement?.offsetWidth ?? 0;
  edge.setPointerCapture(event.pointerId);
  event.preventDefault();
  const move = ({ clientX }: PointerEvent) => {
    const width = Math.max(MIN_PX, Math.round(from + clientX - event.clientX));
    arrangement.value = { ...arrangement.value, widths: { ...arrangement.value.widths, [id]: width } };
  };
  edge.addEventListener("pointermove", move);
  edge.addEventListener("lostpointercapture", () => edge.removeEventListener("pointermove", move), {
    once: true,
  });
}
