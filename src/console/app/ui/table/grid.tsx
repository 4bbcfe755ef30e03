/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Arrangement, type Column, shownColumns, template } from "./columns.ts";
import { GridHead, type Sort } from "./head.tsx";
import { useGridKeys } from "./keys.ts";
import { GridRow, type RowParts } from "./row.tsx";
import type { Rows } from "./rows.ts";
import type { Selection } from "./selection.ts";
import { useSlots } from "./slots.ts";
import { useWindow, type Window } from "./window.ts";

/** What a grid shows, and what it keeps outside of itself. */
export type GridProps<Row> = {
  label: string;
  rows: Rows<Row>;
  columns: readonly Column<Row>[];
  parts: RowParts<Row>;
  arrangement: Signal<Arrangement>;
  selection: Selection;
  /** Left out: the order of the list is its own. */
  sort?: Sort;
  /** The row that arrows move from, and where the list was scrolled to. Kept by `useKept`, Back restores both. */
  active: Signal<number>;
  scrollTop: Signal<number>;
  /** Enter; `isWhole` with Shift. */
  onOpen: (row: Row, isWhole: boolean) => void;
  /** Double click, and a tap on telephones. */
  onPlay: (index: number) => void;
  /** A row is about to be dragged. */
  onDrag: (event: DragEvent, row: Row) => void;
  /** A row that the list is to begin with; the grid takes it back when it has scrolled there. */
  jump?: Signal<number | undefined>;
  /** True: the active row gets the focus at once, as after Back. */
  takesFocus?: boolean;
};

/**
 * A list of any length as an ARIA grid. All rows are equally high, and only those in view are in the document; the active
 * row stays there while it is scrolled away, so that the focus is never lost.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, rows, columns, parts, arrangement, selection, sort, active, scrollTop, onOpen, onPlay } =
    props;
  const box = useRef<HTMLDivElement>(null);
  const total = rows.total.value ?? 0;
  void rows.version.value;
  const view = useWindow(box, { list: rows, total, scrollTop });
  const { first, perView, indices, topOf, reveal, heightPx, widthPx } = view;
  const arranged = arrangement.value;
  const shown = useMemo(() => shownColumns(columns, arranged, widthPx), [columns, arranged, widthPx]);
  useEffect(() => rows.want(first, first + perView), [rows, first, perView, total]);
  useJump(props.jump, view.beginWith);

  const focus = useFocus(box, { active, reveal, takesFocus: props.takesFocus ?? false });
  useAnchor(rows, parts.idOf, { box, first, perView, topOf });
  useActiveById(rows, parts.idOf, { active, box, focus });
  const select = useSelecting(rows, parts.idOf, selection);
  const onKeyDown = useGridKeys(box, {
    total,
    active,
    perView,
    moveTo: focus,
    onOpen: (index, isWhole) => {
      const row = rows.row(index);
      if (row) onOpen(row, isWhole);
    },
    onToggle: select.toggle,
    onRange: (index) => void select.range(index, active.peek()),
    onSelectAll: selection.all,
  });
  const [slots, drawn] = [useSlots(indices(active.value)), useDrawn()];
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable="true"
      style={{ "--columns": template(shown, arranged) }}
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        active.value = indexOf(target) ?? active.peek();
      }}
      onDragStart={(event) => {
        const row = rows.row(indexOf(event.target) ?? -1);
        if (row) props.onDrag(event, row);
      }}
    >
      <GridHead columns={shown} arrangement={arrangement} selection={selection} sort={sort} total={total} />
      <div role="rowgroup" class="grid-body" style={{ height: `${heightPx}px` }}>
        {slots.map(([slot, index]) => {
          const [row, isActive, top] = [rows.row(index), index === active.value, topOf(index)];
          return drawn(slot, [index, row, isActive, top, shown, parts], () => (
            <GridRow
              key={slot}
              index={index}
              top={top}
              row={row}
              columns={shown}
              isActive={isActive}
              selection={selection}
              parts={parts}
              onRange={(to) => void select.range(to, active.peek())}
              onToggle={select.toggle}
              onPlay={onPlay}
            />
          ));
        })}
      </div>
    </div>
  );
}

/** Returns the place of the row that something is in. A text that is dragged is a node without an element. */
function indexOf(target: EventTarget | null): number | undefined {
  const element = target instanceof Element ? target : (target as Node | null)?.parentElement;
  const index = element?.closest<HTMLElement>("[data-index]")?.dataset.index;
  return index === undefined ? undefined : Number(index);
}

/** Scrolls to the row that `jump` names, and forgets it. */
function useJump(jump: Signal<number | undefined> | undefined, beginWith: (index: number) => void): void {
  const index = jump?.value;
  useEffect(() => {
    if (index === undefined || !jump) return;
    beginWith(index);
    jump.value = undefined;
  }, [index]);
}

/** Returns how to draw a row: the one drawn before is used again while nothing about it has changed. */
function useDrawn() {
  const before = useRef(new Map<number, { from: readonly unknown[]; node: VNode }>());
  const now = new Map<number, { from: readonly unknown[]; node: VNode }>();
  useLayoutEffect(() => {
    before.current = now;
  });
  return (slot: number, from: readonly unknown[], draw: () => VNode): VNode => {
    const same = before.current.get(slot);
    const isSame = same?.from.every((value, at) => value === from[at]) ?? false;
    const drawn = same && isSame ? same : { from, node: draw() };
    now.set(slot, drawn);
    return drawn.node;
  };
}

type FocusOptions = { active: Signal<number>; reveal: (index: number) => void; takesFocus: boolean };

/** Returns how to make a row the active one with the focus, wherever in the list it is. */
function useFocus(box: { current: HTMLElement | null }, { active, reveal, takesFocus }: FocusOptions) {
  const wanted = useRef(takesFocus);
  const turn = useSignal(0);
  void turn.value;
  useLayoutEffect(() => {
    const row = box.current?.querySelector<HTMLElement>("[data-active]");
    if (!wanted.current || !row) return;
    wanted.current = false;
    // The row's element may be that of the row which had the focus: it has to come to be said.
    if (row === document.activeElement) row.blur();
    row.focus({ preventScroll: true });
  });
  return (index: number) => {
    active.value = index;
    reveal(index);
    wanted.current = true;
    turn.value++;
  };
}

type ActiveOptions = {
  active: Signal<number>;
  box: { current: HTMLElement | null };
  focus: (index: number) => void;
};

/** Keeps the rows in view where they are when rows above them come or go. At the top, new rows show. */
function useAnchor<Row>(
  rows: Rows<Row>,
  idOf: (row: Row) => string,
  {
    box,
    first,
    perView,
    topOf,
  }: Pick<Window, "first" | "perView" | "topOf"> & {
    box: RefObject<HTMLDivElement | null>;
  },
): void {
  const seen = useRef({ rows, version: -1, first, ids: [] as string[] });
  useLayoutEffect(() => {
    const version = rows.version.peek();
    const before = seen.current;
    if (before.rows === rows && before.version !== version && box.current && box.current.scrollTop > 0) {
      const places = new Map(rows.loaded().map(({ index, row }) => [idOf(row), index]));
      const shifts = before.ids.map((id, at) => (places.get(id) ?? Number.NaN) - before.first - at);
      // A row may move by itself, to where the order wants it: most of them say how far the list did.
      const known = shifts.filter((shift) => !Number.isNaN(shift)).sort((left, right) => left - right);
      const shift = known[known.length >> 1] ?? 0;
      if (shift !== 0) box.current.scrollTop += topOf(shift) - topOf(0);
    }
    const inView = Array.from({ length: perView }, (_, at) => rows.row(first + at));
    seen.current = { rows, version, first, ids: inView.map((row) => (row ? idOf(row) : "")) };
  });
}

/** The active row stays the active one when new rows push it to another place. */
function useActiveById<Row>(
  rows: Rows<Row>,
  idOf: (row: Row) => string,
  { active, box, focus }: ActiveOptions,
) {
  const known = useRef<{ rows: Rows<Row>; index: number; id: string | undefined } | undefined>(undefined);
  const index = active.value;
  const version = rows.version.value;
  useLayoutEffect(() => {
    const row = rows.row(index);
    const id = row && idOf(row);
    const before = known.current;
    known.current = { rows, index, id };
    if (before?.id === undefined || before.index !== index || before.id === id || before.rows !== rows)
      return;
    const there = rows.loaded().find((each) => idOf(each.row) === before.id);
    if (!there) return;
    known.current = { rows, index: there.index, id: before.id };
    if (box.current?.contains(document.activeElement)) focus(there.index);
    else active.value = there.index;
  }, [rows, version, index]);
}

/** Returns how rows are selected: one, or from the last one to another. */
function useSelecting<Row>(rows: Rows<Row>, idOf: (row: Row) => string, selection: Selection) {
  const anchor = useRef<number | undefined>(undefined);
  return {
    toggle: (index: number) => {
      const row = rows.row(index);
      if (row) selection.toggle(idOf(row));
      anchor.current = index;
    },
    range: async (to: number, from: number) => {
      const start = anchor.current ?? from;
      anchor.current = start;
      const [low, high] = [Math.min(start, to), Math.max(start, to)];
      selection.add((await rows.between(low, high)).map(idOf));
    },
  };
}
