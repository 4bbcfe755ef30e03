import { openDb } from "../../db/client.ts";
import { SCHEMA_VERSION } from "../../db/migrations.ts";

type SchemaObject = { type: string; name: string; sql: string };

/** Returns SQL that makes of an empty database, within a transaction, what the migrations make of it. */
export function writeNewestSchema(): string {
  const { $client } = openDb(":memory:");
  const read = <Row>(sql: string) => $client.query<Row, []>(sql).all();
  const objects = read<SchemaObject>(
    `SELECT type, name, sql FROM sqlite_schema
     WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite#_%' ESCAPE '#' ORDER BY rowid`,
  );
  const virtual = objects.filter(({ sql }) => sql.startsWith("CREATE VIRTUAL TABLE"));
  // A virtual table makes its own tables.
  const isMade = ({ name }: SchemaObject) => virtual.some((table) => name.startsWith(`${table.name}_`));
  const made = objects.filter((object) => !isMade(object));
  const tables = made.filter((object) => object.type === "table" && !virtual.includes(object));
  const [{ id } = { id: 0 }] = read<{ id: number }>("SELECT application_id AS id FROM pragma_application_id");
  const lines = [
    ...made.map(({ sql }) => `${sql};`),
    ...[...tables.map(({ name }) => name), "sqlite_sequence"].flatMap((name) =>
      read<Record<string, unknown>>(`SELECT * FROM "${name}"`).map((row) => insert(name, row)),
    ),
    `PRAGMA application_id = ${id};`,
    `PRAGMA user_version = ${SCHEMA_VERSION};`,
  ];
  $client.close();
  return lines.join("\n");
}

function insert(table: string, row: Record<string, unknown>): string {
  const columns = Object.keys(row).map((column) => `"${column}"`);
  return `INSERT INTO "${table}" (${columns}) VALUES (${Object.values(row).map(literal)});`;
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  throw new Error(`A new library has a row with ${value}`);
}
