import type { Db } from "../../../../db/client.ts";

/**
 * Gives the mails about links and briefs of an account to the account that has these now. Whoever wants no mail of the one wants none of
 * the other, which would write to the same people; the one may still write too.
 */
export function transferMails(tx: Db, from: string, to: string): void {
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
