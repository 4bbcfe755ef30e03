import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plantMails } from "../support/planted-mails.ts";
import { createProgram } from "../support/process.ts";
import { songBytes } from "./support.ts";

const program = createProgram();
const folder = mkdtempSync(join(tmpdir(), "dubplate-members-"));
afterAll(async () => {
  await program.close();
  rmSync(folder, { recursive: true, force: true });
});

const stateOf = (dataDir: string) => {
  const client = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const rows = client.query("SELECT kind, state, due_at AS dueAt, answer FROM mails ORDER BY seq").all();
  client.close();
  return rows;
};
function trackOf(dataDir: string): string {
  const client = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const track = client.query<{ id: string }, []>("SELECT id FROM tracks").get();
  client.close();
  return track?.id ?? "";
}
const answer = "It waited in a copy that was put back: it may have gone since";
const IN_DOUBT = [
  { kind: "link", state: "unsure", dueAt: null, answer },
  { kind: "reminder", state: "sent", dueAt: null, answer: null },
];

function change(...statements: string[]): void {
  const client = new Database(join(program.dataDir, "dubplate.db"));
  client.run("PRAGMA busy_timeout = 10000"); // a server may be running
  client.run("PRAGMA foreign_keys = ON");
  for (const sql of statements) client.run(sql);
  client.close();
}

test("restore names the members of every library, also one who was removed since the backup, and sends no mail again", async () => {
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
  writeFileSync(join(folder, "dawn.wav"), songBytes(1));
  await program.run(["import", join(folder, "dawn.wav"), "--email", "ana@example.com"]);
  change(
    `INSERT INTO shares (id, owner_id, entity, entity_id, token, created_at)
       SELECT 'shr_1', owner_id, 'track', id, 't', 1 FROM tracks`,
  );
  plantMails(program.dataDir, { accountId: id, shareId: "shr_1", trackId: trackOf(program.dataDir) });
  change(
    `INSERT INTO players (id, account_id, person_id, name, username, secret_hash, secret_copy, sound, created_at)
       VALUES ('plr_1', '${id}', '${id}', 'Car', 'car-kz4m', zeroblob(32), x'', 'small', 1)`,
  );
  const file = join(folder, "library.tar");
  await program.run(["backup", file]);
  change("DELETE FROM members WHERE id = 'mem_1'");
  const apps = async () => (await program.run(["player", "list", "--email", "ana@example.com"])).rows;
  expect(await apps()).toMatchObject([{ id: "plr_1", name: "Car", username: "car-kz4m", lastUsedAt: null }]);
  expect((await program.run(["player", "revoke", "plr_1"])).rows).toEqual([{ ok: true }]);
  expect(await apps()).toEqual([]);
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
  expect(printed[0]?.unsureMails).toBe(1);
  expect(stderr).toContain("A mail was waiting in the backup and may have gone since: none goes again");
  expect(stateOf(dataDir)).toEqual(IN_DOUBT);
  const day = String(printed[0]?.createdAt).slice(0, 10);
  expect(stderr).toContain(`Remove again whoever left since ${day} (dubplate team remove)`);
  expect(stderr).toContain(
    `Which music apps get in again:\n  Car (car-kz4m) of ana@example.com, plr_1\nRemove again those that were removed since ${day}`,
  );
});

test("an older copy of the database that is put back sends no mail again", async () => {
  // As if the folder had seen more starts than its database.
  const marker = join(program.dataDir, "store.json");
  const { generation, ...rest } = JSON.parse(readFileSync(marker, "utf8"));
  writeFileSync(marker, JSON.stringify({ ...rest, generation: generation + 5 }));

  await program.serve();

  expect(stateOf(program.dataDir)).toEqual(IN_DOUBT);
});

test("verify finds mails that cannot be read, that have nothing to say, or are about another library's link", async () => {
  change(
    "UPDATE mails SET state = 'waiting', body = x'00112233' WHERE kind = 'link'",
    "UPDATE mails SET state = 'waiting', account_id = NULL WHERE kind = 'reminder'",
  );

  const { code, rows } = await program.run(["verify", "--quick"]);

  expect(code).toBe(1);
  expect(rows.filter(({ id }) => String(id).startsWith("mail_")).map(({ detail }) => detail)).toEqual([
    "The mail is about a link or a brief of another library",
    "The mail that is to go says nothing",
    "What a mail says cannot be opened with the master secret",
  ]);
});
