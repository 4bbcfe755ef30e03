import type { Db } from "../../db/client.ts";
import type { Finding } from "./finding.ts";

type Table = { name: string; keys: readonly string[]; columns: readonly string[] };
type Row = readonly unknown[];

/** A row that a replica does not have as the library has it. */
export type Suspect = {
  table: Table;
  /** The rowid, or the primary key of a table without rowids. */
  key: readonly unknown[];
  /** The row of the library; undefined when it has none. */
  row: Row | undefined;
  what: "missing" | "other" | "extra";
};

/** More are not kept: the replica is then known not to follow. */
const MAX_SUSPECTS = 10_000;
const DETAILS: Readonly<Record<Suspect["what"], string>> = {
  missing: "is in the library and not in the replica",
  other: "has other values in the library than in the replica",
  extra: "is in the replica and not in the library",
};

/**
 * Compares every row of the library with a restored replica. The library may have changed since the replica was written:
 * {@link stillDifferent} tells.
 *
 * @param library A connection in a read transaction that began before the replica was restored.
 */
export function findSuspects(library: Db, replicaPath: string): Suspect[] {
  library.$client.run("ATTACH ? AS replica", [replicaPath]);
  const suspects: Suspect[] = [];
  for (const table of tablesOf(library))
    for (const { key, what } of differences(library, table)) {
      if (suspects.length >= MAX_SUSPECTS) return suspects;
      suspects.push({ table, key, what, row: readRow(library, table, key) });
    }
  return suspects;
}

/** Returns the rows that have not changed in the library and are still missing in the replica. */
export function stillDifferent(suspects: readonly Suspect[], library: Db, replica: Db): Suspect[] {
  return suspects.filter(({ table, key, row }) => {
    if (!Bun.deepEquals(readRow(library, table, key), row)) return false;
    return !Bun.deepEquals(readRow(replica, table, key), row);
  });
}

/** Returns one finding per table and kind of difference. */
export function describeSuspects(suspects: readonly Suspect[]): Finding[] {
  const groups = Map.groupBy(suspects, ({ table, what }) => `${table.name} ${what}`);
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const { table, key, what } = first;
    const more = alike.length > 1 ? `, and ${alike.length - 1} more` : "";
    const detail = `A row of ${table.name} ${DETAILS[what]}${more}`;
    return [{ kind: what === "missing" ? what : "damaged", id: `${table.name} ${key}`, path: null, detail }];
  });
}

/** Returns the ordinary tables: those of full text and vectors follow from the others, and Litestream has its own. */
function tablesOf({ $client }: Db): Table[] {
  const names = $client
    .query<{ name: string; wr: number }, []>(
      `SELECT name, wr FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND name NOT LIKE '\\_litestream\\_%' ESCAPE '\\' AND name NOT LIKE 'sound\\_vectors\\_%' ESCAPE '\\'`,
    )
    .all();
  return names.map(({ name, wr }) => {
    const columns = $client
      .query<{ name: string; pk: number }, [string]>("SELECT name, pk FROM pragma_table_info(?)")
      .all(name);
    const keys = wr === 1 ? columns.filter(({ pk }) => pk > 0).map((column) => column.name) : ["rowid"];
    return { name, keys, columns: columns.map((column) => column.name) };
  });
}

const quoted = (name: string) => (name === "rowid" ? name : `"${name}"`);

function differences(db: Db, { name, keys, columns }: Table): Pick<Suspect, "key" | "what">[] {
  const keyOf = (side: string) => keys.map((key) => `${side}.${quoted(key)}`).join(", ");
  const same = keys.map((key) => `a.${quoted(key)} = b.${quoted(key)}`).join(" AND ");
  const differs = columns.map((column) => `a.${quoted(column)} IS NOT b.${quoted(column)}`).join(" OR ");
  const isAbsent = (side: string) => `${side}.${quoted(keys[0] ?? "rowid")} IS NULL`;
  const [ours, theirs] = [`main.${quoted(name)}`, `replica.${quoted(name)}`];
  const changed = `SELECT ${isAbsent("b")}, ${keyOf("a")} FROM ${ours} a LEFT JOIN ${theirs} b ON ${same}
    WHERE ${isAbsent("b")} OR ${differs} LIMIT ${MAX_SUSPECTS}`;
  const extra = `SELECT ${keyOf("b")} FROM ${theirs} b LEFT JOIN ${ours} a ON ${same}
    WHERE ${isAbsent("a")} LIMIT ${MAX_SUSPECTS}`;
  return [
    ...valuesOf(db, changed).map(([isMissing, ...key]) => ({
      key,
      what: isMissing === 1 ? ("missing" as const) : ("other" as const),
    })),
    ...valuesOf(db, extra).map((key) => ({ key, what: "extra" as const })),
  ];
}

/** Not kept as prepared statements: each runs once. */
function valuesOf({ $client }: Db, sql: string): unknown[][] {
  const statement = $client.prepare(sql);
  try {
    return statement.values();
  } finally {
    statement.finalize();
  }
}

function readRow({ $client }: Db, { name, keys, columns }: Table, key: readonly unknown[]): Row | undefined {
  const where = keys.map((each) => `${quoted(each)} = ?`).join(" AND ");
  const sql = `SELECT ${columns.map(quoted).join(", ")} FROM main.${quoted(name)} WHERE ${where}`;
  // The key was read from such a row.
  return $client.query(sql).values(...(key as string[]))[0];
}
