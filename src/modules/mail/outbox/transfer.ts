import type { Db } from "../../../../db/client.ts";

/**
 * Gives the mails about links and briefs of an account to the account that has these now; those that wait are cancelled. Whoever wants no mail of the one wants none of
 * the other, which would write to the same people; the one may still write too.
 */
export function transferMails(tx: Db, from: string, to: string, at: number): void {
  // They speak for a library that does not have the link any more, and their own link stops its mail alone.
  tx.$client
    .query<void, { from: string; at: number }>(
      `UPDATE mails SET state = 'cancelled', answer = 'The link was given to another library', body = NULL, due_at = NULL,
         ended_at = $at, dedupe = dedupe || ' ' || id
       WHERE account_id = $from AND state = 'waiting' AND coalesce(share_id, request_id) IS NOT NULL`,
    )
    .run({ from, at });
  tx.$client
    .query<void, [string, string]>(
      "UPDATE mails SET account_id = ?2 WHERE account_id = ?1 AND coalesce(share_id, request_id) IS NOT NULL",
    )
    .run(from, to);
  tx.$client
    .query<void, [string, string]>(
      `INSERT INTO mail_stops (email, account_id, at, source)
       SELECT email, ?2, at, source FROM mail_stops WHERE account_id = ?1 ON CONFLICT DO NOTHING`,
    )
    .run(from, to);
}
