import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

/** The definition of an active brief (decision 3.6). */
const IS_ACTIVE = "(b.status = 'open' AND (b.deadline IS NULL OR b.deadline > $at))";

export type FileRequestRow = {
  id: string;
  title: string;
  createdAt: number;
  active: 0 | 1;
  ownerId: LibraryId;
  ownerName: string;
  ownerEmail: string;
  freeSubmissions: number;
  paidSubmissions: number;
  latestSubmissionAt: number | null;
};

/** `active` is null to select both active and inactive requests. */
type ActiveFilter = { at: number; active: 0 | 1 | null };

const OF_FILE_REQUESTS = `briefs b INDEXED BY briefs_public
  WHERE b.public_since IS NOT NULL AND ($active IS NULL OR ${IS_ACTIVE} = $active)`;

export function countFileRequests(db: Db, filter: ActiveFilter): number {
  const row = db.$client
    .query<{ total: number }, [ActiveFilter]>(`SELECT count(*) AS total FROM ${OF_FILE_REQUESTS}`)
    .get(filter);
  return row?.total ?? 0;
}

/**
 * Returns file requests, latest submission first. It counts submissions only for the page: the order needs just the
 * last entry of each request in `brief_submissions_by_brief`.
 */
export function selectFileRequests(
  db: Db,
  page: ActiveFilter & { limit: number; offset: number },
): FileRequestRow[] {
  return db.$client
    .query<FileRequestRow, [typeof page]>(
      `SELECT r.*, a.name AS ownerName, p.email AS ownerEmail,
         (SELECT count(DISTINCT s.batch_id) FROM brief_submissions s
          WHERE s.brief_id = r.id AND s.kind = 'free') AS freeSubmissions,
         (SELECT count(DISTINCT s.batch_id) FROM brief_submissions s
          WHERE s.brief_id = r.id AND s.kind = 'paid') AS paidSubmissions
       FROM (
         SELECT b.id, b.name AS title, b.created_at AS createdAt, b.owner_id AS ownerId, ${IS_ACTIVE} AS active,
           (SELECT max(s.created_at) FROM brief_submissions s WHERE s.brief_id = b.id) AS latestSubmissionAt
         FROM ${OF_FILE_REQUESTS}
         ORDER BY latestSubmissionAt DESC NULLS LAST, b.created_at DESC, b.id DESC LIMIT $limit OFFSET $offset
       ) r JOIN accounts a ON a.id = r.ownerId JOIN members m ON m.account_id = a.id AND m.role = 'owner'
       JOIN people p ON p.id = m.person_id
       ORDER BY r.latestSubmissionAt DESC NULLS LAST, r.createdAt DESC, r.id DESC`,
    )
    .all(page);
}

/** Returns whether a file request is active, or null when no file request has that id. */
export function findFileRequest(db: Db, id: string, at: number): { active: 0 | 1 } | null {
  return db.$client
    .query<{ active: 0 | 1 }, [{ id: string; at: number }]>(
      `SELECT ${IS_ACTIVE} AS active FROM briefs b WHERE b.id = $id AND b.public_since IS NOT NULL`,
    )
    .get({ id, at });
}

export type SubmissionRow = {
  kind: "free" | "paid";
  submittedAt: number;
  itemCount: number;
  submitterId: string | null;
};

/** Returns how many batches were sent to a brief, whatever their number of items. */
export function countSubmissions(db: Db, briefId: string): number {
  const row = db.$client
    .query<{ total: number }, [string]>(
      "SELECT count(DISTINCT batch_id) AS total FROM brief_submissions WHERE brief_id = ?",
    )
    .get(briefId);
  return row?.total ?? 0;
}

/** Returns the batches sent to a brief, newest first; the rows of a batch differ only in the item. */
export function selectSubmissions(
  db: Db,
  page: { briefId: string; limit: number; offset: number },
): SubmissionRow[] {
  return db.$client
    .query<SubmissionRow, [typeof page]>(
      `SELECT min(kind) AS kind, max(created_at) AS submittedAt, count(*) AS itemCount,
         max(submitter_hash) AS submitterId
       FROM brief_submissions WHERE brief_id = $briefId
       GROUP BY batch_id ORDER BY submittedAt DESC, batch_id DESC LIMIT $limit OFFSET $offset`,
    )
    .all(page);
}

export type AccountRow = {
  id: string;
  name: string;
  email: string;
  username: string | null;
  createdAt: number;
  active: 0 | 1;
  acquisitionSource: string | null;
  acquisitionFileRequestId: string | null;
  acquisitionFileRequestTitle: string | null;
  acquisitionFileRequestOwnerId: string | null;
};

export function countAccounts(db: Db, createdFrom: number): number {
  const row = db.$client
    .query<{ total: number }, [number]>("SELECT count(*) AS total FROM accounts WHERE created_at >= ?")
    .get(createdFrom);
  return row?.total ?? 0;
}

/** Returns accounts created at `createdFrom` or later, newest first. */
export function selectAccounts(
  db: Db,
  page: { createdFrom: number; limit: number; offset: number },
): AccountRow[] {
  return db.$client
    .query<AccountRow, [typeof page]>(
      `SELECT a.id, a.name, p.email, a.username, a.created_at AS createdAt, a.active,
         a.acquisition_source AS acquisitionSource, a.acquisition_brief_id AS acquisitionFileRequestId,
         b.name AS acquisitionFileRequestTitle, b.owner_id AS acquisitionFileRequestOwnerId
       FROM accounts a JOIN members m ON m.account_id = a.id AND m.role = 'owner' JOIN people p ON p.id = m.person_id
       LEFT JOIN briefs b ON b.id = a.acquisition_brief_id
       WHERE a.created_at >= $createdFrom
       ORDER BY a.created_at DESC, a.id DESC LIMIT $limit OFFSET $offset`,
    )
    .all(page);
}
