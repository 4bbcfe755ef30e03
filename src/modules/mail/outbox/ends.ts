import { MOVED_AWAY } from "../../../../db/account-rows.ts";
import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { normaliseEmail } from "../../people/people/service.ts";

/** Cancels mails that have not gone when their library moves to another server. Returns how many. */
export function cancelMoved(tx: Db, ids: readonly string[], at: number): number {
  return tx.$client
    .query<void, { at: number; ids: string; answer: string }>(
      `UPDATE mails SET state = 'cancelled', answer = $answer, body = NULL, due_at = NULL, ended_at = $at,
         dedupe = dedupe || ' ' || id
       WHERE state = 'waiting' AND id IN (SELECT value FROM json_each($ids))`,
    )
    .run({ at, ids: JSON.stringify(ids), answer: MOVED_AWAY }).changes;
}

/** What is said of a mail that waited in a copy of the database. */
const FROM_A_COPY = "It waited in a copy that was put back: it may have gone since";

/**
 * Keeps the mails that wait in an older copy of the database from going again: a person decides. Those of the server itself, such as
 * new passwords, are over. Returns how many there were.
 */
export function doubtMails(tx: Db, at: number): number {
  return tx.$client
    .query<void, { at: number; answer: string }>(
      `UPDATE mails SET state = 'unsure', answer = $answer, body = iif(account_id IS NULL, NULL, body), due_at = NULL,
         ended_at = $at
       WHERE state IN ('waiting', 'ending')`,
    )
    .run({ at, answer: FROM_A_COPY }).changes;
}

/** Deletes at most `limit` mails of a library. Returns how many there were. */
export function deleteMailsOf(tx: Db, accountId: LibraryId, limit: number): number {
  return tx.$client
    .query<void, [string, number]>(
      "DELETE FROM mails WHERE seq IN (SELECT seq FROM mails WHERE account_id = ? LIMIT ?)",
    )
    .run(accountId, limit).changes;
}

/**
 * Deletes what the server itself wrote to a person who is no longer here, or for them to another address that they wanted to have.
 * What libraries wrote to them is theirs.
 */
export function forgetMailsTo(tx: Db, { id, email }: { id: PersonId; email: string }): void {
  tx.$client
    .query<void, [string, string]>(
      "DELETE FROM mails WHERE account_id IS NULL AND (to_email = ? OR made_by = ?)",
    )
    .run(normaliseEmail(email), id);
}
