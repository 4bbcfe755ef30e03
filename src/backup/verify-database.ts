import { SQLiteError } from "bun:sqlite";
import type { Db } from "../../db/client.ts";
import { checkSounds } from "../modules/library/sounds/service.ts";
import { checkLedgers } from "../modules/proof/ledger/service.ts";
import type { FindingKind, Report } from "./finding.ts";
import { DATABASE } from "./manifest.ts";

/** A rule of every sound database. The query returns the rows that break it. */
type Rule = { kind: FindingKind; rows: string; detail: string };

const RULES: readonly Rule[] = [
  {
    kind: "missing",
    rows: "SELECT id FROM accounts WHERE id NOT IN (SELECT account_id FROM members WHERE role = 'owner')",
    detail: "The library has no owner",
  },
  {
    kind: "dangling",
    rows: `SELECT r.member_id AS id FROM room_members r JOIN members m ON m.id = r.member_id
             JOIN playlists p ON p.id = r.playlist_id WHERE p.owner_id <> m.account_id
           UNION ALL SELECT i.id FROM invitations i JOIN playlists p ON p.id = i.playlist_id
             WHERE p.owner_id <> i.account_id`,
    detail: "Somebody of one library sees a room of another",
  },
  {
    kind: "dangling",
    rows: `SELECT t.id FROM tracks t LEFT JOIN versions v ON v.id = t.active_version_id AND v.track_id = t.id
           WHERE v.id IS NULL`,
    detail: "The track's active version does not exist",
  },
  {
    kind: "missing",
    rows: `SELECT t.id FROM tracks t JOIN versions v ON v.id = t.analysis_version_id
           WHERE NOT EXISTS (SELECT 1 FROM analyses a WHERE a.version_id = v.id)`,
    detail: "The measurements that the track shows do not exist",
  },
  {
    kind: "missing",
    rows: "SELECT id FROM tracks WHERE seq NOT IN (SELECT rowid FROM track_text)",
    detail: "The track has no row in the full-text index",
  },
  {
    kind: "dangling",
    rows: "SELECT rowid AS id FROM track_text WHERE rowid NOT IN (SELECT seq FROM tracks)",
    detail: "A row of the full-text index belongs to no track",
  },
  {
    kind: "missing",
    rows: `SELECT entity_id AS id FROM library_names WHERE id NOT IN (SELECT rowid FROM library_words)
           UNION ALL SELECT id FROM comments WHERE deleted_at IS NULL AND id NOT IN (SELECT entity_id FROM library_names)
           UNION ALL SELECT id FROM playlists WHERE id NOT IN (SELECT entity_id FROM library_names)`,
    detail: "A name has no row in the index of names",
  },
  {
    kind: "missing",
    // A recording that is not silent has a centroid, and therefore a vector.
    rows: `SELECT t.id FROM tracks t JOIN analyses a ON a.version_id = t.analysis_version_id
           WHERE t.analysis_status = 'completed' AND a.features ->> 'centroidHz' > 0
             AND NOT EXISTS (SELECT 1 FROM track_vectors v WHERE v.track_id = t.id AND v.provider = 'descriptors')`,
    detail: "The track has no vector",
  },
  {
    kind: "dangling",
    rows: `SELECT c.id FROM comments c JOIN versions v ON v.id = c.version_id WHERE v.track_id <> c.track_id`,
    detail: "The comment is about a version of another track",
  },
  {
    kind: "dangling",
    rows: `SELECT c.id FROM comments c JOIN versions v ON v.id = c.resolved_in WHERE v.track_id <> c.track_id`,
    detail: "The note is answered in a version of another track",
  },
  {
    kind: "dangling",
    rows: `SELECT r.id FROM comments r LEFT JOIN comments n ON n.id = r.parent_id AND n.track_id = r.track_id AND n.parent_id IS NULL
           WHERE r.parent_id IS NOT NULL AND n.id IS NULL`,
    detail: "The reply's note is not on its track",
  },
  {
    kind: "dangling",
    rows: `SELECT c.id FROM comment_places p JOIN comments c ON c.id = p.comment_id JOIN versions v ON v.id = p.version_id
           WHERE v.track_id <> c.track_id`,
    detail: "The note has a place in a version of another track",
  },
  {
    kind: "dangling",
    rows: "SELECT r.id FROM reviews r JOIN versions v ON v.id = r.version_id WHERE v.track_id <> r.track_id",
    detail: "The review is of a version of another track",
  },
  {
    kind: "dangling",
    rows: "SELECT a.id FROM share_answers a JOIN versions v ON v.id = a.version_id WHERE v.track_id <> a.track_id",
    detail: "The answer is to a version of another track",
  },
  {
    kind: "dangling",
    rows: `SELECT a.id FROM share_answers a JOIN shares s ON s.id = a.share_id JOIN tracks t ON t.id = a.track_id
           WHERE t.owner_id <> s.owner_id`,
    detail: "The answer is to a track of another library than its link",
  },
  {
    kind: "dangling",
    rows: `SELECT m.id FROM mails m JOIN shares s ON s.id = m.share_id WHERE s.owner_id IS NOT m.account_id
           UNION ALL SELECT m.id FROM mails m JOIN brief_requests r ON r.id = m.request_id JOIN briefs b ON b.id = r.brief_id
             WHERE b.owner_id IS NOT m.account_id`,
    detail: "The mail is about a link or a brief of another library",
  },
  {
    kind: "dangling",
    rows: `SELECT f.id FROM families f LEFT JOIN family_members m ON m.track_id = f.main_track_id AND m.family_id = f.id
           WHERE m.track_id IS NULL
           UNION ALL SELECT m.track_id FROM family_members m JOIN families f ON f.id = m.family_id
             JOIN tracks t ON t.id = m.track_id WHERE t.owner_id <> f.owner_id`,
    detail: "The main mix of a set is not in it, or a track is in a set of another library",
  },
  {
    kind: "missing",
    rows: "SELECT id FROM mails WHERE state IN ('waiting', 'ending') AND body IS NULL",
    detail: "The mail that is to go says nothing",
  },
  {
    kind: "damaged",
    rows: "SELECT track_id AS id FROM track_vectors WHERE length(embedding) <> 4 * dimensions",
    detail: "The track's vector has another length than it says",
  },
  {
    kind: "missing",
    rows: "SELECT id FROM tracks WHERE seq NOT IN (SELECT seq FROM search_changes)",
    detail: "The track has no row in the list of changes that the search follows",
  },
  {
    kind: "damaged",
    rows: `SELECT a.id FROM accounts a LEFT JOIN library_totals l ON l.owner_id = a.id
           WHERE coalesce(l.tracks, 0) <> 
             (SELECT count(*) FROM tracks t WHERE t.owner_id = a.id AND t.deleted_at IS NULL AND t.in_inbox = 0)`,
    detail: "The account's number of tracks is not how many there are",
  },
  {
    kind: "missing",
    rows: `SELECT id FROM versions WHERE id NOT IN (SELECT subject FROM ledger_entries)
             AND id NOT IN (SELECT subject FROM ledger_pending)`,
    detail: "The ledger has no record of the version",
  },
  {
    kind: "missing",
    rows: "SELECT id FROM tracks WHERE seq NOT IN (SELECT seq FROM track_rows)",
    detail: "The track has no row in the table that the console reads",
  },
];

/** Checks pages, indexes, references and the rules between tables, all in one read transaction. */
export function verifyDatabase(db: Db, report: Report): void {
  db.$client.run("BEGIN");
  attemptCheck(report, "its pages and indexes", () => checkIntegrity(db, report));
  attemptCheck(report, "its references", () => checkReferences(db, report));
  for (const { kind, rows, detail } of RULES)
    attemptCheck(report, `this rule: ${detail}`, () => {
      for (const { id } of db.$client.query<{ id: string | number }, []>(rows).all())
        report({ kind, id: String(id), path: null, detail });
    });
  attemptCheck(report, "its vectors", () => checkSounds(db, (fault) => report({ ...fault, path: null })));
  attemptCheck(report, "its ledgers", () => checkLedgers(db, (fault) => report({ ...fault, path: null })));
  // Damage may already have ended the transaction.
  if (db.$client.inTransaction) db.$client.run("ROLLBACK");
}

/** Runs a check. Reports it when the database is too damaged to answer. */
export function attemptCheck(report: Report, what: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    const detail = `The database is too damaged to check ${what}: ${error.message}`;
    report({ kind: "damaged", id: DATABASE, path: DATABASE, detail });
  }
}

function checkIntegrity({ $client }: Db, report: Report): void {
  const found = $client.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
  for (const { integrity_check: detail } of found)
    if (detail !== "ok") report({ kind: "damaged", id: DATABASE, path: DATABASE, detail });
}

type Orphan = { table: string; rowid: number | null; parent: string };

function checkReferences({ $client }: Db, report: Report): void {
  for (const { table, rowid, parent } of $client.query<Orphan, []>("PRAGMA foreign_key_check").all())
    report({
      kind: "dangling",
      id: `${table} ${rowid === null ? "" : nameOfRow($client, table, rowid)}`.trim(),
      path: null,
      detail: `A row of ${table} names a row of ${parent} that does not exist`,
    });
}

/** Returns the id of a row, or its number when its table has no ids. */
function nameOfRow($client: Db["$client"], table: string, rowid: number): string {
  try {
    const sql = `SELECT id FROM "${table}" WHERE rowid = ?`;
    return String($client.query<{ id: string | number }, [number]>(sql).get(rowid)?.id ?? rowid);
  } catch {
    return String(rowid);
  }
}
