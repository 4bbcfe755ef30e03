import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";

/** An entry of the audit log, and who it was. */
export type LogRow = {
  id: string;
  at: number;
  actor: string;
  action: string;
  /** JSON. */
  detail: string | null;
  personId: PersonId | null;
  /** Null: there is no such person any more. */
  personName: string | null;
};

type LogPage = { accountId: LibraryId; actions: string; key: number; id: string; limit: number };

const logPage = prepared((db) =>
  db.$client.prepare<LogRow, [LogPage]>(`
    SELECT l.id, l.at, l.actor, l.action, l.detail, l.person_id AS personId, p.name AS personName
    FROM audit_log l LEFT JOIN people p ON p.id = l.person_id
    WHERE l.account_id = $accountId AND l.at <= $key AND (l.at, l.id) < ($key, $id)
      AND l.action IN (SELECT value FROM json_each($actions))
    ORDER BY l.at DESC, l.id DESC LIMIT $limit`),
);

/** Returns at most `limit` entries of a library older than `after`, newest first. Served by index `audit_log_by_account`. */
export function listLog(
  db: Db,
  {
    accountId,
    actions,
    after,
    limit,
  }: { accountId: LibraryId; actions: readonly string[]; after: Place; limit: number },
): LogRow[] {
  const page = { accountId, actions: JSON.stringify(actions), key: Number(after.key), id: after.id, limit };
  return logPage(db).all(page);
}
