import { transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { MAILS_KEPT_DAYS } from "./shapes.ts";

/** Rows per transaction: requests wait for each a few milliseconds. */
const ROWS_AT_ONCE = 2000;

/**
 * Deletes mails that ended long ago, but not reminders: a link has one, as long as it is there. Those that asked for music stay as long
 * as their brief, which says whom they reached. What
 * mails say that may go again goes then too, and sooner when nobody can send them or it is of no use.
 */
export function pruneMails({ db, now }: Pick<Deps, "db" | "now">): void {
  const at = now();
  const old = db.$client.query<void, [number, number]>(
    `DELETE FROM mails WHERE seq IN (SELECT seq FROM mails WHERE ended_at <= ?
       AND NOT (kind = 'reminder' AND share_id IS NOT NULL) AND NOT (kind = 'brief' AND request_id IS NOT NULL) LIMIT ?)`,
  );
  while (transact(db, () => old.run(at - MAILS_KEPT_DAYS * DAY_MS, ROWS_AT_ONCE).changes) === ROWS_AT_ONCE);
  db.$client
    .query<void, { at: number; old: number }>(
      `UPDATE mails SET body = NULL WHERE ended_at IS NOT NULL AND body IS NOT NULL
         AND (account_id IS NULL OR expires_at <= $at OR ended_at <= $old)`,
    )
    .run({ at, old: at - MAILS_KEPT_DAYS * DAY_MS });
}
