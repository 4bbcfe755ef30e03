import { Database } from "bun:sqlite";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { picture } from "./pictures.ts";
import { createProgram, type WayIn } from "./process.ts";
import { call, createTenant, fillLibrary, type Tenant } from "./tenant.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");

/** What an attack is made with: a copy of an honest export, and what the attacker may know of the target. */
type Ground = {
  dir: string;
  ana: Tenant;
  /** An account on the target. */
  victim: Tenant & { coverKey: string; sha256: string };
  targetDir: string;
};

/** An export that was changed, and the sentence that refuses it. */
export type Attack = { name: string; change: (ground: Ground) => void; refused: RegExp };

const LINK = /reached through a link: an export has plain files alone\. No row was taken in/;
const DAMAGED =
  /^Files of the export are missing or damaged \(\d+, such as .+\): copy it again\. No row was taken in/;
const FOREIGN = /^account\.db was changed since it was exported: it has what no export has/;
const BROKEN = /^account\.db is damaged \(.+\): copy the export again|^account\.db was not written by/;
const NOT_RIGHT = /^account\.db is not what account export --move writes: .+\. Nothing was taken in/;

type Statement = string | [sql: string, ...values: string[]];

/** Runs statements on the rows of an export, as anyone with the file could. */
function edit(dir: string, ...statements: Statement[]): void {
  const client = new Database(join(dir, "account.db"));
  try {
    for (const each of statements) {
      const [sql, ...values] = typeof each === "string" ? [each] : each;
      client.query(sql).run(...values);
    }
  } finally {
    client.close();
  }
}

const aPicture = (dir: string) =>
  `artwork/${readdirSync(join(dir, "artwork")).find((name) => name.includes("."))}`;
const aSong = (dir: string) =>
  `tracks/${readdirSync(join(dir, "tracks")).find((name) => name.endsWith(".mp3"))}`;

function replaceByLink(dir: string, path: string): void {
  renameSync(join(dir, path), join(dir, "..", "aside"));
  symlinkSync(join(dir, "..", "aside"), join(dir, path));
}

const rows = (name: string, ...statements: Statement[]) => ({
  name,
  change: ({ dir }: Ground) => edit(dir, ...statements),
});

/** Attacks on the files of an export. */
export const ON_FILES: readonly Attack[] = [
  {
    name: "a linked folder that leads to the master secret",
    change: ({ dir, targetDir }) => {
      symlinkSync(targetDir, join(dir, "stolen"));
      edit(dir, "UPDATE moved_files SET path = 'stolen/master-secret' WHERE picture_size = 'picture'");
    },
    refused: LINK,
  },
  {
    name: "a folder of the export that is a link to itself elsewhere",
    change: ({ dir }) => replaceByLink(dir, "tracks"),
    refused: LINK,
  },
  { name: "a linked song", change: ({ dir }) => replaceByLink(dir, aSong(dir)), refused: LINK },
  { name: "a linked picture", change: ({ dir }) => replaceByLink(dir, aPicture(dir)), refused: LINK },
  {
    ...rows("a path out of the folder", [
      "UPDATE moved_files SET path = '../../../etc/passwd' WHERE picture_size = 'picture'",
    ]),
    refused: /is outside the export/,
  },
  {
    ...rows("an absolute path", "UPDATE moved_files SET path = '/etc/passwd' WHERE picture_size = 'picture'"),
    refused: /is outside the export/,
  },
  {
    name: "a pipe in the place of a song",
    change: ({ dir }) => {
      const path = join(dir, aSong(dir));
      rmSync(path);
      Bun.spawnSync(["mkfifo", path]);
    },
    refused: /is not a plain file/,
  },
  {
    ...rows("a picture key that is a path", "UPDATE moved_files SET picture_key = '../../master-secret'"),
    refused: /in a way that no export does/,
  },
  {
    ...rows("a hash that is a path", "UPDATE moved_files SET sha256 = '../../x' WHERE sha256 IS NOT NULL"),
    refused: /^The export lacks the files of \d versions/,
  },
  {
    name: "a text that calls itself a picture",
    change: ({ dir }) => writeFileSync(join(dir, aPicture(dir)), "secret"),
    refused: DAMAGED,
  },
  {
    name: "a text that calls itself the original of a picture",
    change: ({ dir }) =>
      writeFileSync(
        join(dir, "artwork/originals", readdirSync(join(dir, "artwork/originals"))[0] ?? ""),
        "secret",
      ),
    refused: DAMAGED,
  },
  {
    name: "another account's picture, by its key",
    change: ({ dir, victim }) =>
      edit(dir, ["UPDATE moved_files SET picture_key = ?1 WHERE sha256 IS NULL", victim.coverKey]),
    refused: /^Another account here has the picture/,
  },
  {
    name: "another account's song, by its hash alone",
    change: ({ dir, victim }) => edit(dir, ["UPDATE versions SET sha256 = ?1", victim.sha256]),
    refused: /^The export lacks the files of \d versions/,
  },
  {
    name: "another account's song, by its hash and other bytes",
    change: ({ dir, victim }) =>
      edit(
        dir,
        ["UPDATE versions SET sha256 = ?1", victim.sha256],
        "DELETE FROM moved_files WHERE sha256 IS NOT NULL AND path NOT LIKE '%.mp3'",
        ["UPDATE moved_files SET sha256 = ?1 WHERE sha256 IS NOT NULL", victim.sha256],
      ),
    refused: DAMAGED,
  },
];

/** Attacks with the database of an export. */
export const ON_ROWS: readonly Attack[] = [
  {
    ...rows("a trigger", "CREATE TRIGGER evil AFTER INSERT ON tracks BEGIN DELETE FROM accounts; END"),
    refused: FOREIGN,
  },
  {
    ...rows("a view", "CREATE VIEW evil AS SELECT * FROM accounts"),
    refused: FOREIGN,
  },
  {
    ...rows(
      "a view in the place of a table",
      "PRAGMA foreign_keys = OFF",
      "ALTER TABLE saves RENAME TO saves_",
      "CREATE VIEW saves AS SELECT * FROM saves_",
    ),
    refused: FOREIGN,
  },
  {
    ...rows("a virtual table", "CREATE VIRTUAL TABLE evil USING fts5(x)"),
    refused: FOREIGN,
  },
  {
    ...rows(
      "a generated column in the place of one",
      "DROP TABLE saves",
      "CREATE TABLE saves (account_id TEXT, entity TEXT, entity_id TEXT, created_at INTEGER AS (1))",
    ),
    refused: FOREIGN,
  },
  {
    name: "rows that are no database",
    change: ({ dir }) => writeFileSync(join(dir, "account.db"), "no database".repeat(1000)),
    refused: BROKEN,
  },
  {
    name: "rows that were cut",
    change: ({ dir }) => truncateSync(join(dir, "account.db"), 200_000),
    refused: BROKEN,
  },
  {
    name: "rows with torn pages",
    change: ({ dir }) => {
      const path = join(dir, "account.db");
      const bytes = readFileSync(path);
      for (let at = 8192; at < bytes.length; at += 4096) bytes.fill(0xff, at, at + 64);
      writeFileSync(path, bytes);
    },
    refused: BROKEN,
  },
  {
    name: "rows behind a link",
    change: ({ dir }) => replaceByLink(dir, "account.db"),
    refused: /^account\.db in .+ is no plain file that can be read/,
  },
  {
    ...rows(
      "two accounts",
      "INSERT INTO accounts (id, name, created_at) SELECT 'usr_x', 'X', created_at FROM accounts",
    ),
    refused: NOT_RIGHT,
  },
  {
    ...rows("a library without an owner", "UPDATE members SET role = 'manager'"),
    refused: NOT_RIGHT,
  },
  {
    ...rows(
      "a person who is in no library",
      "INSERT INTO people (id, email, name, created_at) SELECT 'usr_x', 'x@example.com', 'X', created_at FROM people",
    ),
    refused: NOT_RIGHT,
  },
  {
    name: "a member who is somebody here",
    change: ({ dir, victim }) =>
      edit(
        dir,
        "PRAGMA foreign_keys = OFF",
        ["UPDATE people SET id = ?1", victim.accountId],
        ["UPDATE members SET person_id = ?1", victim.accountId],
        ["UPDATE sessions SET person_id = ?1", victim.accountId],
        ["UPDATE account_visits SET person_id = ?1", victim.accountId],
        ["UPDATE saves SET person_id = ?1", victim.accountId],
        ["UPDATE notification_reads SET person_id = ?1", victim.accountId],
      ),
    refused: /^Another account here has usr_/,
  },
  {
    ...rows(
      "a composer of another account",
      "PRAGMA foreign_keys = OFF",
      "UPDATE composers SET owner_id = 'usr_x'",
    ),
    refused: NOT_RIGHT,
  },
  {
    name: "another account's composer on a song",
    change: ({ dir }) =>
      edit(dir, "PRAGMA foreign_keys = OFF", "UPDATE track_shareholders SET composer_id = 'usr_x'"),
    refused: NOT_RIGHT,
  },
  { ...rows("a song that is a page", "UPDATE versions SET media_type = 'text/html'"), refused: NOT_RIGHT },
  {
    ...rows("a password that costs gigabytes to check", [
      "UPDATE people SET password_hash = replace(password_hash, 'm=19456', 'm=999999')",
    ]),
    refused: NOT_RIGHT,
  },
  {
    name: "plays of another account's song",
    change: ({ dir, victim }) =>
      edit(dir, [
        "UPDATE activity_entities SET entity_id = ?1 WHERE ref = (SELECT min(ref) FROM activity_entities)",
        victim.trackId,
      ]),
    refused: /^Another account here has trk_/,
  },
];

/** Gives the account of an export every power and every name of another account that its file can hold. */
export function grabPowers({ dir, victim }: Ground): void {
  const everything = JSON.stringify(["read:tracks", "act-as-user", "platform:read:accounts", "all"]);
  edit(
    dir,
    "PRAGMA foreign_keys = OFF",
    "UPDATE accounts SET credits = 123456",
    "UPDATE people SET operator = 1",
    [`UPDATE api_keys SET scopes = ?1 WHERE id = (SELECT min(id) FROM api_keys)`, everything],
    ["UPDATE oauth_grants SET scopes = ?1", everything],
    ["UPDATE oauth_tokens SET scopes = ?1", everything],
    `INSERT INTO api_keys (id, name, scopes, secret_hash, secret_copy, created_at)
       SELECT 'key_${"0".repeat(32)}', 'P', '["platform:read:accounts"]', secret_hash, x'', created_at FROM api_keys LIMIT 1`,
    ["UPDATE shares SET entity_id = ?1 WHERE id = (SELECT min(id) FROM shares)", victim.trackId],
    ["UPDATE comments SET author_id = ?1", victim.accountId],
    [
      `INSERT INTO api_keys (id, account_id, name, secret_hash, secret_copy, created_at, made_by)
         SELECT 'key_${"1".repeat(32)}', account_id, 'of another', x'${"11".repeat(32)}', x'', created_at, ?1 FROM api_keys
         WHERE account_id IS NOT NULL LIMIT 1`,
      victim.accountId,
    ],
    [
      `INSERT INTO oauth_grants (id, account_id, client_id, client_name, redirect_uri, resource, scopes, created_at,
           last_used_at, expires_at, person_id)
         SELECT 'grt_of_another', account_id, client_id, 'Of another', redirect_uri, resource, scopes, created_at,
           last_used_at, expires_at, ?1 FROM oauth_grants LIMIT 1`,
      victim.accountId,
    ],
    ["UPDATE brief_submissions SET submitter_account_id = ?1", victim.accountId],
    ["UPDATE saves SET entity_id = ?1", victim.playlistId],
    ["UPDATE assistant_calls SET key_id = ?1", victim.keyId],
    "INSERT INTO audit_log (id, at, actor, action) VALUES ('aud_x', 1, 'operator', 'account.create')",
  );
}

const SETTINGS = { RATE_LIMIT: "0", NETWORK_ALLOW: "127.0.0.1:9", MCP_BASE: "http://ana.example.com" };

async function untilAnalysed(dataDir: string): Promise<void> {
  const client = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const waiting = client.query(
    "SELECT 1 FROM jobs WHERE state <> 'dead' AND name IN ('analyze', 'learn-tags') LIMIT 1",
  );
  while (waiting.get() !== null) await Bun.sleep(50);
  client.close();
}

/** Starts two servers with an account each, and exports the first one's. */
export async function prepareAttacks(wayIn?: WayIn) {
  const [one, two] = [createProgram(SETTINGS, wayIn), createProgram(SETTINGS, wayIn)];
  const [from, to] = await Promise.all([one.serve(), two.serve()]);
  const hookUrl = "http://127.0.0.1:9/";
  const ana = await createTenant(one, from.address, { email: "ana@example.com", hookUrl });
  const bo = await createTenant(one, from.address, { email: "bo@example.com", hookUrl });
  const cy = await createTenant(two, to.address, { email: "victim@example.com", hookUrl });
  await fillLibrary(from.address, ana, bo);
  const honest = await one.run([
    ...["key", "create", "--email", ana.email, "--name", "desk"],
    ...["--scopes", "read:tracks,update:tracks,act-as-user"],
  ]);
  await untilAnalysed(one.dataDir);
  const folder = join(one.dataDir, "export");
  const exported = await one.run(["account", "export", "--email", ana.email, folder, "--move"]);
  if (exported.code !== 0) throw new Error(exported.stderr);

  const form = new FormData();
  form.append("files", new File([readFileSync(join(FIXTURES, "tone.opus"))], "only here.opus"));
  const uploaded = await call(to.address, "POST", "/api/v1/tracks/upload", form, cy.byKey);
  const secretId: string = uploaded.data.uploaded[0].id;
  const cover = await fetch(`${to.address}/api/v1/tracks/cover-art`, {
    method: "POST",
    headers: { ...cy.byKey, "content-type": "application/json" },
    body: JSON.stringify({ trackId: secretId, base64: (await picture("png")).toString("base64") }),
  });
  if (!cover.ok) throw new Error(await cover.text());
  const own = new Database(join(two.dataDir, "dubplate.db"), { readonly: true });
  const known = own
    .query<{ coverKey: string; sha256: string }, [string]>(
      `SELECT t.cover AS coverKey, v.sha256 FROM tracks t JOIN versions v ON v.id = t.active_version_id WHERE t.id = ?`,
    )
    .get(secretId);
  own.close();
  if (!known) throw new Error("The other account has no song");

  let runs = 0;
  /** Imports a changed copy of the export on the second server. */
  const attack = async (change: (ground: Ground) => void) => {
    const place = join(one.dataDir, `attack-${runs++}`);
    const dir = join(place, "export");
    mkdirSync(place);
    cpSync(folder, dir, { recursive: true });
    change({ dir, ana, victim: { ...cy, ...known }, targetDir: two.dataDir });
    const result = await two.run(["import", "--export", dir]);
    rmSync(place, { recursive: true });
    return result;
  };
  return {
    ...{ ana, victim: { ...cy, ...known }, folder, target: two, address: to.address, attack },
    /** A key that the operator of the first server let act as others. */
    actingKey: String(honest.rows[0]?.key),
    close: () => Promise.all([one.close(), two.close()]),
  };
}
