import type { FactRow } from "./fact-row.ts";
import { FACTS } from "./fact-rows.ts";

export { FACTS };

export type FactName = (typeof FACTS)[number]["name"];
/** The order by the last time of an event has a name of its own beside that by its number: `playedAt`. */
export type FactOrder = FactName | `${FactName}At`;
export type Fact = FactRow & { name: FactName };

const byName = new Map<string, Fact>(FACTS.map((row) => [row.name, row]));

/** Returns the row of a fact; undefined for another name. */
export const findFact = (name: string): Fact | undefined => byName.get(name);

/** Returns the row of a fact. */
export const factOf = (name: FactName): Fact => byName.get(name) as Fact;

const ORDERS: readonly (readonly [FactOrder, readonly [string, string]])[] = FACTS.flatMap((row: Fact) => [
  ...(row.order ? [[row.name, row.order] as const] : []),
  ...(row.latest ? [[`${row.name}At` as const, row.latest] as const] : []),
]);

/** What results can be ordered by. */
export const FACT_ORDERS: readonly FactOrder[] = ORDERS.map(([name]) => name);

const calledBy = new Map<string, readonly [string, string]>(ORDERS);

/** Returns what answers call both ends of an order by a fact; undefined for another order. */
export const factOrderCalled = (by: string): readonly [least: string, most: string] | undefined =>
  calledBy.get(by);

/** True for the name of an order by a fact. */
export const isFactOrder = (by: string): by is FactOrder => calledBy.has(by);

/** Returns the fact of an order. */
export function factOfOrder(by: FactOrder): { fact: Fact; isTime: boolean } {
  const known = byName.get(by);
  return known ? { fact: known, isTime: false } : { fact: factOf(by.slice(0, -2) as FactName), isTime: true };
}

/** What the orders mean, for the glossary. */
export const FACT_ORDER_MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  ORDERS.map(([name, [, most]]) => [name, `${most} first, descending`]),
);

/** What the facts mean, for the glossary. */
export const FACT_MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  FACTS.map(({ name, says }) => [name, says]),
);
