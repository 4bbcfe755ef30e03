import { openDb } from "../../db/client.ts";

const TYPES: Readonly<Record<string, string>> = {
  INTEGER: "bigint",
  REAL: "double precision",
  BLOB: "bytea",
  TEXT: "text",
};

type Column = { name: string; type: string; notnull: number; pk: number };

/** Our schema as PostgreSQL makes it: columns, primary keys, unique constraints. Triggers are only counted. */
type PostgresSchema = { tables: { name: string; create: string }[]; indexes: string[]; triggers: number };

/** Converts the schema of a new library by rule. */
export function postgresSchema(): PostgresSchema {
  const { $client } = openDb(":memory:");
  const rows = <Row>(sql: string, ...given: string[]) => $client.query<Row, string[]>(sql).all(...given);
  const names = rows<{ name: string }>(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
     AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'track_text_%' AND name NOT LIKE 'library_words_%'
     AND name NOT LIKE 'sound_vectors_%' ORDER BY name`,
  );
  const tables = names.map(({ name }) => {
    const columns = rows<Column>('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', name);
    const lines = columns.map(
      (each) => `"${each.name}" ${TYPES[each.type] ?? "text"}${each.notnull ? " NOT NULL" : ""}`,
    );
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    if (key.length > 0) lines.push(`PRIMARY KEY (${key.map((each) => `"${each.name}"`).join(", ")})`);
    for (const { columns: unique } of rows<{ columns: string }>(
      `SELECT (SELECT group_concat('"' || name || '"', ', ') FROM pragma_index_info(i.name)) AS columns
       FROM pragma_index_list(?) i WHERE i.origin = 'u'`,
      name,
    ))
      lines.push(`UNIQUE (${unique})`);
    return { name, create: `CREATE TABLE "${name}" (${lines.join(", ")})` };
  });
  const indexes = rows<{ sql: string }>(
    "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE UNIQUE INDEX%'",
  ).map(({ sql }) => sql);
  const triggers = rows("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").length;
  $client.close();
  return { tables, indexes, triggers };
}
