import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openCopy } from "../../db/client.ts";
import { loadVectors } from "../../db/vectors.ts";
import { writeNewestSchema } from "../../scripts/build/newest-schema.ts";
import { openEmpty } from "../support/empty-library.ts";
import { createProgram } from "../support/process.ts";

test("the schema that executables contain makes what the migrations make, to the last row", () => {
  const client = new Database(":memory:", { strict: true });
  loadVectors(client);

  client.transaction(() => client.run(writeNewestSchema())).immediate();

  expect(contentOf(client)).toEqual(contentOf(openEmpty().$client));
  expect(contentOf(openCopy(client.serialize()).$client)).toEqual(contentOf(client));
});

test("the program makes a new library as the migrations do", async () => {
  const program = createProgram();

  expect((await program.run(["account", "list"])).code).toBe(0);

  const made = new Database(join(program.dataDir, "dubplate.db"), { readonly: true });
  expect(objectsOf(made)).toEqual(objectsOf(openEmpty().$client));
  made.close();
  await program.close();
});

/** Everything that a database holds: the order of objects too, in which triggers run and indexes are chosen. */
function contentOf(client: Database) {
  const tables = client
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'virtual'",
    )
    .all()
    .filter(({ name }) => name !== "sqlite_schema");
  return {
    objects: objectsOf(client),
    rows: Object.fromEntries(
      tables.map(({ name }) => [name, client.query(`SELECT * FROM "${name}"`).values()]).sort(),
    ),
    pragmas: ["application_id", "user_version", "auto_vacuum", "encoding"].map((name) =>
      client.query(`PRAGMA ${name}`).values(),
    ),
  };
}

const objectsOf = (client: Database) =>
  client.query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid").values();
