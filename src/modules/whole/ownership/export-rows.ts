import { and, asc, eq, inArray, isNull, or } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../../../db/client.ts";
import {
  apiKeys,
  auditLog,
  briefRequests,
  briefSubmissions,
  briefs,
  comments,
  composers,
  notifications,
  oauthGrants,
  playlists,
  playlistTracks,
  saves,
  searches,
  shares,
  tagFeedback,
  trackShareholders,
  tracks,
} from "../../../../db/schema.ts";
import { publicUrlOf, type Settings } from "../../../kernel/settings.ts";
import { publicPageUrl } from "../../sharing/shares/service.ts";
import type { ExportFiles } from "./export-files.ts";
import { exportedTracks } from "./export-tracks.ts";
import { type Plain, plain } from "./plain.ts";

/** What the rows of an export are made from. */
export type ExportSource = { db: Db; settings: Settings; accountId: string; files: ExportFiles };

/** Returns every list of `library.json`, in the order of the file. */
export function exportedLists(source: ExportSource): [name: string, rows: Iterable<Plain>][] {
  return [
    ["tracks", exportedTracks(source)],
    ["tags", tagsOf(source)],
    ["playlists", playlistsOf(source)],
    ["composers", composersOf(source)],
    ["links", linksOf(source)],
    ["comments", commentsOf(source)],
    ["briefs", briefsOf(source)],
    ["submissions", submissionsOf(source)],
    ["saves", ownRows(source, saves, saves.accountId)],
    ["searches", ownRows(source, searches, searches.accountId)],
    ["intakes", intakesOf(source)],
    ["brand", brandsOf(source)],
    ["notifications", ownRows(source, notifications, notifications.accountId)],
    ["tagVerdicts", ownRows(source, tagFeedback, tagFeedback.ownerId)],
    ["keys", ownRows(source, apiKeys, apiKeys.accountId)],
    ["programs", ownRows(source, oauthGrants, oauthGrants.accountId)],
    ["activity", activityOf(source)],
    ["usage", usageOf(source)],
    ["audit", auditOf(source)],
  ];
}

function ownRows({ db, accountId }: ExportSource, table: SQLiteTable, column: SQLiteColumn): Plain[] {
  return db
    .select()
    .from(table)
    .where(eq(column, accountId))
    .all()
    .map((row) => plain(row));
}

/** Every tag in use, and how many tracks have it. */
function tagsOf({ db, accountId }: ExportSource): Plain[] {
  return db.$client
    .query<Plain, [string]>(
      `SELECT category, name, count(*) AS tracks FROM track_tags WHERE owner_id = ?
       GROUP BY category, tag_id ORDER BY category, name`,
    )
    .all(accountId);
}

function* playlistsOf({ db, accountId, files }: ExportSource): Iterable<Plain> {
  const own = db.select().from(playlists).where(eq(playlists.ownerId, accountId)).orderBy(asc(playlists.id));
  for (const row of own.all()) {
    const places = db
      .select({ trackId: playlistTracks.trackId, addedAt: playlistTracks.addedAt })
      .from(playlistTracks)
      .where(eq(playlistTracks.playlistId, row.id))
      .orderBy(asc(playlistTracks.position), asc(playlistTracks.id));
    yield {
      ...plain(row, ["image"]),
      imageFile: files.addPicture(row.image, row.name),
      tracks: places.all().map((place) => plain(place)),
    };
  }
}

function* composersOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const isOwn = and(eq(composers.ownerId, accountId), isNull(composers.deletedAt));
  for (const row of db.select().from(composers).where(isOwn).orderBy(asc(composers.id)).all()) {
    const { trackId, share, role } = trackShareholders;
    const linked = db
      .select({ trackId, share, role })
      .from(trackShareholders)
      .where(eq(trackShareholders.composerId, row.id))
      .orderBy(asc(trackId), asc(trackShareholders.position));
    yield { ...plain(row, ["deletedAt"]), tracks: linked.all() };
  }
}

function linksOf({ db, accountId, settings }: ExportSource): Plain[] {
  const own = db.select().from(shares).where(eq(shares.ownerId, accountId)).orderBy(asc(shares.id));
  return own.all().map((row) => ({
    ...plain(row, ["token", "passwordHash"]),
    url: publicPageUrl({ settings }, row.entity, row.token),
    hasPassword: row.passwordHash !== null,
  }));
}

/** Comments on the account's tracks, and those that the account wrote elsewhere. */
function commentsOf({ db, accountId }: ExportSource): Plain[] {
  const ownTracks = db.select({ id: tracks.id }).from(tracks).where(eq(tracks.ownerId, accountId));
  return db
    .select()
    .from(comments)
    .where(or(inArray(comments.trackId, ownTracks), eq(comments.authorId, accountId)))
    .orderBy(asc(comments.id))
    .all()
    .map((row) => plain(row));
}

function* briefsOf({ db, accountId, settings }: ExportSource): Iterable<Plain> {
  const linkOf = (token: string) => `${publicUrlOf(settings)}/submit/${token}`;
  const own = db.select().from(briefs).where(eq(briefs.ownerId, accountId)).orderBy(asc(briefs.id));
  for (const row of own.all()) {
    const requests = db.select().from(briefRequests).where(eq(briefRequests.briefId, row.id));
    yield {
      ...plain(row, ["token"]),
      url: linkOf(row.token),
      requests: requests.all().map((request) => ({
        ...plain(request, ["token", "briefId"]),
        link: linkOf(request.token),
      })),
    };
  }
}

/** What the account's briefs received, and what the account sent to briefs of others. */
function submissionsOf({ db, accountId }: ExportSource): Plain[] {
  const rows = db
    .select({ submission: briefSubmissions, briefName: briefs.name, ownerId: briefs.ownerId })
    .from(briefSubmissions)
    .innerJoin(briefs, eq(briefs.id, briefSubmissions.briefId))
    .where(or(eq(briefs.ownerId, accountId), eq(briefSubmissions.submitterAccountId, accountId)))
    .orderBy(asc(briefSubmissions.id))
    .all();
  return rows.map(({ submission, briefName, ownerId }) => ({
    ...plain(submission, ["submitterHash"]),
    briefName,
    direction: ownerId === accountId ? "received" : "sent",
  }));
}

/** Files that came in from watched folders, by `send` and by `import`. */
function intakesOf({ db, accountId }: ExportSource): Plain[] {
  return db.$client
    .query<Plain, [string]>(
      `SELECT id, kind, source, path, sha256, outcome, reason, label, track_id AS trackId, version_id AS versionId,
         taken_at AS takenAt, undone_at AS undoneAt
       FROM intakes WHERE account_id = ? ORDER BY seq`,
    )
    .all(accountId)
    .map((row) => plain(row));
}

/** What the account's pages show in the place of our name; at most one row. */
function brandsOf({ db, accountId, files }: ExportSource): Plain[] {
  return db.$client
    .query<Plain & { logo: string | null }, [string]>(
      "SELECT name, accent, website, logo_key AS logo FROM brands WHERE account_id = ?",
    )
    .all(accountId)
    .map(({ logo, ...row }) => ({ ...row, logoFile: files.addPicture(logo, "logo") }));
}

/** Plays, views and other events, read row by row: there may be millions. */
function* activityOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const rows = db.$client
    .query<Plain, [string]>(
      `SELECT a.id, a.at, e.entity, e.entity_id AS entityId, s.metric, a.actor_type AS actorType,
         a.actor_name AS actorName, a.share_id AS shareId, a.left_out AS leftOut, a.visit, a.heard_sec AS heardSec, a.heard, a.stopped_sec AS stoppedSec,
         p.entity_id AS playlistId
       FROM activity_entities e JOIN activity a ON a.entity_ref = e.ref
       JOIN activity_series s ON s.ref = a.series_ref LEFT JOIN activity_entities p ON p.ref = a.playlist_ref
       WHERE e.owner_id = ? ORDER BY a.seq`,
    )
    .iterate(accountId);
  for (const row of rows) yield plain(row);
}

/** Requests with the account's keys, read row by row too. */
function* usageOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const rows = db.$client
    .query<Plain, [string]>(
      `SELECT id, key_id AS keyId, route, method, status, duration_ms AS durationMs, ip, at FROM usage_records
       WHERE account_id = ? ORDER BY at, id`,
    )
    .iterate(accountId);
  for (const row of rows) yield plain(row);
}

/** The audited actions of the account and on it. */
function auditOf({ db, accountId }: ExportSource): Plain[] {
  return db
    .select()
    .from(auditLog)
    .where(or(eq(auditLog.actor, accountId), eq(auditLog.subject, accountId)))
    .orderBy(asc(auditLog.at), asc(auditLog.id))
    .all()
    .map((row) => plain(row));
}
