import { type Db, prepared } from "../../../../db/client.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { HOUR_MS } from "../../../kernel/time.ts";

/** The job that writes to the recipient of a link that their notes are answered. It has the link in `shareId`, its unique key. */
export const ANSWERED_MAIL_JOB = "answered mail";

const writable = prepared((db) =>
  db.$client.prepare<{ id: string }, [string]>(
    `SELECT id FROM shares WHERE id IN (SELECT value FROM json_each(?))
       AND allow_review = 1 AND recipient_email IS NOT NULL AND revoked_at IS NULL`,
  ),
);

/**
 * Has the recipients of links written to in an hour that notes of theirs are answered, with all that are answered until then. Only those
 * whose link asks for approval and names their address. Call it in the transaction that marks the notes answered.
 */
export function tellLinks(tx: Db, shareIds: readonly (string | null)[], at: number): void {
  const asked = [...new Set(shareIds)].filter((id) => id !== null);
  if (asked.length === 0) return;
  for (const { id } of writable(tx).all(JSON.stringify(asked))) tellLinkAt(tx, id, at + HOUR_MS, at);
}

/** Has the recipient of a link written to at a time, or sooner if that is planned. */
export function tellLinkAt(tx: Db, shareId: string, runAt: number, at: number): void {
  enqueue(tx, { name: ANSWERED_MAIL_JOB, payload: { shareId }, uniqueKey: shareId, runAt }, at);
}
