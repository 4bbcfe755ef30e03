import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type BriefStatus, briefSubmissions, type LibraryId } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";

export type NewSubmissionRow = typeof briefSubmissions.$inferInsert;

export function insertSubmission(tx: Db, row: NewSubmissionRow): void {
  tx.insert(briefSubmissions).values(row).run();
}

/** A submission with what the brief's owner may know about its track: names, and the active file. */
export type SubmissionRow = {
  id: string;
  type: "track" | "link";
  message: string | null;
  link: string | null;
  kind: "free" | "paid";
  createdAt: number;
  /** Null for a link and for a deleted track, as are the names and the file. */
  trackId: string | null;
  trackName: string | null;
  artist: string | null;
  versionId: string | null;
  versionName: string | null;
  mediaType: string | null;
  sha256: string | null;
  requestEmail: string | null;
  submitterName: string | null;
  submitterEmail: string | null;
};

const SELECT_SUBMISSION = `
  SELECT s.id, s.type, s.message, s.link, s.kind, s.created_at AS createdAt,
    s.submitter_name AS submitterName, s.submitter_email AS submitterEmail,
    t.id AS trackId, t.name AS trackName, t.artist,
    v.id AS versionId, v.name AS versionName, v.media_type AS mediaType, v.sha256,
    nullif(r.email, '') AS requestEmail
  FROM brief_submissions s
  LEFT JOIN tracks t ON t.id = s.track_id AND t.deleted_at IS NULL
  LEFT JOIN versions v ON v.id = t.active_version_id
  LEFT JOIN brief_requests r ON r.id = s.request_id`;

/**
 * Returns at most `limit` submissions of a brief older than `after`, newest first (index
 * `brief_submissions_by_brief`). The brief must be the caller's.
 */
export function listSubmissions(db: Db, briefId: string, after: Place, limit: number): SubmissionRow[] {
  return db.$client
    .query<SubmissionRow, [string, string | number, string, number]>(
      `${SELECT_SUBMISSION}
       WHERE s.brief_id = ?1 AND (s.created_at, s.id) < (?2, ?3)
       ORDER BY s.created_at DESC, s.id DESC LIMIT ?4`,
    )
    .all(briefId, after.key, after.id, limit);
}

/** Changes what the brief's owner decided about a submission; it must be to the caller's brief. */
export function updateTriage(
  tx: Db,
  id: string,
  change: Partial<Pick<NewSubmissionRow, "state" | "decidedAt" | "note" | "shownByKeep">>,
): void {
  tx.update(briefSubmissions).set(change).where(eq(briefSubmissions.id, id)).run();
}

/** A submission with what the track's owner may know about its brief. */
export type TrackSubmissionRow = {
  id: string;
  briefId: string;
  briefName: string;
  briefStatus: BriefStatus;
  briefDeadline: number | null;
  message: string | null;
  createdAt: number;
  requestEmail: string | null;
};

/** Returns the submissions of a track to any account's briefs, newest first. The track must be the caller's. */
export function listSubmissionsOfTrack(db: Db, trackId: string): TrackSubmissionRow[] {
  return db.$client
    .query<TrackSubmissionRow, [string]>(
      `SELECT s.id, b.id AS briefId, b.name AS briefName, b.status AS briefStatus, b.deadline AS briefDeadline,
         s.message, s.created_at AS createdAt, nullif(r.email, '') AS requestEmail
       FROM brief_submissions s
       JOIN briefs b ON b.id = s.brief_id
       LEFT JOIN brief_requests r ON r.id = s.request_id
       WHERE s.track_id = ? ORDER BY s.created_at DESC, s.id DESC`,
    )
    .all(trackId);
}

/** Returns the e-mail address of an account's owner. */
export function findAccountEmail(db: Db, accountId: LibraryId): string | null {
  const row = db.$client
    .query<{ email: string }, [string]>(
      `SELECT p.email FROM members m JOIN people p ON p.id = m.person_id
       WHERE m.account_id = ? AND m.role = 'owner'`,
    )
    .get(accountId);
  return row?.email ?? null;
}

/**
 * Separates the submissions that an account sent from it. Their receivers keep them, unless `isErased`: then they are
 * deleted.
 */
export function forgetSender(tx: Db, accountId: LibraryId, isErased: boolean): void {
  const isOwn = eq(briefSubmissions.submitterAccountId, accountId);
  if (isErased) tx.delete(briefSubmissions).where(isOwn).run();
  else tx.update(briefSubmissions).set({ submitterAccountId: null }).where(isOwn).run();
}
