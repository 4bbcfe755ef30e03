import { constants, Database } from "bun:sqlite";
import { pathToFileURL } from "node:url";
import { getLoadablePath } from "sqlite-vec";
import { READ_TABLES } from "../../../../db/account-rows.ts";
import { MARKED_SINCE, migrate, SCHEMA_VERSION } from "../../../../db/migrations.ts";
import { CREATE_FILES, FILES_TABLE } from "./moved-rows.ts";

/** Why the child does not read a file, and what it found. */
export type RowsRefusal = { why: "no_export" | "newer" | "foreign" | "damaged"; found: string };

const MARK = "moved-rows ";
const APPLICATION_ID = 1_146_113_108;
const READ_WRITE = constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE;

class Refusal extends Error {
  readonly why: RowsRefusal["why"];
  constructor(why: RowsRefusal["why"], found: string) {
    super(found);
    this.why = why;
  }
}

/**
 * Reads an `account.db` that anyone may have written, and writes its rows to a new database of our own schema. Only plain
 * tables are read: nothing that the file defines is run. Run it only in a separate process, since a damaged file is read
 * by SQLite's own code. Standard error says why it was refused. Returns the exit code.
 */
export function runRowsChild([from = "", to = ""]: readonly string[]): number {
  const client = new Database(to, READ_WRITE | constants.SQLITE_OPEN_URI);
  try {
    client.run("PRAGMA journal_mode = OFF");
    client.run("PRAGMA synchronous = OFF"); // the file is temporary
    client.loadExtension(getLoadablePath());
    copyRows(client, from);
    return 0;
  } catch (error) {
    const why = error instanceof Refusal ? error.why : whyOf(error);
    process.stderr.write(`${MARK}${JSON.stringify({ why, found: (error as Error).message })}\n`);
    return 1;
  } finally {
    client.close();
  }
}

/** Finds what {@link runRowsChild} said; a child that was ended by a limit or crashed said nothing. */
export function readRowsRefusal(stderr: string): RowsRefusal {
  const line = stderr.split("\n").findLast((each) => each.startsWith(MARK));
  try {
    const { why, found } = JSON.parse(line?.slice(MARK.length) ?? "") as Partial<RowsRefusal>;
    if (why && typeof found === "string") return { why, found: found.slice(0, 300) };
  } catch {
    // As if it had said nothing.
  }
  return { why: "damaged", found: "it could not be read to its end" };
}

/** A value that a table cannot hold is the file's fault as well. */
const whyOf = (error: unknown): RowsRefusal["why"] =>
  /^SQLITE_CONSTRAINT/.test((error as { code?: string }).code ?? "") ? "foreign" : "damaged";

function copyRows(client: Database, from: string): void {
  const schema = attach(client, from);
  client.run("DETACH given");
  migrate(client, schema);
  client.run(CREATE_FILES);
  const triggers = objectsOf(client, "main").filter(({ type }) => type === "trigger");
  const ours = new Set(objectsOf(client, "main").map(nameOf));
  for (const { name } of triggers) client.run(`DROP TRIGGER "${name}"`);

  client.run("PRAGMA foreign_keys = OFF");
  client.run("PRAGMA trusted_schema = OFF");
  attach(client, from);
  const foreign = objectsOf(client, "given")
    .map(nameOf)
    .find((name) => !ours.has(name));
  if (foreign !== undefined) throw new Refusal("foreign", foreign);
  client.transaction(() => {
    for (const table of [...READ_TABLES, FILES_TABLE]) copyTable(client, table);
  })();
  client.run("DETACH given");
  client.run("PRAGMA trusted_schema = ON");
  client.run("PRAGMA foreign_keys = ON");
  for (const { sql } of triggers) client.run(sql);
  migrate(client);
}

/** Opens the file read-only, as one that does not change. Returns its schema. */
function attach(client: Database, from: string): number {
  client.query("ATTACH ? AS given").run(`${pathToFileURL(from)}?mode=ro&immutable=1`);
  client.run("PRAGMA cell_size_check = ON");
  const read = (pragma: string) =>
    Number(Object.values(client.query<Record<string, number>, []>(`PRAGMA given.${pragma}`).get() ?? {})[0]);
  const schema = read("user_version");
  if (read("application_id") !== APPLICATION_ID || schema < MARKED_SINCE)
    throw new Refusal("no_export", `schema ${schema}`);
  if (schema > SCHEMA_VERSION) throw new Refusal("newer", String(schema));
  return schema;
}

type SchemaObject = { type: string; name: string; sql: string };

const nameOf = ({ type, name }: SchemaObject) => `${type} ${name}`;

function objectsOf(client: Database, schema: "main" | "given"): SchemaObject[] {
  return client
    .query<SchemaObject, []>(
      `SELECT type, name, sql FROM ${schema}.sqlite_schema WHERE name NOT LIKE 'sqlite#_%' ESCAPE '#'`,
    )
    .all();
}

/** Copies the columns that the table had in that schema. An earlier schema may lack the table. */
function copyTable(client: Database, table: string): void {
  const columns = columnsOf(client, "main", table);
  if (columns.length === 0) return;
  const kind = client
    .query<{ type: string }, [string]>(
      "SELECT type FROM pragma_table_list WHERE schema = 'given' AND name = ?",
    )
    .get(table)?.type;
  const given = new Set(columnsOf(client, "given", table));
  if (kind !== "table" || columns.some((column) => !given.has(column)))
    throw new Refusal("foreign", `table ${table}`);
  const list = columns.map((column) => `"${column}"`).join(", ");
  client.run(`INSERT INTO main."${table}" (${list}) SELECT ${list} FROM given."${table}"`);
}

/** Returns the columns that hold values: generated ones are computed by what the file defines. */
function columnsOf(client: Database, schema: "main" | "given", table: string): string[] {
  return client
    .query<{ name: string }, [string, string]>(
      "SELECT name FROM pragma_table_xinfo WHERE arg = ? AND schema = ? AND hidden = 0",
    )
    .all(table, schema)
    .map(({ name }) => name);
}
