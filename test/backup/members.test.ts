import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram } from "../support/process.ts";

const program = createProgram();
const folder = mkdtempSync(join(tmpdir(), "dubplate-members-"));
afterAll(async () => {
  await program.close();
  rmSync(folder, { recursive: true, force: true });
});

function change(...statements: string[]): void {
  const client = new Database(join(program.dataDir, "dubplate.db"));
  client.run("PRAGMA foreign_keys = ON");
  for (const sql of statements) client.run(sql);
  client.close();
}

test("restore names the members of every library, also one who was removed since the backup", async () => {
  const create = (email: string, name: string) =>
    program.run(["account", "create", "--email", email, "--name", name, "--password", "long enough 1"]);
  const { rows } = await create("ana@example.com", "Ana");
  await create("studio@example.com", "Studio");
  const id = String(rows[0]?.id);
  change(
    "INSERT INTO people (id, email, name, created_at) VALUES ('usr_ben', 'ben@example.com', 'Ben' || char(27) || '[31m', 1)",
    `INSERT INTO members (id, account_id, person_id, role, joined_at)
       VALUES ('mem_1', '${id}', 'usr_ben', 'producer', 1), ('mem_2', (SELECT id FROM accounts WHERE id <> '${id}'), 'usr_ben', 'artist', 1)`,
  );
  const file = join(folder, "library.tar");
  await program.run(["backup", file]);
  change("DELETE FROM members WHERE id = 'mem_1'");
  const dataDir = join(folder, "restored");

  const {
    code,
    stderr,
    rows: printed,
  } = await program.run(["restore", file], { extra: { DATA_DIR: dataDir } });

  expect(code).toBe(0);
  expect(stderr).toContain(
    `  Ana (${id})\n    owner    Ana <ana@example.com>\n    producer Ben [31m <ben@example.com>\n`,
  );
  expect(stderr).toMatch(/ {2}Studio \(usr_\w+\)\n {4}owner {4}Studio <.+>\n {4}artist {3}Ben /);
  const day = String(printed[0]?.createdAt).slice(0, 10);
  expect(stderr).toContain(`Remove again whoever left since ${day} (dubplate team remove)`);
});
