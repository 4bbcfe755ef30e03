/** @jsxRuntime automatic @jsxImportSource preact */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { useRowWindow } from "./window-rows.ts";
import "./long-table.css";

type LongTableProps<Item> = {
  /** Accessible name. */
  label: string;
  class: string;
  columns: readonly string[];
  items: readonly Item[];
  /** Draws an item as a row; `rowIndex` is its `aria-rowindex`. */
  row: (item: Item, rowIndex: number) => VNode;
};

/** A table of which only the rows that show are drawn. */
export function LongTable<Item>({ label, class: name, columns, items, row }: LongTableProps<Item>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to, rowPx } = useRowWindow(body, items.length);
  return (
    <table class={`long-table ${name}`} aria-label={label} aria-rowcount={items.length + 1}>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Room px={from * rowPx} />
        {items.slice(from, to).map((item, index) => row(item, from + index + 2))}
        <Room px={(items.length - Math.min(to, items.length)) * rowPx} />
      </tbody>
    </table>
  );
}

function Room({ px }: { px: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row is not focusable
  return px > 0 ? <tr aria-hidden="true" class="room" style={{ height: `${px}px` }} /> : null;
}
