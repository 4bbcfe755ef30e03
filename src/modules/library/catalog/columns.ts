import { getTableColumns, type InferInsertModel } from "drizzle-orm";
import type { tracks, versions } from "../../../../db/schema.ts";

type Value = string | number | null;

/**
 * Returns the assignments of an UPDATE whose `?1` is the id of its row, with their values. Columns that are undefined are
 * left out. Bulk changes come by here thousands of times: the text depends on the columns alone, so that each statement is
 * prepared once.
 */
export function assignmentsOf<Table extends typeof tracks | typeof versions>(
  table: Table,
  columns: Partial<InferInsertModel<Table>>,
): { sets: string; values: Value[] } {
  const all = getTableColumns(table as typeof tracks);
  const entries = Object.entries(columns).filter(([, value]) => value !== undefined);
  const written = entries.map(([name]) => all[name as keyof typeof all]);
  return {
    sets: written.map(({ name }, at) => `${name} = ?${at + 2}`).join(", "),
    values: entries.map(([, value], at) =>
      value === null ? null : (written[at]?.mapToDriverValue(value as never) as Value),
    ),
  };
}
