import { Database, SQLiteError } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { ACCOUNT_COLUMNS } from "../../db/account-columns.ts";
import { MOVED_TABLES } from "../../db/account-rows.ts";
import { findFault } from "../../src/modules/whole/ownership/check-rows.ts";
import { dropForeignRows } from "../../src/modules/whole/ownership/left-out.ts";
import { attach } from "../../src/modules/whole/ownership/moved-rows.ts";
import type { Json } from "../support/app.ts";
import { openEmpty } from "../support/empty-library.ts";
import { grabPowers, ON_FILES, ON_ROWS, prepareAttacks } from "../support/export-attacks.ts";
import { createProgram } from "../support/process.ts";
import { call, type Tenant, toolCall } from "../support/tenant.ts";

/** What an owner reads of their account. */
const READ = [
  "/api/v1/tracks?limit=100",
  "/api/v1/tracks/single?id=TRACK",
  "/api/v1/tracks/TRACK/versions",
  "/api/v1/tracks/duplicates",
  "/api/v1/playlists",
  "/api/v1/composers",
  "/api/v1/tracks/count",
  "/app/shares",
  "/app/briefs",
  "/app/links",
  "/app/grants",
  "/app/intakes",
  "/app/searches",
  "/app/notifications",
  "/app/tracks/TRACK/comments",
  "/api/v1/tracks/TRACK/comments",
  "/app/tracks/deleted",
  "/app/account",
  "/app/team",
  "/app/team/log",
  "/app/team/invitations",
  "/app/assistant/calls",
  "/auth/session",
  "/auth/sessions",
  "/integration/api-keys",
];

let ground: Awaited<ReturnType<typeof prepareAttacks>>;

beforeAll(async () => {
  ground = await prepareAttacks();
});
afterAll(() => ground.close());

describe("import --export refuses in a sentence, takes nothing in, and does not crash", () => {
  test.each([...ON_FILES, ...ON_ROWS])("$name", async ({ change, refused }) => {
    const { code, rows, stderr } = await ground.attack(change);

    expect([code, rows]).toEqual([1, []]);
    expect(stderr).toMatch(refused);
  });

  test("the other account is alone on the server after every refusal", async () => {
    const { rows } = await ground.target.run(["account", "list"]);

    expect(rows.map(({ email }) => email)).toEqual([ground.victim.email]);
  });
});

/** What no honest export has, by the type of the column. */
const HOSTILE: Readonly<Record<string, readonly (string | number | bigint | Uint8Array)[]>> = {
  TEXT: [
    "usr_of_another",
    "trk_of_another",
    "",
    "x".repeat(300_000),
    "../../../master-secret",
    "javascript:alert(1)",
    "http://user:password@127.0.0.1:1/",
    "[".repeat(5000) + "]".repeat(5000),
    '{"__proto__":{"x":1}}',
    '["act-as-user"]',
    "[1,null,{}]",
    "null",
    "text\u0000\u0007\u202e<script>alert(1)</script>\r\nSet-Cookie: x=1",
  ],
  INTEGER: [-1, 0, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n],
  REAL: [-1, 0, 1e308, -1e308, Number.POSITIVE_INFINITY, 5e-324],
  BLOB: [new Uint8Array(), new Uint8Array(1), new Uint8Array(7).fill(255), new Uint8Array(4000).fill(255)],
};

type Value = (typeof HOSTILE)[string][number];
type Column = { table: string; name: string; type: string; keys: string };

/** Rows that take more than an upload to come by; `@` stands for the account. */
const MORE_ROWS: readonly string[] = [
  "INSERT OR IGNORE INTO account_visits VALUES ('@', '@', 1, 2)",
  `INSERT INTO passkeys VALUES ('cred', '@', x'00', 1, '["internal"]', 'Laptop', 1, 1, 1)`,
  "INSERT INTO players SELECT 'plr_' || lower(hex(randomblob(16))), '@', '@', 'Car', 'car-kz4m', randomblob(32), x'', 'small', 'Amperfy', 1, 2, NULL",
  "INSERT INTO listens SELECT 'heard', '@', '@', id, active_version_id, 1, 2.5, 'player', 'plr_1' FROM tracks LIMIT 1",
  `INSERT INTO invitations SELECT 'inv_' || lower(hex(randomblob(16))), '@', 'ben' || char(64) || 'example.com', 'artist', id, 0, 0, 2, '@',
     x'${"00".repeat(32)}', 1, 2, NULL, NULL, NULL FROM playlists LIMIT 1`,
  "INSERT INTO room_members SELECT p.id, m.id, 'artist', 0, 0, '@', 1 FROM playlists p, members m LIMIT 1",
  `INSERT OR IGNORE INTO track_edits SELECT id, 'title', '@', NULL, 1 FROM tracks LIMIT 1`,
  "INSERT OR IGNORE INTO notification_reads SELECT '@', id, 1 FROM notifications LIMIT 1",
  "INSERT INTO brands (account_id, name, accent, website) VALUES ('@', 'N', '#2f6f4e', 'https://n.example/')",
  `INSERT INTO tag_suggestions SELECT id, 'moods', 'x', 'X', 0.5, '1' FROM tracks LIMIT 1`,
  "INSERT INTO recording_pairs SELECT min(id), max(id), 0.5 FROM recordings",
  "INSERT INTO recording_mixes SELECT min(id), max(id), 0.5 FROM recordings",
  "INSERT INTO mix_offers SELECT max(id), min(id), '@', 0.5, 0, 1, 1 FROM tracks",
  `INSERT INTO families SELECT 'fam_' || lower(hex(randomblob(16))), '@', min(id), 1, lower(hex(randomblob(32))), -40,
     'drums', -9, 500, 120 FROM tracks`,
  `INSERT INTO timed_lyrics SELECT id, '[{"text":"One","atMs":1000},{"text":"","atMs":null}]', 'written', 1 FROM versions WHERE id NOT IN (SELECT version_id FROM timed_lyrics)`,
  `INSERT INTO family_members SELECT t.id, f.id, iif(t.id = f.main_track_id, 'main', 'stem'), iif(t.id = f.main_track_id, NULL, 'drums'),
     30, 'owner', 1, 1 FROM tracks t, families f`,
  `INSERT INTO family_signs SELECT min(id), max(id), 'stem', 30, 'drums', 1.5, 0.2, 0.9, -20, 0.95, '1', 'refused', 1,
     max(id), 'part', 30, 1 FROM tracks`,
  "INSERT OR IGNORE INTO track_passages SELECT id, 'dubplate-passages-1', zeroblob(160) FROM tracks",
  `INSERT INTO track_rights SELECT id, 'T0345246801', '4006381333931', '2026-11-20', 'P', 'C', 'clean', 'N',
     '[{"part":"mix","extent":"none","tool":null,"note":null}]', 1 FROM tracks LIMIT 1`,
  "INSERT INTO readiness_limits VALUES ('@', 'store', 'true_peak', -1.5)",
  "INSERT INTO rights_sender VALUES ('@', 'N', '00017798450', 'ABC', 'GEMA', 5000, 10000, 10000, 2026, 1, 1)",
  `INSERT INTO supply_requests SELECT 'sup_1', '@', id, '[]', x'${"00".repeat(32)}', '@', 1, 2, 1, '{"ipi":"1"}', 1, 1 FROM composers LIMIT 1`,
  `INSERT INTO intakes (id, account_id, kind, source, path, size_bytes, modified_at, inode, sha256, outcome, track_id, taken_at)
     SELECT 'itk_1', '@', 'watch', 's', 'p', 1, 1, '1', sha256, 'track', track_id, 1 FROM versions LIMIT 1`,
  `INSERT INTO assistant_calls (id, account_id, key_id, client, tool, arguments, outcome, is_rehearsal, changes, duration_ms, at)
     SELECT 'call_1', '@', id, 'c', 't', '{}', 'ok', 0, '[{"path":"title","before":1,"after":2}]', 1, 1 FROM api_keys LIMIT 1`,
  `INSERT INTO comments (id, track_id, author_name, text, created_at, parent_id)
     SELECT 'cmt_reply', track_id, 'B', 'Better?', 1, id FROM comments LIMIT 1`,
  `INSERT INTO comments (id, track_id, author_name, text, created_at, deleted_at)
     SELECT 'cmt_gone', track_id, 'B', '', 1, 2 FROM comments LIMIT 1`,
  `UPDATE comments SET end_sec = 1000, resolved_at = 2, resolved_by = '@', resolved_name = 'B', resolved_in = version_id, visit = 'v'
     WHERE position_sec IS NOT NULL`,
  `INSERT OR IGNORE INTO comment_places SELECT c.id, v.id, 0.5, 0.75, 'carried' FROM comments c JOIN versions v ON v.track_id = c.track_id
     WHERE c.position_sec IS NOT NULL AND v.id <> c.version_id LIMIT 1`,
  `INSERT INTO reviews SELECT 'rev_1', v.track_id, v.id, '@', s.id, 'B', 'changes', 'Louder', 1 FROM versions v
     JOIN shares s ON s.entity_id = v.track_id LIMIT 1`,
  "INSERT INTO playlist_tracks_in_bin SELECT 1, p.id, t.id, 1, 1 FROM playlists p, tracks t LIMIT 1",
  `INSERT INTO share_answers SELECT 'ans_' || lower(hex(randomblob(16))), s.id, v.track_id, v.id, 'terms', 'Whole world?', 1, 2
     FROM shares s JOIN versions v ON v.track_id = s.entity_id LIMIT 1`,
  `INSERT INTO mails (seq, id, account_id, kind, dedupe, to_email, to_name, share_id, request_id, subject, made_by, state, expires_at,
       tries, unsure, code, answer, created_at, ended_at)
     SELECT 1, 'mail_' || lower(hex(randomblob(16))), '@', 'reminder', 'reminder ' || s.id, 'bo' || char(64) || 'example.com', 'Bo',
       s.id, r.id, 'Again', '@', 'refused', 9, 1, 0, 550, '550 No such mailbox', 1, 2 FROM shares s, brief_requests r LIMIT 1`,
  `INSERT INTO delivery_packages SELECT 'pkg_' || lower(hex(randomblob(16))), '@', 'sync', 'N', 'Bo',
     '{"where":{"ids":["' || v.track_id || '"]},"options":{},"way":"link","versions":[["' || v.track_id || '","' || v.id || '"]]}',
     '{"format":1,"tracks":[]}', 9, sha256, s.id, '@', 1 FROM versions v, shares s LIMIT 1`,
  "INSERT INTO mark_keys SELECT '@', id, zeroblob(32) FROM versions LIMIT 1",
  `INSERT INTO marked_copies SELECT 'mark_' || lower(hex(randomblob(16))), '@', s.id, NULL, v.id, v.track_id, 'download', randomblob(16), 'Bo', 1, 2, NULL
     FROM versions v, shares s LIMIT 1`,
  "INSERT INTO marked_files SELECT c.id, 'original', v.sha256, 9, 1, 1 FROM marked_copies c, versions v LIMIT 1",
  "INSERT INTO mail_stops VALUES ('bo' || char(64) || 'example.com', '@', 1, 'link')",
  `INSERT INTO mail_wishes VALUES ('@', '@', 'daily', '["answers"]', 1)`,
  `UPDATE shares SET recipient = 'Bo', recipient_email = 'bo' || char(64) || 'example.com', not_before = 1, ask_answer = 1
     WHERE entity = 'track'`,
];
/** Rows that contradict themselves or each other, cross tracks, or name what may be another's. None of them may arrive so. */
const CONTRADICTIONS: readonly string[] = [
  `INSERT INTO comments (id, track_id, author_name, text, position_sec, end_sec, created_at, parent_id, resolved_at)
     SELECT 'cmt_reply_2', track_id, 'B', 'To a reply', 1, 2, 1, 'cmt_reply', 1 FROM comments WHERE id = 'cmt_reply'`,
  `INSERT INTO comments (id, track_id, author_name, text, created_at, parent_id, version_id)
     SELECT 'cmt_foreign', t.id, 'B', 'To a note of another track', 1, n.parent_id, n.version_id
     FROM (SELECT c.id AS parent_id, c.track_id, c.version_id FROM comments c WHERE c.version_id IS NOT NULL LIMIT 1) n
     JOIN tracks t ON t.id <> n.track_id LIMIT 1`,
  `INSERT INTO comments (id, track_id, author_name, text, created_at, parent_id)
     SELECT 'cmt_itself', id, 'B', 'To itself', 1, 'cmt_itself' FROM tracks LIMIT 1`,
  `INSERT INTO comments (id, track_id, author_name, text, created_at, resolved_by, resolved_name, resolved_in, end_sec)
     SELECT 'cmt_open', t.id, 'B', 'Answered at no time, in another track', 1, '@', 'B', v.id, 3 FROM tracks t
     JOIN versions v ON v.track_id <> t.id LIMIT 1`,
  `INSERT INTO comments (id, track_id, author_name, text, position_sec, end_sec, created_at)
     SELECT 'cmt_backwards', id, 'B', 'Ends before it begins', 1, 0.5, 1 FROM tracks LIMIT 1`,
  `INSERT INTO comment_places SELECT 'cmt_open', v.id, 1, NULL, 'placed' FROM versions v
     WHERE v.track_id <> (SELECT track_id FROM comments WHERE id = 'cmt_open') LIMIT 1`,
  `INSERT INTO comment_places SELECT 'cmt_backwards', v.id, 1, NULL, 'gone' FROM versions v
     WHERE v.track_id = (SELECT track_id FROM comments WHERE id = 'cmt_backwards') LIMIT 1`,
  `INSERT INTO reviews SELECT 'rev_foreign', t.id, v.id, NULL, NULL, 'B', 'approved', NULL, 1 FROM tracks t
     JOIN versions v ON v.track_id <> t.id LIMIT 1`,
  "UPDATE shares SET allow_review = 1, ask_answer = 1, recipient = NULL",
  `INSERT INTO share_answers SELECT 'ans_' || lower(hex(randomblob(16))), s.id, t.id, NULL, 'pass', NULL, 1, NULL FROM shares s
     JOIN tracks t ON t.id <> s.entity_id WHERE s.entity = 'track' LIMIT 1`,
  "UPDATE share_answers SET version_id = (SELECT v.id FROM versions v WHERE v.track_id <> share_answers.track_id LIMIT 1)",
  "INSERT INTO mail_stops VALUES ('everybody' || char(64) || 'example.com', NULL, 1, 'link')",
  `INSERT INTO mails (id, account_id, kind, dedupe, to_email, subject, body, state, due_at, created_at)
     VALUES ('mail_${"2".repeat(32)}', '@', 'link', 'password usr_of_another', 'bo' || char(64) || 'example.com', 'Free', x'00', 'waiting', 1, 1)`,
];
/** Where a value that is right in form would only hide from its owner what it names, or lock them out. */
const NAMES =
  /_hash$|^made_by$|^secret_|(^|_)(id|ref|seq|token|active|key|period|day|size_bytes|scopes)$|_at$/;

/** Copies the export's rows, and adds those of tables that would have none. */
function copyRows(path: string): void {
  copyFileSync(join(ground.folder, "account.db"), path);
  const client = new Database(path);
  client.run("PRAGMA foreign_keys = OFF");
  for (const sql of MORE_ROWS) client.run(sql.replaceAll("@", ground.ana.accountId));
  client.close();
}

/** Returns the columns and the last value that each may have, of those that the rows are tried with. */
function tryAll(client: Database, isFaulty: () => boolean): Map<Column, Value> {
  const accepted = new Map<Column, Value>();
  const attempt = (column: Column, value: Value) => {
    client.run("SAVEPOINT attack");
    if (write(client, "moved", column, value) && !isFaulty()) accepted.set(column, value);
    client.run("ROLLBACK TO attack");
    client.run("RELEASE attack");
  };
  for (const column of columnsOf(client))
    for (const value of HOSTILE[column.type] ?? []) attempt(column, value);
  return accepted;
}

/** Opens a new library with the rows of an export beside it, whose triggers do not run. */
function openWithout(path: string): Database {
  const { $client: client } = openEmpty();
  client.run("PRAGMA foreign_keys = OFF");
  attach(client, path);
  // Thousands of values are written and taken back.
  client.run("PRAGMA moved.journal_mode = MEMORY");
  client.run("PRAGMA moved.synchronous = OFF");
  const triggers = client.query<{ name: string }, []>(
    "SELECT name FROM moved.sqlite_schema WHERE type = 'trigger'",
  );
  for (const { name } of triggers.all()) client.run(`DROP TRIGGER moved."${name}"`);
  return client;
}

/** Returns what does not answer as it should. */
async function read(address: string, { trackId, brief, session, byKey }: Tenant): Promise<string[]> {
  const answers = READ.map(async (path) => {
    const named = path.replace("TRACK", trackId).replace("BRIEF", brief.id);
    const { status } = await fetch(`${address}${named}`, {
      headers: path.startsWith("/api") ? byKey : session,
    });
    return status === 200 ? [] : [`${path} ${status}`];
  });
  return (await Promise.all(answers)).flat();
}

function columnsOf(client: Database): Column[] {
  return Object.entries(ACCOUNT_COLUMNS).flatMap(([table, rules]) => {
    const all = client
      .query<{ name: string; type: string; pk: number }, [string]>("SELECT * FROM pragma_table_info(?)")
      .all(table);
    const keys = all.filter(({ pk }) => pk > 0).map(({ name }) => name);
    return all
      .filter(({ name }) => name in rules)
      .map(({ name, type }) => ({ table, name, type, keys: keys.join(", ") || "rowid" }));
  });
}

/** Writes a value into one row. Returns false where the table itself refuses it. */
function write(client: Database, schema: string, { table, name, keys }: Column, value: Value): boolean {
  const first = `(SELECT ${keys} FROM ${schema}.${table} LIMIT 1)`;
  try {
    client.query(`UPDATE ${schema}.${table} SET "${name}" = ?1 WHERE (${keys}) = ${first}`).run(value);
    return true;
  } catch (error) {
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_CONSTRAINT")) return false;
    throw error;
  }
}

/** Returns what `verify` need not look for, since it does no harm by itself. */
function contradictionsIn(dataDir: string): unknown[] {
  const client = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  try {
    return client
      .query(
        `SELECT id FROM comments WHERE resolved_at IS NULL AND coalesce(resolved_by, resolved_name, resolved_in) IS NOT NULL
           OR end_sec IS NOT NULL AND (position_sec IS NULL OR end_sec <= position_sec)
           OR parent_id IS NOT NULL AND coalesce(position_sec, resolved_at) IS NOT NULL
         UNION ALL SELECT comment_id FROM comment_places WHERE (how = 'gone') <> (at_sec IS NULL)
         UNION ALL SELECT id FROM shares WHERE allow_review = 1 OR ask_answer = 1
         UNION ALL SELECT a.id FROM share_answers a JOIN shares s ON s.id = a.share_id
           WHERE s.entity = 'track' AND s.entity_id <> a.track_id
         UNION ALL SELECT email FROM mail_stops WHERE account_id IS NULL
         UNION ALL SELECT id FROM mails WHERE body IS NOT NULL OR state IN ('waiting', 'ending')
           OR dedupe NOT IN ('moved ' || id, coalesce('reminder ' || share_id, ''))
         UNION ALL SELECT entity_id FROM library_names JOIN comments c ON c.id = entity_id WHERE c.deleted_at IS NOT NULL`,
      )
      .all();
  } finally {
    client.close();
  }
}

/** Columns that stay on the other server, or name what stays there. */
const STAYS = [
  "accounts.acquisition_brief_id",
  "accounts.acquisition_source",
  "api_keys.webhook_secret",
  "assistant_calls.undo_id",
  "mails.body",
  "mails.due_at",
];

test("every column of a table that moves has a rule, or stays, and this test knows which", () => {
  const { $client: client } = openEmpty();
  const columns = MOVED_TABLES.flatMap((table) =>
    client
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => `${table}.${name}`),
  );
  const ruled = Object.entries(ACCOUNT_COLUMNS).flatMap(([table, rules]) =>
    Object.keys(rules).map((name) => `${table}.${name}`),
  );

  expect([...ruled, ...STAYS].sort()).toEqual(columns.sort());
});

describe("a hostile value in any column of an export", () => {
  let accepted: Map<Column, Value>;
  let path: string;

  beforeAll(() => {
    path = join(ground.target.dataDir, "walked.db");
    copyRows(path);
    const client = openWithout(path);
    const { accountId } = ground.ana;
    const faultOf = () => findFault(client, { accountId, now: Date.now() });
    dropForeignRows(client, accountId);
    if (faultOf()) throw new Error(`The honest export is refused: ${faultOf()}`);
    accepted = tryAll(client, () => faultOf() !== undefined);
    client.close();
  });

  test("is tried on rows of every table that moves", () => {
    const client = new Database(path, { readonly: true });
    const empty = Object.keys(ACCOUNT_COLUMNS).filter(
      (table) => client.query(`SELECT 1 FROM ${table}`).get() === null,
    );
    client.close();

    expect(empty).toEqual([]);
  });

  test("does no harm where it is right in form: all of them at once, and the account answers", async () => {
    const { ana, folder } = ground;
    const other = createProgram({ RATE_LIMIT: "0" });
    const dir = join(other.dataDir, "export");
    cpSync(folder, dir, { recursive: true });
    copyRows(join(dir, "account.db"));
    const client = new Database(join(dir, "account.db"));
    client.run("PRAGMA foreign_keys = OFF");
    for (const [column, value] of accepted)
      if (!NAMES.test(column.name)) write(client, "main", column, value);
    for (const sql of CONTRADICTIONS) client.run(sql.replaceAll("@", ana.accountId));
    client.close();
    try {
      const imported = await other.run(["import", "--export", dir]);
      if (imported.code !== 0) throw new Error(imported.stderr);
      const { address } = await other.serve();

      expect(await read(address, ana)).toEqual([]);
      const { rows } = await other.run(["verify"]);
      // A vector that calls itself another is none; everything else is sound.
      expect(rows.filter(({ kind, detail }) => kind && detail !== "The track has no vector")).toEqual([]);
      expect(contradictionsIn(other.dataDir)).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe("an account that arrives with powers and names that are not its own", () => {
  let imported: Awaited<ReturnType<typeof ground.attack>>;
  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${ground.address}${path}`, { headers })).status;

  beforeAll(async () => {
    imported = await ground.attack(grabPowers);
  });

  test("is taken in, and each thing left out is printed", () => {
    const { ana } = ground;

    expect([imported.code, imported.rows[0]?.email]).toEqual([0, ana.email]);
    const said = imported.stderr.split("\n");
    expect(said).toContain("Left out: 1 keys of a platform, which belong to an operator");
    expect(said).toContain("Left out: the rights of the operator");
    expect(said).toContain("Left out: its search credits (123456): a new account here has unlimited");
    expect(imported.stderr).toContain(
      "Left out: the scopes act-as-user, platform:read:accounts of the key “",
    );
    expect(imported.stderr).toContain("Left out: the scope act-as-user of the key “desk”");
    expect(imported.stderr).toContain("Left out: the signing secret of the webhook of the key “");
    const key = `key_${"1".repeat(32)}`;
    expect(said).toContain(`Left out: the key “of another” (${key}): whoever made it is not a member here`);
    expect(said).toContain(
      "Left out: the program “Of another” (grt_of_another): whoever made it is not a member here",
    );
    expect(imported.stderr).toMatch(/Left out: \d+ lines of the audit log that others wrote/);
  });

  test("acts for no other account, though its keys work", async () => {
    const { actingKey, ana, victim } = ground;
    const tracks = "/api/v1/tracks?limit=10";

    expect(await status(tracks, { "x-api-key": actingKey })).toBe(200);
    for (const key of [actingKey, ana.key])
      expect(await status(tracks, { "x-api-key": key, "x-act-as-user": victim.accountId })).toBe(403);
    expect(await status("/api/v1/platform/accounts", { "x-api-key": ana.key })).toBe(403);
    expect(await status("/app/operator/accounts", ana.session)).toBe(404);
  });

  test("has programs with the scopes that an owner gives", async () => {
    const answer = await fetch(
      `${ground.address}/mcp`,
      toolCall({ authorization: `Bearer ${ground.ana.accessToken}` }),
    );

    expect(answer.status).toBe(200);
  });

  test("shows nothing of the other account", async () => {
    const { ana, victim } = ground;
    const { trackId, playlistId, accountId, email, keyId } = victim;
    const seen: Json[] = [];
    for (const [path, headers] of [
      ["/app/shares", ana.session],
      ["/app/saves", ana.session],
      ["/app/briefs", ana.session],
      [`/app/briefs/${ana.brief.id}/submissions`, ana.session],
      [`/app/tracks/${ana.trackId}/comments`, ana.session],
      ["/app/assistant/calls", ana.session],
      ["/api/v1/composers", ana.byKey],
    ] as const)
      seen.push(await call(ground.address, "GET", path, undefined, headers).catch((error) => String(error)));

    const text = JSON.stringify(seen);
    for (const own of [trackId, playlistId, accountId, email, keyId]) expect(text).not.toContain(own);
    expect(text).not.toMatch(/ 5\d\d /);
  });

  test("leaves the library sound", async () => {
    expect((await ground.target.run(["verify"])).code).toBe(0);
  });
});
