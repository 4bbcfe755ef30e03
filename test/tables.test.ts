import { describe, expect, test } from "bun:test";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../db/schema.ts";
import { MODULES } from "../src/modules/index.ts";
import { openEmpty } from "./support/empty-library.ts";
import { partOf, readSource, sourceFiles } from "./support/source.ts";

/** Each part of the program with the tables that only it writes. Triggers maintain those listed under `db`. */
const OWNED: Readonly<Record<string, readonly string[]>> = {
  "db/": [
    "account_changes",
    "account_changes_floor",
    "library_names",
    "library_tags",
    "library_totals",
    "playlist_tracks_in_bin",
    "search_changes",
    "track_rows",
  ],
  "src/blobs/": ["bucket_removals", "removal_holds"],
  "src/http/": ["idempotency_keys"],
  "src/jobs/": ["jobs"],
  "src/kernel/": ["audit_log", "events"],
  "src/modules/people/accounts/": ["accounts"],
  "src/modules/people/people/": ["email_changes", "password_resets", "people", "sessions"],
  "src/modules/people/signin/": ["identities", "passkeys", "recovery_codes", "sign_in_flows"],
  "src/modules/people/team/": ["invitations", "members", "room_members"],
  "src/modules/library/albums/": ["album_arrivals"],
  "src/modules/library/analysis/": ["analyses", "heard_places", "tag_learners", "track_vectors"],
  "src/modules/outward/assistant/": ["assistant_calls"],
  "src/modules/library/analytics/": [
    "activity",
    "activity_counts",
    "activity_days",
    "activity_entities",
    "activity_series",
  ],
  "src/modules/briefs/briefs/": ["brief_requests", "brief_submissions", "briefs"],
  "src/modules/people/brand/": ["brands"],
  "src/modules/library/catalog/": ["library_words", "track_edits", "track_text", "tracks", "versions"],
  "src/modules/sharing/comments/": ["comment_places", "comments", "reviews"],
  "src/modules/library/composers/": ["composers", "supply_requests", "track_shareholders"],
  "src/modules/delivery/packages/": ["delivery_packages"],
  "src/modules/library/desk/": ["undo_steps", "undos"],
  "src/modules/library/families/": ["families", "family_members", "family_signs"],
  "src/modules/sharing/insights/": ["account_visits"],
  "src/modules/sharing/marks/": ["mark_keys", "marked_copies", "marked_files"],
  "src/modules/library/intake/": ["intakes"],
  "src/modules/library/kinship/": ["kinship_comparisons"],
  "src/modules/people/keys/": ["api_keys", "usage_records"],
  "src/modules/people/notifications/": ["notification_reads", "notifications"],
  "src/modules/people/oauth/": [
    "oauth_clients",
    "oauth_codes",
    "oauth_grants",
    "oauth_requests",
    "oauth_tokens",
  ],
  "src/modules/library/lyrics/": ["timed_lyrics"],
  "src/modules/library/playlists/": ["playlist_tracks", "playlists"],
  "src/modules/library/readiness/": ["readiness_limits", "readiness_results"],
  "src/modules/library/recordings/": [
    "mix_offers",
    "recording_codes",
    "recording_mixes",
    "recording_pairs",
    "recordings",
    "version_recordings",
  ],
  "src/modules/library/renditions/": ["renditions"],
  "src/modules/pocket/devices/": ["pocket_sent", "pockets"],
  "src/modules/pocket/listens/": ["listens"],
  "src/modules/pocket/players/": ["players"],
  "src/modules/library/rights/": ["rights_sender", "track_rights"],
  "src/modules/library/saves/": ["saves"],
  "src/modules/search/search/": ["search_snapshots", "searches"],
  "src/modules/sharing/shares/": ["share_answers", "shares"],
  "src/modules/mail/outbox/": ["mail_stop_key", "mail_stops", "mails"],
  "src/modules/outward/digests/": ["mail_wishes"],
  "src/modules/proof/ledger/": [
    "ledger_entries",
    "ledger_erasures",
    "ledger_heads",
    "ledger_logs",
    "ledger_nodes",
    "ledger_openings",
    "ledger_pending",
  ],
  "src/modules/library/sounds/": [
    "passage_vectors",
    "sound_vectors",
    "track_passages",
    "vector_fill",
    "vector_spaces",
  ],
  "src/modules/briefs/submissions/": ["submission_uploads"],
  "src/modules/library/uploads/": ["owner_uploads"],
  "src/modules/library/tags/": [
    "tag_decisions",
    "tag_feedback",
    "tag_models",
    "tag_revisions",
    "tag_suggestions",
    "track_tags",
  ],
  "src/store/": ["store"],
  "src/modules/outward/webhooks/": [
    "webhook_attempts",
    "webhook_cursor",
    "webhook_deliveries",
    "webhook_receivers",
  ],
};

const OWNER_OF = new Map(Object.entries(OWNED).flatMap(([part, own]) => own.map((table) => [table, part])));

/** Tables by their names in table builders. */
const BUILT = new Map(
  Object.entries(schema).flatMap(([name, value]) =>
    is(value, SQLiteTable) ? [[name, getTableName(value)] as const] : [],
  ),
);

const SQL_WRITE =
  /\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|DELETE\s+FROM|UPDATE(?:\s+OR\s+\w+)?(?=\s+\S+\s+(?:AS\s+\w+\s+)?SET\b))\s+([\w$]+)/gi;
const BUILDER_WRITE = /\.(?:insert|update|delete)\(\s*(?:\w+\.)?(\w+)\s*\)/g;

/** Returns the tables that a source writes, each once; `$` stands for a name built at run time. */
function tablesWritten(text: string): string[] {
  const aliases = new Map([...text.matchAll(/\b(\w+) as (\w+)\b/g)].map(([, name, alias]) => [alias, name]));
  const built = [...text.matchAll(BUILDER_WRITE)].map(([, name = ""]) =>
    BUILT.get(aliases.get(name) ?? name),
  );
  const inSql = [...text.matchAll(SQL_WRITE)].map(([, table]) => table?.toLowerCase());
  const isTable = (table: string | undefined) =>
    table !== undefined && (OWNER_OF.has(table) || table.startsWith("$"));
  return [...new Set([...inSql, ...built])].filter(isTable).sort() as string[];
}

describe("every table has one owner", () => {
  test("the list of owners names each table of the database once", () => {
    const tables = openEmpty()
      .$client.query<{ name: string }, []>(
        // sqlite-vec does not say that these tables of its own are.
        `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'
         AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%_vectors_vector_chunks00' ORDER BY name`,
      )
      .all();

    expect(Object.values(OWNED).flat().sort()).toEqual(tables.map(({ name }) => name));
  });

  test("only the owner writes it", async () => {
    const foreign: string[] = [];
    for (const file of sourceFiles.filter((each) => each.startsWith("src/")))
      for (const table of tablesWritten(await readSource(file)))
        if (OWNER_OF.get(table) !== partOf(file)) foreign.push(`${file} writes ${table}`);

    expect(foreign).toEqual([]);
  });

  test.each([
    ["INSERT INTO", '"INSERT INTO tracks (id) VALUES (?)"', ["tracks"]],
    ["INSERT OR IGNORE", '"INSERT OR IGNORE INTO tracks (id) VALUES (?)"', ["tracks"]],
    ["REPLACE", '"REPLACE INTO tracks (id) VALUES (?)"', ["tracks"]],
    ["UPDATE over two lines", "`UPDATE tracks\n  SET name = ?`", ["tracks"]],
    ["lower case", '"delete from tracks"', ["tracks"]],
    ["a name built at run time", "`DELETE FROM ${" + "table}`", ["$"]],
    ["a table builder", "tx\n    .update(trackTags)\n    .set({})", ["track_tags"]],
    ["a table of the whole schema", "tx.insert(schema.tracks)", ["tracks"]],
    ["a table by another name", 'import { tracks as rows } from "x";\ntx.delete(rows)', ["tracks"]],
    ["an upsert's second half", '"ON CONFLICT (id) DO UPDATE SET name = ?"', []],
    ["reading", '"SELECT * FROM tracks"', []],
    ["another object's method", "hash.update(bytes)", []],
  ])("%s is recognised", (_, text, tables) => {
    expect(tablesWritten(text)).toEqual(tables);
  });
});

/** What a transfer leaves with its account: who opens it, its brand, uploads in progress, and records of activity. */
const STAYS_WITH_ACCOUNT = [
  "account_visits",
  "api_keys",
  "assistant_calls",
  "audit_log",
  "brands",
  "events",
  "invitations",
  "mail_wishes",
  "members",
  "oauth_grants",
  "owner_uploads",
  "players",
  "pocket_sent",
  "pockets",
  "sessions",
  "usage_records",
];

/** What an export leaves out: secrets, what is in progress, and what only this database uses. */
const NOT_EXPORTED = [
  "account_visits",
  "album_arrivals",
  "assistant_calls",
  "audit_log", // `ownership` writes it by itself
  "events",
  "mail_wishes", // `mail/outbox` writes it beside the mails
  "mix_offers", // questions, and the answer for a pair of sounds; `account.db` has them
  "owner_uploads",
  "recordings",
  "sessions",
  "tag_learners",
  "undos",
];

describe("a table with an account's things", () => {
  const client = openEmpty().$client;
  const columns = client
    .query<{ table: string; name: string }, []>(
      `SELECT t.name AS "table", c.name FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'`,
    )
    .all();
  const named = columns.filter(({ name }) => /(^|_)(account|owner)_id$/.test(name)).map(({ table }) => table);
  // Triggers maintain those of `db`.
  const ofAccounts = [...new Set(named)].filter((table) => OWNER_OF.get(table) !== "db/");
  const moduleOf = (table: string) =>
    MODULES.find(({ name }) => OWNER_OF.get(table) === `src/modules/${name}/`);

  test("goes to another account with its module, or is known to stay", () => {
    const staying = ofAccounts.filter((table) => {
      const { transfer, transferSome } = moduleOf(table) ?? {};
      return !transfer && !transferSome;
    });

    expect(staying.sort()).toEqual(STAYS_WITH_ACCOUNT);
  });

  test("is in an export with its module, or is known to be left out", () => {
    expect(ofAccounts.filter((table) => !moduleOf(table)?.exported).sort()).toEqual(NOT_EXPORTED);
  });
});
