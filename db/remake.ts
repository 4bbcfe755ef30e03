import type { Database } from "bun:sqlite";

/** SQL that makes tables anew which others name: with foreign keys on, the rows of those would go with the old ones. */
export type Remake = { remake: string; tables: readonly string[] };

/**
 * Makes tables anew, in a transaction with foreign keys off. Afterwards every table that was there has as many rows as
 * before, and no row points nowhere that did not before.
 *
 * @throws Error otherwise: the transaction must be rolled back.
 */
export function makeAnew(client: Database, { remake, tables }: Remake): void {
  if (client.query("PRAGMA foreign_keys").values()[0]?.[0] !== 0)
    throw new Error(`Foreign keys are on: ${tables.join(", ")} would take the rows of other tables along`);
  const before = countRows(client);
  const loose = countLoose(client, tables);
  client.run(remake);
  const after = countRows(client);
  for (const [name, rows] of before)
    if (after.get(name) !== rows)
      throw new Error(`The table ${name} had ${rows} rows and would have ${after.get(name) ?? "none"}`);
  for (const [name, rows] of countLoose(client, tables))
    if (rows > (loose.get(name) ?? 0))
      throw new Error(`Rows of the table ${name} would point nowhere (${rows})`);
}

/** Counts the rows of every ordinary table. */
function countRows(client: Database): Map<string, number> {
  const names = client
    .query<{ name: string }, []>(
      `SELECT name FROM pragma_table_list
       WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite#_%' ESCAPE '#'`,
    )
    .all();
  return new Map(names.map(({ name }) => [name, numberOf(client, `SELECT count(*) FROM "${name}"`)]));
}

/** Counts the rows that point nowhere, in the tables themselves and in those that point to them. */
function countLoose(client: Database, tables: readonly string[]): Map<string, number> {
  const names = client
    .query<{ name: string }, [string]>(
      `SELECT DISTINCT t.name FROM pragma_table_list t LEFT JOIN pragma_foreign_key_list(t.name) f
       WHERE t.schema = 'main' AND t.type = 'table' AND (t.name IN (SELECT value FROM json_each(?1))
         OR f."table" IN (SELECT value FROM json_each(?1)))`,
    )
    .all(JSON.stringify(tables));
  const counted = 'count(DISTINCT "rowid") + sum("rowid" IS NULL)';
  return new Map(
    names.map(({ name }) => [
      name,
      numberOf(client, `SELECT coalesce(${counted}, 0) FROM pragma_foreign_key_check('${name}')`),
    ]),
  );
}

/** Not kept prepared: the tables change. */
function numberOf(client: Database, sql: string): number {
  const statement = client.prepare(sql);
  try {
    return Number(statement.values()[0]?.[0]);
  } finally {
    statement.finalize();
  }
}
