import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { memory } from "../../memory.ts";

/** A column of a table. */
export type Column<Row> = {
  /** Also the name that the order has in addresses. */
  id: string;
  name: string;
  /** Pixels at first. */
  width: number;
  /** Its share of the room that is left; left out: it keeps its width. */
  grows?: number;
  /** Where there is no room for all, columns with a higher number leave first. */
  leaves: number;
  /** Figures stand at the right. */
  isFigure?: boolean;
  /** What the list is ordered by; left out: it cannot be. */
  sort?: string;
  /** The direction at the first press: names upwards, counts downwards. */
  firstSort?: "ascending" | "descending";
  cell: (row: Row) => ComponentChildren;
};

/** How a person has arranged the columns: in which order, how wide, and which are hidden. */
export type Arrangement = {
  order: readonly string[];
  hidden: readonly string[];
  widths: Readonly<Record<string, number>>;
};

const DEFAULT: Arrangement = { order: [], hidden: [], widths: {} };

/** Returns the arrangement of a table, which the browser keeps. */
export function createArrangement(table: string): Signal<Arrangement> {
  const arrangement = signal<Arrangement>(memory.get(`columns.${table}`) ?? DEFAULT);
  arrangement.subscribe((value) => memory.set(`columns.${table}`, value));
  return arrangement;
}

/** Returns every column in the order of the arrangement; new ones stand where they were declared. */
export function ordered<Row>(columns: readonly Column<Row>[], { order }: Arrangement): Column<Row>[] {
  const place = (id: string, declared: number) => (order.includes(id) ? order.indexOf(id) : declared);
  return columns
    .map((column, declared) => ({ column, at: place(column.id, declared) }))
    .sort((a, b) => a.at - b.at)
    .map(({ column }) => column);
}

/** Returns the columns that show in a list of a width, in pixels. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  arrangement: Arrangement,
  roomPx: number,
): Column<Row>[] {
  const shown = ordered(columns, arrangement).filter(({ id }) => !arrangement.hidden.includes(id));
  const widthOf = ({ id, width }: Column<Row>) => (arrangement.widths[id] ?? width) + GAP_PX;
  while (roomPx > 0 && shown.reduce((sum, column) => sum + widthOf(column), OTHERS_PX) > roomPx) {
    const least = shown.reduce((a, b) => (b.leaves > a.leaves ? b : a));
    if (least.leaves === 0) break;
    shown.splice(shown.indexOf(least), 1);
  }
  return shown;
}

/** Between columns, as in table.css; and what selecting, playing, the actions, the edges and the widest rail take. */
const GAP_PX = 12;
const OTHERS_PX = 244;

/** Returns the widths as CSS writes the columns of a grid. */
export function template<Row>(columns: readonly Column<Row>[], { widths }: Arrangement): string {
  return columns
    .map(({ id, width, grows }) => {
      const pixels = widths[id] ?? width;
      return grows !== undefined ? `minmax(${pixels}px, ${grows}fr)` : `${pixels}px`;
    })
    .join(" ");
}
