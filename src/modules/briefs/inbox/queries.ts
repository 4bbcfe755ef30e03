import type { Db } from "../../../../db/client.ts";
import type { LibraryId, TriageState } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";

/** Which submissions an inbox is about. Without a brief: those to every open one. */
export type InboxFilter = { ownerId: LibraryId; briefId: string | undefined; passedSince: number };

/** A submission as stored. Measurements are null for a track of another account. */
export type InboxRow = {
  id: string;
  briefId: string;
  briefName: string;
  submitterName: string | null;
  submitterEmail: string | null;
  askedName: string | null;
  askedEmail: string | null;
  requestId: string | null;
  message: string | null;
  link: string | null;
  state: TriageState;
  note: string | null;
  decidedAt: number | null;
  shownByKeep: 0 | 1;
  /** 1: a visitor sent it, so that it is in the library only once it is kept. */
  wasSent: 0 | 1;
  createdAt: number;
  trackId: string | null;
  name: string;
  title: string | null;
  artist: string | null;
  isOwn: 0 | 1;
  visible: 0 | 1;
  cover: string | null;
  status: "pending" | "processing" | "completed" | "failed";
  durationSec: number | null;
  bpm: number | null;
  key: string | null;
  integratedLufs: number | null;
  truePeakDbtp: number | null;
  versionId: string;
  versionName: string;
  mediaType: string;
  sha256: string;
};

const ITEM = `s.id, s.brief_id AS briefId, b.name AS briefName, s.submitter_name AS submitterName,
  s.submitter_email AS submitterEmail, r.name AS askedName, nullif(r.email, '') AS askedEmail, s.request_id AS requestId,
  s.message, s.link, s.state, s.note, s.decided_at AS decidedAt, s.shown_by_keep AS shownByKeep,
  s.submitter_account_id IS NULL AS wasSent, s.created_at AS createdAt,
  t.id AS trackId, t.name, iif(t.owner_id = b.owner_id, t.title, NULL) AS title, t.artist,
  t.owner_id = b.owner_id AS isOwn, v.visible, iif(t.owner_id = b.owner_id, t.cover, NULL) AS cover,
  t.analysis_status AS status, iif(t.owner_id = b.owner_id, t.duration_sec, NULL) AS durationSec,
  iif(t.owner_id = b.owner_id, t.bpm, NULL) AS bpm, iif(t.owner_id = b.owner_id, t.key, NULL) AS key,
  iif(t.owner_id = b.owner_id, a.integrated_lufs, NULL) AS integratedLufs,
  iif(t.owner_id = b.owner_id, a.true_peak_dbtp, NULL) AS truePeakDbtp,
  v.id AS versionId, v.name AS versionName, v.media_type AS mediaType, v.sha256`;

const OF_INBOX = `FROM briefs b JOIN brief_submissions s ON s.brief_id = b.id
  LEFT JOIN tracks t ON t.id = s.track_id AND t.deleted_at IS NULL
  LEFT JOIN versions v ON v.id = t.active_version_id
  LEFT JOIN analyses a ON a.version_id = v.id
  LEFT JOIN brief_requests r ON r.id = s.request_id
  WHERE b.owner_id = $ownerId AND iif($briefId IS NULL, b.status = 'open', b.id = $briefId)`;

/** Submissions passed earlier are no longer shown. */
const SHOWN = "(s.state <> 'passed' OR s.decided_at >= $passedSince)";

const bound = ({ ownerId, briefId, passedSince }: InboxFilter) => ({
  ownerId,
  briefId: briefId ?? null,
  passedSince,
});

/** Returns at most `limit` submissions of an inbox older than `after`, newest first. */
export function listInbox(
  db: Db,
  filter: InboxFilter,
  state: TriageState | undefined,
  after: Place,
  limit: number,
): InboxRow[] {
  return db.$client
    .query<InboxRow, [Record<string, string | number | null>]>(
      `SELECT ${ITEM} ${OF_INBOX} AND ($state IS NULL OR s.state = $state) AND ${SHOWN}
         AND (s.created_at, s.id) < ($key, $id)
       ORDER BY s.created_at DESC, s.id DESC LIMIT $limit`,
    )
    .all({ ...bound(filter), state: state ?? null, key: after.key, id: after.id, limit });
}

/** Returns a submission to any brief of the account. */
export function findSubmission(db: Db, ownerId: LibraryId, id: string): InboxRow | undefined {
  return (
    db.$client
      .query<InboxRow, [Record<string, string>]>(
        `SELECT ${ITEM} ${OF_INBOX.replace(/AND iif.*$/, "AND s.id = $id")}`,
      )
      .get({ ownerId, id }) ?? undefined
  );
}

/** True when another submission of the track is kept. */
export function isKept(db: Db, trackId: string, exceptId: string): boolean {
  const sql = "SELECT 1 FROM brief_submissions WHERE track_id = ? AND id <> ? AND state = 'kept' LIMIT 1";
  return db.$client.query<unknown, [string, string]>(sql).get(trackId, exceptId) !== null;
}

/** Counts an inbox by decision. */
export function countInbox(db: Db, filter: InboxFilter): { state: TriageState; count: number }[] {
  return db.$client
    .query<{ state: TriageState; count: number }, [Record<string, string | number | null>]>(
      `SELECT s.state, count(*) AS count FROM briefs b JOIN brief_submissions s ON s.brief_id = b.id
       WHERE b.owner_id = $ownerId AND iif($briefId IS NULL, b.status = 'open', b.id = $briefId) AND ${SHOWN}
       GROUP BY 1`,
    )
    .all(bound(filter));
}

/** Returns the submitted tracks of an inbox that are in the owner's library, newest first. */
export function selectSubmittedTracks(db: Db, filter: InboxFilter): string[] {
  return db.$client
    .query<{ id: string }, [Record<string, string | null>]>(
      `SELECT t.id FROM briefs b CROSS JOIN brief_submissions s ON s.brief_id = b.id
       CROSS JOIN tracks t ON t.id = s.track_id AND t.owner_id = b.owner_id AND t.deleted_at IS NULL
       WHERE b.owner_id = $ownerId AND iif($briefId IS NULL, b.status = 'open', b.id = $briefId)
       GROUP BY t.id ORDER BY max(s.created_at) DESC`,
    )
    .all({ ownerId: filter.ownerId, briefId: filter.briefId ?? null })
    .map(({ id }) => id);
}
