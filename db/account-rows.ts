import type { Database } from "bun:sqlite";
import { ACCOUNT_COLUMNS } from "./account-columns.ts";
import type { LibraryId } from "./schema.ts";

/** Two databases of this schema on one connection, by the names that they are attached under. */
export type RowsPath = { from: "main" | "moved"; to: "main" | "moved" };

/** How the rows of one table go along. */
type Part = {
  table: string;
  /** Which rows of `r` belong to the account `?1`; `@` stands for the source. */
  own: string;
  /** A column whose numbers are given anew: they say an order, and nothing outside the database names them. */
  numbers?: string;
  /** Columns that name another table's numbers. */
  names?: Readonly<Record<string, string>>;
  /** Expressions for columns that do not go along as they are. */
  instead?: Readonly<Record<string, string>>;
  /** Expressions for columns that stay behind when the rows arrive: an export has them, so that an import can say so. */
  onArrival?: Readonly<Record<string, string>>;
  /** Rows that are there already stay: other accounts need them too. */
  isShared?: boolean;
};

const OF_ACCOUNT = "r.account_id = ?1";
const OF_OWNER = "r.owner_id = ?1";
const OF_TRACK = "r.track_id IN (SELECT id FROM @.tracks WHERE owner_id = ?1)";
const OF_BRIEF = "r.brief_id IN (SELECT id FROM @.briefs WHERE owner_id = ?1)";
const IN_PLAYLIST = `r.playlist_id IN (SELECT id FROM @.playlists WHERE owner_id = ?1) AND ${OF_TRACK}`;
const PLAYED = "SELECT ref FROM @.activity_entities WHERE owner_id = ?1";
const OF_ENTITY = `r.entity_id IN (SELECT id FROM @.tracks WHERE owner_id = ?1
  UNION ALL SELECT id FROM @.playlists WHERE owner_id = ?1)`;

/** Returns an expression for a column that names a row: null, or `otherwise`, unless the account has that row. */
const ifOwn = (column: string, rows: string, otherwise = "NULL") =>
  `CASE WHEN r.${column} IN (${rows}) THEN r.${column} ELSE ${otherwise} END`;
const SHARES = "SELECT id FROM @.shares WHERE owner_id = ?1";
const OF_SAME_TRACK = "SELECT id FROM @.versions WHERE track_id = r.track_id";
const NOTES = "SELECT n.id FROM @.comments n WHERE n.track_id = r.track_id AND n.parent_id IS NULL";
const IS_REPLY = `r.parent_id IS NOT NULL AND r.parent_id IN (${NOTES})`;
/** Returns an expression for a switch of a link, which only one for somebody has. */
const ofSomebody = (column: string) =>
  `CASE WHEN coalesce(r.recipient, '') <> '' THEN r.${column} ELSE 0 END`;
/** Returns an expression for a column of a note that has none without another one, and of which replies have none. */
const ofNote = (column: string, needs: string, value = `r.${column}`) =>
  `CASE WHEN r.${needs} IS NOT NULL AND NOT (${IS_REPLY}) THEN ${value} END`;
const VERSIONS = "SELECT v.id FROM @.versions v JOIN @.tracks t ON t.id = v.track_id WHERE t.owner_id = ?1";

const PEOPLE = "SELECT person_id FROM @.members WHERE account_id = ?1";
const OF_PERSON = `r.person_id IN (${PEOPLE})`;
/** A key without a maker may all that it says: one whose maker is not in the library has ended, and must not begin again so. */
const KEYS = `SELECT k.id FROM @.api_keys k WHERE k.account_id = ?1 AND (k.made_by IS NULL OR k.made_by IN (${PEOPLE}))`;
const GRANTS = `SELECT g.id FROM @.oauth_grants g
  WHERE g.account_id = ?1 AND (g.person_id IS NULL OR g.person_id IN (${PEOPLE}))`;
const CREDENTIALS = `${KEYS} UNION ALL ${GRANTS}`;
const REQUESTS =
  "SELECT q.id FROM @.brief_requests q JOIN @.briefs b ON b.id = q.brief_id WHERE b.owner_id = ?1";
/** Returns a condition for invitations that nobody has accepted or withdrawn. */
const isPending = (i: string) => `${i}.accepted_at IS NULL AND ${i}.withdrawn_at IS NULL`;
const INVITED = `SELECT i.id FROM @.invitations i WHERE i.account_id = ?1 AND ${isPending("i")}`;
/** What may happen once names a link or a request. One of another library would keep a mail of that one from being written. */
const SAYS_OWN = `instr(r.dedupe, r.share_id) AND r.share_id IN (${SHARES})
  OR instr(r.dedupe, r.request_id) AND r.request_id IN (${REQUESTS})`;
const WRITTEN_TO = `SELECT lower(to_email) FROM @.mails WHERE account_id = ?1
  UNION ALL SELECT lower(recipient_email) FROM @.shares WHERE owner_id = ?1
  UNION ALL SELECT lower(q.email) FROM @.brief_requests q JOIN @.briefs b ON b.id = q.brief_id WHERE b.owner_id = ?1`;
/** What became of a mail that had not gone when its library moved. */
export const MOVED_AWAY = "The library moved to another server";
const MADE_BY = { made_by: ifOwn("made_by", PEOPLE) };
const PERSON = { person_id: ifOwn("person_id", PEOPLE) };

/**
 * Everything that an account has, in an order in which triggers find what they read. What triggers derive from it comes by
 * itself. A track is first inserted as outside the bin, which its tables of totals expect.
 */
const PARTS: readonly Part[] = [
  { table: "accounts", own: "r.id = ?1" },
  { table: "people", own: `r.id IN (${PEOPLE})`, onArrival: { operator: "0" } },
  { table: "members", own: OF_ACCOUNT, instead: { added_by: ifOwn("added_by", PEOPLE) } },
  // A link works on one server only: what arrives is an open seat.
  {
    table: "invitations",
    own: `${OF_ACCOUNT} AND ${isPending("r")}`,
    instead: { ...MADE_BY, token_hash: "NULL" },
  },
  { table: "passkeys", own: OF_PERSON },
  { table: "account_visits", own: `${OF_ACCOUNT} AND ${OF_PERSON}` },
  { table: "brands", own: OF_ACCOUNT },
  // Of this library only: whoever is in others stays signed in there.
  { table: "sessions", own: `${OF_ACCOUNT} AND ${OF_PERSON}` },
  {
    table: "api_keys",
    own: `r.id IN (${KEYS})`,
    instead: {
      secret_copy: "x''",
      rotated_to: ifOwn("rotated_to", CREDENTIALS),
    },
    onArrival: { webhook_active: "0" },
  },
  // Their passwords work on by the hash; copies of secrets do not leave a server.
  { table: "players", own: `${OF_ACCOUNT} AND ${OF_PERSON}`, instead: { secret_copy: "x''" } },
  { table: "oauth_grants", own: `r.id IN (${GRANTS})` },
  { table: "oauth_tokens", own: `r.grant_id IN (${GRANTS})` },
  {
    table: "oauth_clients",
    own: `r.id IN (SELECT client_id FROM @.oauth_grants WHERE id IN (${GRANTS}))`,
    // The address counts against registrations from it.
    instead: { registered_from: "'moved'" },
    isShared: true,
  },
  {
    table: "tracks",
    own: OF_OWNER,
    numbers: "seq",
    instead: { deleted_at: "NULL", analysis_version_id: ifOwn("analysis_version_id", VERSIONS) },
  },
  { table: "versions", own: OF_TRACK, instead: MADE_BY },
  { table: "track_edits", own: OF_TRACK, instead: { ...PERSON, key_id: ifOwn("key_id", CREDENTIALS) } },
  { table: "analyses", own: OF_TRACK },
  { table: "timed_lyrics", own: `r.version_id IN (${VERSIONS})` },
  { table: "readiness_results", own: `r.version_id IN (${VERSIONS})` },
  { table: "track_vectors", own: OF_TRACK },
  { table: "track_passages", own: OF_TRACK },
  { table: "track_tags", own: OF_OWNER },
  { table: "tag_suggestions", own: OF_TRACK },
  { table: "tag_decisions", own: OF_OWNER, numbers: "seq" },
  { table: "tag_feedback", own: OF_OWNER, numbers: "seq" },
  { table: "tag_revisions", own: OF_OWNER },
  { table: "tag_models", own: OF_OWNER },
  { table: "tag_learners", own: OF_OWNER, names: { learnt_seq: "tag_feedback" } },
  { table: "recordings", own: OF_OWNER, numbers: "id" },
  {
    table: "recording_pairs",
    own: "r.earlier_id IN (SELECT id FROM @.recordings WHERE owner_id = ?1)",
    names: { earlier_id: "recordings", later_id: "recordings" },
  },
  {
    table: "recording_mixes",
    own: "r.earlier_id IN (SELECT id FROM @.recordings WHERE owner_id = ?1)",
    names: { earlier_id: "recordings", later_id: "recordings" },
  },
  {
    table: "mix_offers",
    own: `${OF_OWNER} AND ${OF_TRACK} AND r.other_id IN (SELECT id FROM @.tracks WHERE owner_id = ?1)`,
  },
  { table: "families", own: OF_OWNER },
  {
    table: "family_members",
    own: `${OF_TRACK} AND r.family_id IN (SELECT id FROM @.families WHERE owner_id = ?1)`,
  },
  {
    table: "family_signs",
    own: `${OF_TRACK} AND r.other_id IN (SELECT id FROM @.tracks WHERE owner_id = ?1)`,
  },
  {
    table: "version_recordings",
    own: "r.recording_id IN (SELECT id FROM @.recordings WHERE owner_id = ?1)",
    names: { recording_id: "recordings" },
  },
  { table: "composers", own: OF_OWNER },
  { table: "track_shareholders", own: OF_TRACK },
  { table: "track_rights", own: OF_TRACK },
  { table: "rights_sender", own: OF_OWNER },
  { table: "readiness_limits", own: OF_OWNER },
  // A link works on one server only: what arrives is what was answered.
  {
    table: "supply_requests",
    own: `${OF_OWNER} AND r.composer_id IN (SELECT id FROM @.composers WHERE owner_id = ?1 AND deleted_at IS NULL)`,
    instead: { ...MADE_BY, token_hash: "NULL" },
  },
  { table: "playlists", own: OF_OWNER, instead: MADE_BY },
  {
    table: "room_members",
    own: `r.playlist_id IN (SELECT id FROM @.playlists WHERE owner_id = ?1)
      AND r.member_id IN (SELECT id FROM @.members WHERE account_id = ?1)`,
    instead: { added_by: ifOwn("added_by", PEOPLE) },
  },
  { table: "playlist_tracks", own: IN_PLAYLIST, numbers: "id" },
  {
    table: "shares",
    own: `${OF_OWNER} AND ${OF_ENTITY}`,
    // Nobody is asked through a link that is for nobody.
    instead: {
      ...MADE_BY,
      allow_review: ofSomebody("allow_review"),
      ask_answer: ofSomebody("ask_answer"),
      whole_family: "CASE WHEN r.entity = 'track' THEN r.whole_family ELSE 0 END",
    },
  },
  {
    table: "share_answers",
    own: `${OF_TRACK} AND r.share_id IN (SELECT s.id FROM @.shares s WHERE s.owner_id = ?1
      AND s.entity_id IN (SELECT id FROM @.playlists WHERE owner_id = ?1 UNION ALL SELECT r.track_id))`,
    instead: { version_id: ifOwn("version_id", OF_SAME_TRACK) },
  },
  {
    table: "comments",
    own: OF_TRACK,
    // What others wrote stays under their names; their accounts are on the other server.
    instead: {
      author_id: ifOwn("author_id", PEOPLE),
      share_id: ifOwn("share_id", SHARES),
      version_id: ifOwn("version_id", OF_SAME_TRACK),
      parent_id: ifOwn("parent_id", NOTES),
      position_sec: `CASE WHEN NOT (${IS_REPLY}) THEN r.position_sec END`,
      end_sec: ofNote("end_sec", "position_sec", "CASE WHEN r.end_sec > r.position_sec THEN r.end_sec END"),
      resolved_at: ofNote("resolved_at", "resolved_at"),
      resolved_by: ofNote("resolved_by", "resolved_at", ifOwn("resolved_by", PEOPLE)),
      resolved_name: ofNote("resolved_name", "resolved_at"),
      resolved_in: ofNote("resolved_in", "resolved_at", ifOwn("resolved_in", OF_SAME_TRACK)),
    },
  },
  {
    table: "comment_places",
    // Those that contradict themselves stay behind: the next carrying finds them anew.
    own: `r.comment_id IN (SELECT c.id FROM @.comments c JOIN @.tracks t ON t.id = c.track_id
      JOIN @.versions v ON v.track_id = c.track_id WHERE t.owner_id = ?1 AND v.id = r.version_id AND c.parent_id IS NULL)
      AND (r.how = 'gone') = (r.at_sec IS NULL) AND ifnull(r.end_sec > r.at_sec, r.end_sec IS NULL)`,
  },
  {
    table: "reviews",
    own: `${OF_TRACK} AND r.version_id IN (${OF_SAME_TRACK})`,
    instead: { person_id: ifOwn("person_id", PEOPLE), share_id: ifOwn("share_id", SHARES) },
  },
  {
    table: "delivery_packages",
    own: OF_OWNER,
    instead: { ...MADE_BY, share_id: ifOwn("share_id", SHARES) },
  },
  // Keys are sealed here, and open in an export: `sharing/marks` sees to it.
  { table: "mark_keys", own: OF_ACCOUNT },
  { table: "marked_copies", own: OF_ACCOUNT },
  {
    table: "marked_files",
    own: "r.copy_id IN (SELECT id FROM @.marked_copies WHERE account_id = ?1)",
    // The files themselves are made again.
    instead: { is_kept: "0" },
  },
  { table: "briefs", own: OF_OWNER, instead: MADE_BY },
  { table: "brief_requests", own: OF_BRIEF },
  {
    table: "brief_submissions",
    own: OF_BRIEF,
    // A song that somebody keeps in their own library on the same server stays there.
    instead: {
      track_id: `CASE WHEN ${OF_TRACK} THEN r.track_id END`,
      submitter_account_id: "CASE WHEN r.submitter_account_id = ?1 THEN ?1 END",
    },
  },
  {
    table: "mails",
    own: OF_ACCOUNT,
    numbers: "seq",
    // What had not gone does not go from another server: what it says leads to the first one.
    instead: {
      ...MADE_BY,
      share_id: ifOwn("share_id", SHARES),
      request_id: ifOwn("request_id", REQUESTS),
      invitation_id: ifOwn("invitation_id", INVITED),
      dedupe: `CASE WHEN r.state <> 'waiting' AND (${SAYS_OWN}) THEN r.dedupe ELSE 'moved ' || r.id END`,
      state: "CASE r.state WHEN 'waiting' THEN 'cancelled' WHEN 'ending' THEN 'unsure' ELSE r.state END",
      answer: `CASE r.state WHEN 'waiting' THEN '${MOVED_AWAY}' ELSE r.answer END`,
      ended_at: "coalesce(r.ended_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))",
    },
  },
  {
    table: "mail_stops",
    // Whoever stopped all mail of a server meant what this library wrote to them too, wherever it goes.
    own: `${OF_ACCOUNT} OR r.account_id IS NULL AND r.email IN (${WRITTEN_TO})`,
    instead: { account_id: "?1" },
    isShared: true,
  },
  { table: "mail_wishes", own: `${OF_ACCOUNT} AND ${OF_PERSON}` },
  { table: "activity_series", own: OF_OWNER, numbers: "ref" },
  { table: "activity_entities", own: OF_OWNER, numbers: "ref" },
  {
    table: "activity",
    own: `r.entity_ref IN (${PLAYED})`,
    numbers: "seq",
    names: {
      series_ref: "activity_series",
      entity_ref: "activity_entities",
      playlist_ref: "activity_entities",
    },
    instead: { playlist_ref: ifOwn("playlist_ref", PLAYED), share_id: ifOwn("share_id", SHARES) },
  },
  {
    table: "activity_days",
    own: "r.series_ref IN (SELECT ref FROM @.activity_series WHERE owner_id = ?1)",
    names: { series_ref: "activity_series" },
  },
  {
    table: "activity_counts",
    own: `r.entity_ref IN (${PLAYED})`,
    names: { series_ref: "activity_series", entity_ref: "activity_entities" },
  },
  { table: "listens", own: `${OF_ACCOUNT} AND ${OF_PERSON} AND ${OF_TRACK}` },
  { table: "saves", own: `${OF_ACCOUNT} AND ${OF_PERSON} AND ${OF_ENTITY}` },
  { table: "searches", own: OF_ACCOUNT, instead: { key_id: ifOwn("key_id", CREDENTIALS), ...PERSON } },
  // What is for one person stays behind with them: without its person it would be for everybody.
  {
    table: "notifications",
    own: `${OF_ACCOUNT} AND (r.person_id IS NULL OR ${OF_PERSON})`,
    instead: MADE_BY,
  },
  {
    table: "notification_reads",
    own: `${OF_PERSON} AND r.notification_id IN (SELECT id FROM @.notifications n WHERE n.account_id = ?1
      AND (n.person_id IS NULL OR n.person_id IN (${PEOPLE})))`,
  },
  { table: "intakes", own: OF_ACCOUNT, numbers: "seq" },
  {
    table: "assistant_calls",
    own: OF_ACCOUNT,
    instead: { key_id: ifOwn("key_id", CREDENTIALS, "'key_gone'"), ...PERSON },
  },
  { table: "usage_records", own: OF_ACCOUNT },
  // What the operator did is a record of the other server.
  {
    table: "audit_log",
    own: `r.actor <> 'operator'
      AND (${OF_ACCOUNT} OR r.account_id IS NULL AND r.actor = ?1 AND r.actor IN (${PEOPLE}))`,
    instead: {
      // Of people who are no longer in it, the log goes on to say that somebody was; never of somebody who is there already.
      person_id: `CASE WHEN r.person_id IN (${PEOPLE}) OR r.person_id NOT IN (SELECT id FROM >.people) THEN r.person_id END`,
      key_id: ifOwn("key_id", CREDENTIALS),
    },
  },
];

/** In the bin, and when a line of the library last changed: after the triggers have written their own values. */
const AFTERWARDS: readonly string[] = [
  `UPDATE >.tracks SET deleted_at = (SELECT f.deleted_at FROM @.tracks f WHERE f.id = tracks.id)
   WHERE owner_id = ?1 AND id IN (SELECT id FROM @.tracks WHERE owner_id = ?1 AND deleted_at IS NOT NULL)`,
  `DELETE FROM >.library_names WHERE kind = 'comment' AND entity_id IN
     (SELECT c.id FROM @.comments c JOIN @.tracks t ON t.id = c.track_id WHERE t.owner_id = ?1 AND c.deleted_at IS NOT NULL)`,
  `UPDATE >.track_rows SET updated_at = (SELECT f.updated_at FROM @.track_rows f WHERE f.id = track_rows.id)
   WHERE id IN (SELECT id FROM @.tracks WHERE owner_id = ?1)`,
];
const BINNED: Part = { table: "playlist_tracks_in_bin", own: IN_PLAYLIST, numbers: "id" };

/** Tables whose rows of an account {@link copyAccountRows} takes along; `recording_codes` follow in steps. */
export const MOVED_TABLES: readonly string[] = [...PARTS.map(({ table }) => table), BINNED.table];

/** Tables that are read from an export: beside those, the ones that {@link copyAccountRows} looks things up in. */
export const READ_TABLES: readonly string[] = [...MOVED_TABLES, "recording_codes", "track_rows"];

/**
 * Copies the rows of an account from one database to the other, with the ids that the world knows; numbers that only the
 * database uses are given anew, in their order. Call it in a transaction, so that a refused row leaves nothing behind.
 *
 * @throws SQLiteError for a row whose id, address or name another one has in the target.
 */
export function copyAccountRows(client: Database, path: RowsPath, accountId: LibraryId): void {
  client.run("PRAGMA defer_foreign_keys = ON");
  const shifts = new Map<string, number>();
  for (const part of PARTS) copyPart(client, path, part, accountId, shifts);
  for (const sql of AFTERWARDS) client.query(onPath(sql, path)).run(accountId);
  copyPart(client, path, BINNED, accountId, shifts);
}

/**
 * Copies what finds recordings again for at most `limit` recordings, which have 256 keys each: a server that shares the
 * target waits only for one such step. Repeated, it goes on where it was.
 *
 * @param after The last recording of the step before, by its number in the source.
 * @returns The last recording of this step; undefined at the end.
 */
export function copyRecordingKeys(
  client: Database,
  path: RowsPath,
  accountId: LibraryId,
  after: number,
  limit: number,
): number | undefined {
  const step = "SELECT id FROM @.recordings WHERE owner_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
  const last = client
    .query<{ id: number | null }, [string, number, number]>(
      onPath(`SELECT max(id) AS id FROM (${step})`, path),
    )
    .get(accountId, after, limit)?.id;
  if (typeof last !== "number") return undefined;
  client
    .query<void, [string, number, number]>(
      onPath(
        `INSERT OR IGNORE INTO >.recording_codes (key, recording_id)
         SELECT c.key, n.id FROM @.recording_codes c JOIN @.recordings o ON o.id = c.recording_id
         JOIN >.recordings n ON n.owner_id = o.owner_id AND n.pcm_sha256 = o.pcm_sha256
         WHERE c.recording_id IN (SELECT id FROM @.recordings WHERE owner_id = ?1 AND id > ?2 AND id <= ?3)`,
        path,
      ),
    )
    .run(accountId, after, last);
  return last;
}

function copyPart(
  client: Database,
  path: RowsPath,
  part: Part,
  accountId: LibraryId,
  shifts: Map<string, number>,
): void {
  const { table, numbers, names = {}, onArrival = {} } = part;
  const instead = { ...part.instead, ...(path.to === "main" && onArrival) };
  if (numbers !== undefined) shifts.set(table, shiftOf(client, path, part, numbers, accountId));
  const expressionOf = (column: string): string => {
    const value = instead[column] ?? `r."${column}"`;
    const numbered = column === numbers ? table : names[column];
    return numbered === undefined ? value : `(${value}) + ${shifts.get(numbered) ?? 0}`;
  };
  const columns = Object.keys(ACCOUNT_COLUMNS[table] ?? {});
  const insert = part.isShared ? "INSERT OR IGNORE" : "INSERT";
  const order = numbers === undefined ? "" : `ORDER BY r."${numbers}"`;
  client
    .query(
      onPath(
        `${insert} INTO >.${table} (${columns.map((each) => `"${each}"`).join(", ")})
         SELECT ${columns.map(expressionOf).join(", ")} FROM @.${table} r WHERE ${part.own} ${order}`,
        path,
      ),
    )
    .run(accountId);
}

/** Returns what to add to the numbers of an account's rows, so that they come after all rows of the target. */
function shiftOf(
  client: Database,
  path: RowsPath,
  { table, own }: Part,
  column: string,
  accountId: LibraryId,
): number {
  const sql = `SELECT ifnull((SELECT max("${column}") FROM >.${table}), 0) + 1
    - ifnull((SELECT min(r."${column}") FROM @.${table} r WHERE ${own}), 0) AS shift`;
  return client.query<{ shift: number }, [string]>(onPath(sql, path)).get(accountId)?.shift ?? 0;
}

const onPath = (sql: string, { from, to }: RowsPath): string =>
  sql.replaceAll("@.", `${from}.`).replaceAll(">.", `${to}.`);
