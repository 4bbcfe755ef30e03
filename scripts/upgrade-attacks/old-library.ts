import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { getLoadablePath } from "sqlite-vec";
import { migrate } from "../../db/migrations.ts";

/** From before a library had an identity, and before tables were made again for events of webhooks. */
export const OLD_SCHEMA = 9;

/** The schema of {@link FIXTURE}. */
const FIXTURE_SCHEMA = 54;
/** On each song that is added. */
const COMMENTS = 5;
/** A library that people used: two accounts with keys, programs, links, sessions and an upload in progress. */
const FIXTURE = join(import.meta.dir, "../../test/fixtures/library-before-people/library.db.gz");

/** Makes a library as a version of long ago left it, or the later one of a schema. */
export function makeOldLibrary(dataDir: string, tracks: number, schema = OLD_SCHEMA): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, "dubplate.db");
  const isUsed = schema >= FIXTURE_SCHEMA;
  if (isUsed) writeFileSync(path, gunzipSync(readFileSync(FIXTURE)), { mode: 0o600 });
  const db = new Database(path, { strict: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA foreign_keys = ON");
  if (isUsed) db.loadExtension(getLoadablePath());
  else migrate(db, OLD_SCHEMA);
  db.transaction(() => (isUsed ? addSongs(db, firstAccount(db), tracks) : fill(db, tracks)))();
  migrate(db, Math.max(schema, OLD_SCHEMA));
  db.close();
  writeFileSync(join(dataDir, "master-secret"), Buffer.alloc(32, 1), { mode: 0o600 });
}

const firstAccount = (db: Database) =>
  String(db.query("SELECT id FROM accounts ORDER BY created_at, id LIMIT 1").values()[0]?.[0]);

function fill(db: Database, tracks: number): void {
  db.run(
    "INSERT INTO accounts (id, email, name, password_hash, created_at) VALUES ('usr_1', 'me@example.com', 'Me', '', 1)",
  );
  // What would go with the row of the account when that is made anew with foreign keys on.
  const hash = Buffer.alloc(32, 1);
  db.query(
    "INSERT INTO api_keys (id, account_id, name, secret_hash, secret_copy, created_at) VALUES ('key_1', 'usr_1', 'k', ?, ?, 1)",
  ).run(hash, hash);
  db.query(
    `INSERT INTO sessions (id, account_id, token_hash, created_at, last_used_at, absolute_expires_at)
     VALUES ('ses_1', 'usr_1', ?, 1, 1, 1)`,
  ).run(hash);
  db.run(
    "INSERT INTO playlists (id, owner_id, name, created_at, updated_at) VALUES ('pl_1', 'usr_1', 'Set', 1, 1)",
  );
  db.run("INSERT INTO composers (id, owner_id, full_name, created_at) VALUES ('cmp_1', 'usr_1', 'C', 1)");
  addSongs(db, "usr_1", tracks);
}

/** Adds songs to an account until the library has as many as it should. */
function addSongs(db: Database, ownerId: string, tracks: number): void {
  const there = Number(db.query("SELECT count(*) FROM tracks").values()[0]?.[0]);
  const addTrack = db.query(
    `INSERT INTO tracks (id, owner_id, name, name_fold, created_at, active_version_id, analysis_status, title, title_fold)
     VALUES ($id, $ownerId, $name, lower($name), $at, $version, 'pending', $name, lower($name))`,
  );
  const addVersion = db.query(
    `INSERT INTO versions (id, track_id, version_order, name, visible, sha256, size_bytes, media_type, container, created_at)
     VALUES ($version, $id, 1, $name, 1, $sha256, 1000, 'audio/wav', 'wav', $at)`,
  );
  const addComment = db.query(
    `INSERT INTO comments (id, track_id, author_id, author_name, text, position_sec, created_at)
     VALUES ($comment, $id, $ownerId, 'Me', $text, $second, $at)`,
  );
  for (let n = 1; n <= tracks - there; n++) {
    const [id, version, name, at] = [`trk_${n}`, `ver_${n}`, `Song ${n}`, n];
    addTrack.run({ id, ownerId, version, name, at });
    addVersion.run({ id, version, name, at, sha256: n.toString(16).padStart(64, "0") });
    for (let second = 0; second < COMMENTS; second++)
      addComment.run({
        comment: `cmt_${n}_${second}`,
        id,
        ownerId,
        text: `${name} at ${second}`,
        second,
        at,
      });
  }
}

/** What an upgrade must leave as it is: of each table, what clients and other rows know a row by. */
const KEPT: Readonly<Record<string, string>> = {
  accounts: "id, name",
  api_keys: "id, hex(secret_hash)",
  sessions: "id, hex(token_hash)",
  oauth_grants: "id, client_id",
  oauth_tokens: "hex(token_hash), grant_id",
  shares: "id, token",
  owner_uploads: "id, received_bytes",
  idempotency_keys: "principal, idempotency_key, hex(body)",
  password_resets: "hex(token_hash)",
  playlists: "id",
  composers: "id",
  versions: "id",
  comments: "id, track_id, author_id, author_name, text, position_sec, created_at, share_id",
  briefs: "id",
  brief_submissions: "id",
  notifications: "id",
};

/** What a database holds: its schema, and a hash of every row of its ordinary tables. */
export type Content = {
  schema: number;
  check: string;
  tracks: number;
  /** For each table of {@link KEPT} that is there: how many rows, and a hash of what they are known by. */
  kept: Record<string, string>;
  rows: string;
};

/** Reads a database without changing it. @throws Error when it cannot be read. */
export function contentOf(path: string): Content {
  const db = new Database(path, { readonly: true });
  try {
    db.run("PRAGMA busy_timeout = 10000");
    const one = (sql: string) => db.query(sql).values()[0]?.[0];
    const hasher = new Bun.CryptoHasher("sha256");
    const tables = db.query(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
    );
    for (const [name] of tables.values())
      hasher.update(`${name}\n${JSON.stringify(db.query(`SELECT * FROM "${name}" ORDER BY 1`).values())}\n`);
    return {
      schema: Number(one("PRAGMA user_version")),
      check: String(one("PRAGMA integrity_check")),
      tracks: Number(one("SELECT count(*) FROM tracks")),
      kept: Object.fromEntries(
        tables
          .values()
          .map(([name]) => String(name))
          .filter((name) => name in KEPT)
          .map((name) => [name, keptOf(db, name)]),
      ),
      rows: hasher.digest("hex"),
    };
  } finally {
    db.close();
  }
}

function keptOf(db: Database, table: string): string {
  const rows = db.query(`SELECT ${KEPT[table]} FROM "${table}" ORDER BY 1`).values();
  return `${rows.length} ${Bun.hash(JSON.stringify(rows)).toString(16)}`;
}
