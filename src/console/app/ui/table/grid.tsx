/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useKept } from "../../router.ts";
import { useActions } from "../keys.ts";
import { type Column, GridRow } from "./grid-row.tsx";
import type { Rows } from "./rows.ts";
import { isSelected, type Selected, setRows, toggle } from "./selection.ts";
import { type Window, windowOf } from "./windowing.ts";

type GridProps<Row extends { id: string }> = {
  label: string;
  rows: Rows<Row>;
  /** Height of a row in CSS pixels. */
  rowPx: number;
  columns: readonly Column<Row>[];
  /** `bpm`, or `-bpm` from high to low; left out: headings are no buttons. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  nameOf: (row: Row) => string;
  selected: Signal<Selected>;
  onOpen: (row: Row, isWhole: boolean) => void;
  /** The row that has the focus, or had it last. */
  active: Signal<string | undefined>;
  /** Before the columns: a box to select, a button to play. */
  lead: (row: Row) => ComponentChildren;
  /** After the columns: what can be done with the row. */
  tail: (row: Row) => ComponentChildren;
  rowClass?: (row: Row) => string;
};

/**
 * A table of any length as an ARIA grid. Rows of one height, of which those in view are in the document. It is one tab stop:
 * arrows up and down move the focus between rows, left and right within a row.
 */
export function Grid<Row extends { id: string }>(props: GridProps<Row>) {
  const { label, rows, rowPx, columns, selected, active, nameOf } = props;
  const box = useRef<HTMLDivElement>(null);
  const viewPx = useSignal(600);
  const scrollPx = useKept("scroll", 0);
  const total = rows.total.value ?? 0;
  void rows.version.value;
  const shown = windowOf(total, rowPx, viewPx.value, scrollPx.value);
  const { moveTo, activeIndex, extend } = useMoves(props, box, shown, total);
  useView(box, viewPx, scrollPx);
  useAnchor(box, rows, shown);
  useEffect(() => rows.want(shown.first, shown.first + shown.inView), [rows, shown.first, shown.inView]);

  useActions({
    previousRow: () => moveTo(activeIndex() - 1),
    nextRow: () => moveTo(activeIndex() + 1),
    firstRow: () => moveTo(0),
    lastRow: () => moveTo(total - 1),
    pageUp: () => moveTo(activeIndex() - shown.inView + 1),
    pageDown: () => moveTo(activeIndex() + shown.inView - 1),
    extendUp: () => extend(-1),
    extendDown: () => extend(1),
    selectAll: () => {
      selected.value = { except: [] };
    },
  });
  const current = activeIndex(false);
  const indices = Array.from({ length: Math.max(0, shown.to - shown.from + 1) }, (_, at) => shown.from + at);
  // The row with the focus stays in the document, wherever the list is scrolled to.
  if (current >= 0 && current < total && !indices.includes(current)) indices.push(current);
  return (
    <div
      ref={box}
      class="table"
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable="true"
      style={{ "--columns": columns.map(({ width }) => width).join(" ") }}
    >
      <Headings {...props} />
      <div role="rowgroup" class="table-rows" style={{ height: `${shown.boxPx}px` }}>
        {indices.map((index) => {
          const row = rows.at(index);
          return (
            <GridRow
              key={row?.id ?? `at ${index}`}
              {...{ row, index, columns, lead: props.lead, tail: props.tail }}
              name={row && nameOf(row)}
              topPx={shown.topPx(index)}
              isSelected={row !== undefined && isSelected(selected.value, row.id)}
              isTabStop={index === current || (current < 0 && index === shown.first)}
              className={row && props.rowClass ? props.rowClass(row) : ""}
              onFocus={() => {
                if (row) active.value = row.id;
              }}
              onLongPress={() => row && toggle(selected, row.id)}
              onOpen={(isWhole) => row && props.onOpen(row, isWhole)}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Moving the focus between rows, and selecting while moving. */
function useMoves<Row extends { id: string }>(
  { rows, active, selected }: GridProps<Row>,
  box: { current: HTMLDivElement | null },
  shown: Window,
  total: number,
) {
  const wanted = useRef<number | undefined>(undefined);
  /** The row with the focus by its position; -1, or the first in view for moves, where there is none. */
  const activeIndex = (forMoves = true): number => {
    if (wanted.current !== undefined) return wanted.current;
    const at = active.value === undefined ? undefined : rows.indexOf(active.value);
    return at ?? (forMoves ? shown.first - 1 : -1);
  };
  const focus = () => {
    const index = wanted.current;
    const row = index === undefined ? undefined : rows.at(index);
    if (index === undefined || !row) return;
    const element = box.current?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"]`);
    if (!element) return;
    wanted.current = undefined;
    active.value = row.id;
    element.focus({ preventScroll: true });
  };
  // The row may only now be in the document, or loaded.
  useLayoutEffect(focus);
  const moveTo = (to: number) => {
    const index = Math.max(0, Math.min(to, total - 1));
    wanted.current = index;
    scrollIntoView(box.current, shown, index);
    focus();
  };
  const extend = (by: number) => {
    const from = rows.at(activeIndex());
    moveTo(activeIndex() + by);
    const to = rows.at(activeIndex());
    setRows(
      selected,
      [from, to].flatMap((row) => row?.id ?? []),
      true,
    );
  };
  return { moveTo, activeIndex, extend };
}

/** Scrolls as little as is needed to show a row below the headings. */
function scrollIntoView(box: HTMLDivElement | null, shown: Window, index: number): void {
  if (!box) return;
  const headPx = box.querySelector<HTMLElement>(".table-head")?.offsetHeight ?? 0;
  const fits = Math.max(1, Math.floor((box.clientHeight - headPx) / (shown.topPx(1) - shown.topPx(0) || 1)));
  if (index < shown.first + (box.scrollTop > shown.scrollTo(shown.first) ? 1 : 0))
    box.scrollTop = shown.scrollTo(index);
  else if (index > shown.first + fits - 1) box.scrollTop = shown.scrollTo(index - fits + 1);
}

/** Follows the size of the view and where it is scrolled to; Back begins where the list was. */
function useView(
  box: { current: HTMLDivElement | null },
  viewPx: Signal<number>,
  scrollPx: Signal<number>,
): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    viewPx.value = element.clientHeight;
    element.scrollTop = scrollPx.peek();
    const sizes = new ResizeObserver(() => {
      viewPx.value = element.clientHeight;
    });
    const onScroll = () => {
      scrollPx.value = element.scrollTop;
    };
    sizes.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, []);
}

/** Keeps the rows in view where they are when rows above them come or go. At the top, what is new shows. */
function useAnchor<Row extends { id: string }>(
  box: { current: HTMLDivElement | null },
  rows: Rows<Row>,
  shown: Window,
): void {
  const seen = useRef({ version: -1, from: 0, ids: [] as (string | undefined)[] });
  useLayoutEffect(() => {
    const { version, from, ids } = seen.current;
    if (box.current && box.current.scrollTop > 0 && version !== rows.version.peek()) {
      const shifts = ids.flatMap((id, at) => {
        const to = id === undefined ? undefined : rows.indexOf(id);
        return to === undefined ? [] : [to - from - at];
      });
      // A row may move by itself, to where the order wants it: most of them say how far the list did.
      const shift = shifts.toSorted((left, right) => left - right)[shifts.length >> 1] ?? 0;
      if (shift !== 0) box.current.scrollTop += shown.scrollTo(shift);
    }
    seen.current = {
      version: rows.version.peek(),
      from: shown.first,
      ids: Array.from({ length: shown.inView }, (_, at) => rows.at(shown.first + at)?.id),
    };
  });
}

function Headings<Row extends { id: string }>({ columns, sort, onSort }: GridProps<Row>) {
  const order = (column: Column<Row>) => {
    if (column.sort === sort) return "ascending";
    return sort === `-${column.sort}` ? "descending" : "none";
  };
  const next = ({ sort: name, isDescendingFirst }: Column<Row>) => {
    const [first, second] = isDescendingFirst ? [`-${name}`, name] : [name, `-${name}`];
    return (sort === first ? second : first) ?? "";
  };
  return (
    <div role="rowgroup" class="table-head">
      <div role="row" class="table-row" aria-rowindex={1}>
        <div role="columnheader" class="cell-lead">
          <span class="sr-only">Select and play</span>
        </div>
        {columns.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            class={`cell cell-${column.id} ${column.isFigure ? "figure" : ""}`}
            {...(column.sort && { "aria-sort": order(column) })}
          >
            {column.sort && onSort ? (
              <button type="button" class="table-sort" onClick={() => onSort(next(column))}>
                {column.name}
              </button>
            ) : (
              column.name
            )}
          </div>
        ))}
        <div role="columnheader" class="cell-tail">
          <span class="sr-only">Actions</span>
        </div>
      </div>
    </div>
  );
}
