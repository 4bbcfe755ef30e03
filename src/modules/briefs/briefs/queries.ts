import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { briefRequests, briefs, type LibraryId } from "../../../../db/schema.ts";
import { currentPerson } from "../../../kernel/current-request.ts";
import type { Place } from "../../../kernel/paging.ts";
import { MAIL_STATE } from "../../mail/outbox/service.ts";

type BriefColumns = typeof briefs.$inferSelect;
export type RequestRow = typeof briefRequests.$inferSelect & {
  submissionCount: number;
  /** What `readMailState` reads. Null: no mail was sent. */
  mail: string | null;
};
export type BriefRow = BriefColumns & { submissionCount: number; requestCount: number };

/** The last mail with the link of a request `r`. */
const ASKING_MAIL = "(SELECT max(seq) FROM mails WHERE request_id = r.id AND kind = 'brief')";

/** Whom no mail reached, and who has not come by the link in another way either. */
const IS_REFUSED = `EXISTS (SELECT 1 FROM mails m WHERE m.seq = ${ASKING_MAIL} AND m.state = 'refused')
  AND NOT EXISTS (SELECT 1 FROM brief_submissions s WHERE s.request_id = r.id)`;

// The outer column is written out, because the builder omits the table name in a query on one table.
const counted = {
  ...getTableColumns(briefs),
  submissionCount: sql<number>`(SELECT count(*) FROM brief_submissions s WHERE s.brief_id = briefs.id)`,
  requestCount: sql<number>`(SELECT count(*) FROM brief_requests r
    WHERE r.brief_id = briefs.id AND NOT (${sql.raw(IS_REFUSED)}))`,
};

/** Returns at most `limit` briefs older than `after`, newest first. Served by index `briefs_by_owner`. */
export function listBriefs(db: Db, ownerId: LibraryId, after: Place, limit: number): BriefRow[] {
  return db
    .select(counted)
    .from(briefs)
    .where(
      and(
        eq(briefs.ownerId, ownerId),
        sql`(${briefs.createdAt}, ${briefs.id}) < (${after.key}, ${after.id})`,
      ),
    )
    .orderBy(desc(briefs.createdAt), desc(briefs.id))
    .limit(limit)
    .all();
}

/** Finds a brief of the account. */
export function findOwnBrief(db: Db, ownerId: LibraryId, id: string): BriefRow | undefined {
  return db
    .select(counted)
    .from(briefs)
    .where(and(eq(briefs.ownerId, ownerId), eq(briefs.id, id)))
    .get();
}

/** Finds a brief of any account; use it only for submitting. */
export function findAnyBrief(db: Db, id: string): BriefColumns | undefined {
  return db.select().from(briefs).where(eq(briefs.id, id)).get();
}

export function insertBrief(tx: Db, row: typeof briefs.$inferInsert): void {
  tx.insert(briefs)
    .values({ madeBy: currentPerson(), ...row })
    .run();
}

/** Changes a brief that {@link findOwnBrief} found in the same transaction. */
export function updateBrief(tx: Db, id: string, change: Partial<typeof briefs.$inferInsert>): void {
  tx.update(briefs).set(change).where(eq(briefs.id, id)).run();
}

/** Deletes a brief with its requests and submissions. */
export function deleteBrief(tx: Db, ownerId: LibraryId, id: string): void {
  tx.delete(briefs)
    .where(and(eq(briefs.ownerId, ownerId), eq(briefs.id, id)))
    .run();
}

const SELECT_REQUEST = `SELECT r.id, r.brief_id AS briefId, r.name, r.email, r.message, r.token, r.created_at AS createdAt,
    (SELECT ${MAIL_STATE} FROM mails m WHERE m.seq = ${ASKING_MAIL}) AS mail`;

/**
 * Returns at most `limit` requests of a brief older than `after`, newest first, each with its submission count. One
 * pass over the brief's submissions counts for the whole page.
 */
export function listRequests(db: Db, briefId: string, after: Place, limit: number): RequestRow[] {
  return db.$client
    .query<RequestRow, [string, string | number, string, number]>(
      `${SELECT_REQUEST}, coalesce(c.total, 0) AS submissionCount
       FROM brief_requests r
       LEFT JOIN (SELECT request_id, count(*) AS total FROM brief_submissions WHERE brief_id = ?1
         GROUP BY request_id) c ON c.request_id = r.id
       WHERE r.brief_id = ?1 AND (r.created_at, r.id) < (?2, ?3)
       ORDER BY r.created_at DESC, r.id DESC LIMIT ?4`,
    )
    .all(briefId, after.key, after.id, limit);
}

/** Returns a request that was just made. */
export function getRequest(tx: Db, id: string): RequestRow {
  const row = tx.$client
    .query<RequestRow, [string]>(
      `${SELECT_REQUEST}, 0 AS submissionCount FROM brief_requests r WHERE r.id = ?`,
    )
    .get(id);
  if (row) return row;
  throw new RangeError("A request that was just made is there");
}

export function insertRequest(tx: Db, row: typeof briefRequests.$inferInsert): void {
  tx.insert(briefRequests).values(row).run();
}

/** Finds the request of this brief whose personal link ends in `token`. */
export function findRequestByToken(db: Db, briefId: string, token: string) {
  return db
    .select()
    .from(briefRequests)
    .where(and(eq(briefRequests.token, token), eq(briefRequests.briefId, briefId)))
    .get();
}

/** Returns when an address was last asked by mail for a brief; undefined when no such mail went out or still may. */
export function lastAskedByMail(db: Db, briefId: string, email: string): number | undefined {
  const row = db.$client
    .query<{ at: number | null }, [string, string]>(
      `SELECT max(m.created_at) AS at FROM brief_requests r JOIN mails m ON m.request_id = r.id AND m.kind = 'brief'
       WHERE r.brief_id = ? AND r.email = ? AND m.state NOT IN ('refused', 'cancelled')`,
    )
    .get(briefId, email);
  return row?.at ?? undefined;
}
