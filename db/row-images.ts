import type { Db } from "./client.ts";

/** The rows of a table that have a value in a column. */
export type RowSet = { table: string; column: string; value: string };

/** A value of a row in the form of JSON; a BLOB is its base64. */
type Value = string | number | null | { blob: string };
type Row = Readonly<Record<string, Value>>;

/** What became of a row: of a row that stays, only the columns that are different. Null: there is no such row. */
export type RowChange = { table: string; key: Row; before: Row | null; after: Row | null };

/** Rows by their table and key. */
export type RowImage = ReadonlyMap<string, { table: string; key: Row; row: Row }>;

/** Reads the rows of several sets. Tables come in the order in which their rows may be inserted. */
export function readRows(db: Db, sets: readonly RowSet[]): RowImage {
  const image = new Map<string, { table: string; key: Row; row: Row }>();
  for (const { table, column, value } of sets) {
    const keys = keysOf(db, table);
    const rows = db.$client
      .query<Record<string, unknown>, [string]>(`SELECT * FROM ${table} WHERE ${column} = ?`)
      .all(value);
    for (const each of rows) {
      const row = Object.fromEntries(Object.entries(each).map(([name, field]) => [name, toValue(field)]));
      const key = pick(row, keys);
      image.set(`${table} ${JSON.stringify(key)}`, { table, key, row });
    }
  }
  return image;
}

/** Returns what is different between two images, except in the columns that do not count. */
export function diffRows(
  before: RowImage,
  after: RowImage,
  counts: (table: string, column: string) => boolean,
): RowChange[] {
  const changes: RowChange[] = [];
  for (const [id, { table, key, row }] of before) {
    const other = after.get(id)?.row;
    const names = Object.keys(row).filter((name) => counts(table, name) && !isSame(row[name], other?.[name]));
    if (!other) changes.push({ table, key, before: row, after: null });
    else if (names.length > 0)
      changes.push({ table, key, before: pick(row, names), after: pick(other, names) });
  }
  for (const [id, { table, key, row }] of after)
    if (!before.has(id)) changes.push({ table, key, before: null, after: row });
  return changes;
}

/**
 * Makes the rows again what they were before the changes. Call it inside a transaction, and roll it back when the answer is
 * false: a row is no longer as the changes left it.
 */
export function restoreRows(db: Db, changes: readonly RowChange[]): boolean {
  const deleted = changes.filter(({ before }) => before === null).toReversed();
  const others = changes.filter(({ before }) => before !== null);
  return [...deleted, ...others].every((change) => restoreRow(db, change));
}

function restoreRow(db: Db, { table, key, before, after }: RowChange): boolean {
  const [where, values] = conditionOf({ ...key, ...after });
  const exists = (condition: string, bound: readonly Bound[]) =>
    db.$client.query(`SELECT 1 FROM ${table} WHERE ${condition}`).get(...bound) !== null;
  if (after === null) {
    if (exists(...conditionOf(key))) return false;
    const names = Object.keys(before ?? {});
    const places = names.map(() => "?").join(", ");
    db.$client
      .query(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`)
      .run(...Object.values(before ?? {}).map(toBound));
    return true;
  }
  if (!exists(where, values)) return false;
  const [own, ownValues] = conditionOf(key);
  if (before === null) db.$client.query(`DELETE FROM ${table} WHERE ${own}`).run(...ownValues);
  else {
    const assigned = Object.keys(before).map((name) => `${name} = ?`);
    db.$client
      .query(`UPDATE ${table} SET ${assigned.join(", ")} WHERE ${own}`)
      .run(...Object.values(before).map(toBound), ...ownValues);
  }
  return true;
}

type Bound = string | number | null | Uint8Array;

function conditionOf(row: Row): [condition: string, values: Bound[]] {
  const names = Object.keys(row);
  return [names.map((name) => `${name} IS ?`).join(" AND "), Object.values(row).map(toBound)];
}

function keysOf(db: Db, table: string): string[] {
  return db.$client
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .all(table)
    .map(({ name }) => name);
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
const isSame = (one: Value | undefined, other: Value | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

function toValue(field: unknown): Value {
  if (field instanceof Uint8Array) return { blob: Buffer.from(field).toString("base64") };
  // STRICT tables hold nothing else.
  return field as string | number | null;
}

function toBound(value: Value): Bound {
  return typeof value === "object" && value !== null ? Buffer.from(value.blob, "base64") : value;
}
