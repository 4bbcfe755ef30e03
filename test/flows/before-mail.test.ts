import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { migrate } from "../../db/migrations.ts";
import { loadVectors } from "../../db/vectors.ts";
import { MODULES } from "../../src/modules/index.ts";
import { getAccountByEmail } from "../../src/modules/people/accounts/service.ts";
import { exportAccount, importAccount } from "../../src/modules/whole/ownership/service.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { planted } from "../support/planted.ts";

const FOLDER = join(import.meta.dir, "../fixtures/library-before-people");
const read = (name: string) => gunzipSync(readFileSync(join(FOLDER, name)));
const before = JSON.parse(read("answers.json.gz").toString());
/** The last schema of a server that sent no mail. */
const BEFORE_MAIL = 63;

const LISTS = MODULES.flatMap((module) => module.exported ?? []);
/** What links gained. */
const WITHOUT = { recipientEmail: null, notBefore: null, askAnswer: false, answer: null, opened: false };

describe("a library of a server that sent no mail, opened by this version", () => {
  let app: TestApp;
  beforeAll(async () => {
    const client = Database.deserialize(read("library.db.gz"), { strict: true });
    client.run("PRAGMA foreign_keys = ON");
    loadVectors(client);
    migrate(client, BEFORE_MAIL);
    client.run(
      "UPDATE shares SET recipient = 'jonas@films.example', allow_review = 1 WHERE entity = 'track'",
    );
    app = await createTestApp({ database: client.serialize(), settings: { networkAllow: ["127.0.0.1:9"] } });
    client.close();
    app.clock.advance(before.now - app.clock.now());
  });
  afterAll(() => app.close());
  const get = async (path: string): Promise<Json> =>
    jsonOf(await app.request(path, { headers: { authorization: `Bearer ${before.sessionToken}` } }));

  test("has its links as they were: open at once, and with nobody asked or written to", async () => {
    const { data } = await get("/app/shares");

    expect(data.length).toBeGreaterThan(1);
    for (const link of data)
      expect(link).toMatchObject({ ...WITHOUT, opened: expect.any(Boolean), active: true });
    expect(data.filter(({ recipient }: Json) => recipient === "jonas@films.example").length).toBeGreaterThan(
      0,
    );
    for (const url of [before.openShareUrl, before.publicLink, before.shareUrl])
      expect((await app.request(url)).status).toBe(200);
  });

  test("sends nothing, has heard no answer, and is sound", async () => {
    const { data } = await get("/app/mail-wishes");

    expect(data).toMatchObject({ sendsMail: false, every: "off" });
    expect((await get("/app/answers")).data).toEqual([]);
    const { $client } = app.deps.db;
    for (const table of ["mails", "mail_stops", "mail_wishes", "share_answers", "email_changes"])
      expect(`${table} ${JSON.stringify($client.query(`SELECT * FROM ${table}`).all())}`).toBe(`${table} []`);
    expect($client.query("PRAGMA foreign_key_check").all()).toEqual([]);
  });
});

/** Makes of an `account.db` of today what a server that sent no mail wrote. */
function takeMailOut(path: string): void {
  const client = new Database(path);
  loadVectors(client);
  client.run("PRAGMA foreign_keys = OFF");
  for (const trigger of ["insert", "update", "delete"])
    client.run(`DROP TRIGGER share_answers_live_shares_${trigger}`);
  client.run("DROP TRIGGER tracks_family_bin");
  client.run("DROP INDEX shares_of_families");
  client.run("DROP INDEX tracks_by_isrc");
  client.run("DROP INDEX accounts_with_apps");
  client.run("DROP INDEX analyses_without_structure");
  for (const trigger of ["insert", "update", "delete"])
    client.run(`DROP TRIGGER timed_lyrics_live_tracks_${trigger}`);
  const ledger = client
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '*_ledger_*'",
    )
    .all();
  for (const { name } of ledger) client.run(`DROP TRIGGER ${name}`);
  for (const table of [
    "listens",
    "players",
    "pocket_sent",
    "pockets",
    "marked_files",
    "marked_copies",
    "mark_keys",
    "heard_places",
    "passage_vectors",
    "track_passages",
    "kinship_comparisons",
    "readiness_limits",
    "readiness_results",
    "delivery_packages",
    "timed_lyrics",
    "ledger_erasures",
    "ledger_pending",
    "ledger_heads",
    "ledger_nodes",
    "ledger_openings",
    "ledger_entries",
    "ledger_logs",
    "family_members",
    "family_signs",
    "families",
    "track_rights",
    "rights_sender",
    "supply_requests",
    "mail_stop_key",
    "share_answers",
    "email_changes",
    "mail_wishes",
    "mail_stops",
    "mails",
  ])
    client.run(`DROP TABLE ${table}`);
  for (const column of [
    "recipient_email",
    "not_before",
    "ask_answer",
    "whole_family",
    "show_lyrics",
    "is_marked",
    "note_parts",
  ])
    client.run(`ALTER TABLE shares DROP COLUMN ${column}`);
  for (const column of ["last_name", "publisher_ipi"])
    client.run(`ALTER TABLE composers DROP COLUMN ${column}`);
  client.run(`PRAGMA user_version = ${BEFORE_MAIL}`);
  client.close();
}

test("a library of a server that sent no mail moves to one that does, with its links", async () => {
  const [one, two] = await Promise.all([createTestApp(), createTestApp()]);
  const { accountId, email, token } = one.createAccount();
  const form = new FormData();
  form.append("files", new File([planted(440)], "Dawn.wav"));
  const uploaded = await one.as(one.createKey(accountId))("POST", "/tracks/upload", form);
  const trackId: string = uploaded.body.data.uploaded[0].id;
  await one.signedIn(token)("POST", "/app/shares", { trackId, recipient: "Jonas" });
  const folder = join(one.deps.settings.dataDir, "export");
  await exportAccount(one.deps, getAccountByEmail(one.deps, email), folder, LISTS, { isMove: true });
  takeMailOut(join(folder, "account.db"));
  const said: string[] = [];

  const imported = await importAccount(two.deps, folder, {
    onFile: () => undefined,
    onLeftOut: () => undefined,
    onNote: (sentence) => void said.push(sentence),
  });

  expect(imported).toMatchObject({ email, isNew: true, tracks: 1 });
  expect(said).toEqual([]);
  const links = await two.signedIn(token)("GET", "/app/shares");
  expect(links.body.data).toMatchObject([{ recipient: "Jonas", ...WITHOUT }]);
  await Promise.all([one.close(), two.close()]);
});
