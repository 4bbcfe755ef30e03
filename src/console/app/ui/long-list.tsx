/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignalEffect } from "@preact/signals";
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Rows } from "./rows-of-any-height.ts";

type ListProps<Item> = {
  /** Accessible name. */
  label: string;
  class: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** Draws an item as a `<li>` with these attributes. An item is drawn again when it or this function is another one. */
  draw: (item: Item, attributes: ItemAttributes) => VNode;
  /** The key of the item to scroll to, whenever it changes. */
  wanted: Signal<string | undefined>;
};

export type ItemAttributes = { "data-key": string; "aria-setsize": number; "aria-posinset": number };

/**
 * A list that scrolls by itself, with items of any height, of which only those that show are drawn. What has the focus stays
 * in the document while it is scrolled away, and what shows stays where it is when something above it changes.
 */
export function LongList<Item>({ label, class: name, items, keyOf, draw, wanted }: ListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const rows = useMemo(() => new Rows(), []);
  const keys = useMemo(() => items.map(keyOf), [items, keyOf]);
  // A node that is the one of before is not looked at again.
  const nodes = useMemo(() => new Map<Item, { index: number; node: VNode }>(), [draw, items]);
  rows.take(keys);
  useLayoutEffect(() => (list.current ? rows.watch(list.current) : undefined), [rows]);
  useLayoutEffect(() => rows.settle());
  useSignalEffect(() => {
    if (wanted.value !== undefined) rows.scrollTo(wanted.value);
  });
  const nodeOf = (index: number): VNode => {
    const item = items[index] as Item;
    const known = nodes.get(item);
    if (known?.index === index) return known.node;
    const key = keys[index] ?? "";
    const node = draw(item, { "data-key": key, "aria-setsize": items.length, "aria-posinset": index + 1 });
    node.key = key;
    nodes.set(item, { index, node });
    return node;
  };
  void rows.changes.value;
  const { runs } = rows;
  return (
    <ul ref={list} class={name} aria-label={label}>
      {runs.flatMap(({ from, to }, at) => [
        <Room key={`room ${at}`} px={rows.between(runs[at - 1]?.to ?? 0, from)} />,
        ...Array.from({ length: to - from }, (_, index) => nodeOf(from + index)),
      ])}
      <Room key="room" px={rows.between(runs.at(-1)?.to ?? 0, items.length)} />
    </ul>
  );
}

function Room({ px }: { px: number }) {
  return px > 0 ? <li aria-hidden="true" class="room" style={{ height: `${px}px` }} /> : null;
}
