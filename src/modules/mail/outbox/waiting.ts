import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { reportMail } from "./outbox.ts";

const ofShare = prepared((db) =>
  db.$client.prepare<{ count: number; live: number }, { shareId: string; email: string }>(
    `SELECT count(*) AS count, count(*) FILTER (WHERE to_email = $email AND state NOT IN ('refused', 'cancelled')) AS live
     FROM mails WHERE share_id = $shareId AND kind IN ('link', 'pack')`,
  ),
);

/** Counts the mails that brought a link: all of them, and those that went to an address or still may. */
export function countOfShare(
  db: Db,
  about: { shareId: string; email: string },
): { all: number; live: number } {
  const { count = 0, live = 0 } = ofShare(db).get(about) ?? {};
  return { all: count, live };
}

/**
 * Moves the mails that go out when a link opens, as far as none was tried. Call it in the transaction that changes the link.
 *
 * @param from When it was to open, in epoch milliseconds; null: at once.
 */
export function moveWaiting(
  { db, now }: Pick<Deps, "db" | "now">,
  { shareId, from, to }: { shareId: string; from: number | null; to: number | null },
): void {
  if (from === null) return;
  const at = now();
  db.$client
    .query<void, { shareId: string; from: number; dueAt: number }>(
      `UPDATE mails SET due_at = $dueAt WHERE share_id = $shareId AND state = 'waiting' AND due_at = $from AND tries = 0`,
    )
    .run({ shareId, from, dueAt: Math.max(at, to ?? at) });
  reportMail(db);
}

/**
 * Cancels the mails about a link that have not gone, and says why. Call it in the transaction that changes the link.
 *
 * @param exceptTo Mails to this address stay.
 */
export function cancelWaiting(
  { db, now }: Pick<Deps, "db" | "now">,
  { shareId, exceptTo, words }: { shareId: string; exceptTo: string | null; words: string },
): void {
  db.$client
    .query<void, { shareId: string; exceptTo: string | null; words: string; at: number }>(
      `UPDATE mails SET state = 'cancelled', answer = $words, body = NULL, due_at = NULL, ended_at = $at
       WHERE share_id = $shareId AND state = 'waiting' AND to_email IS NOT $exceptTo`,
    )
    .run({ shareId, exceptTo, words, at: now() });
}

/** Cancels the mails that ask for music for a brief and have not gone. Call it in the transaction that closes or deletes the brief. */
export function cancelAsking(
  { db, now }: Pick<Deps, "db" | "now">,
  { briefId, words }: { briefId: string; words: string },
): void {
  db.$client
    .query<void, { briefId: string; words: string; at: number }>(
      `UPDATE mails SET state = 'cancelled', answer = $words, body = NULL, due_at = NULL, ended_at = $at
       WHERE state = 'waiting' AND kind = 'brief' AND request_id IN (SELECT id FROM brief_requests WHERE brief_id = $briefId)`,
    )
    .run({ briefId, words, at: now() });
}

/**
 * Returns the links of a library that went out by mail before a time, have had no reminder, and whose address takes mail: the oldest
 * first.
 *
 * @param before Epoch milliseconds.
 */
export const listMailedBefore = (
  db: Db,
  of: { accountId: LibraryId; before: number },
): { shareId: string; sentAt: number }[] =>
  db.$client
    .query<{ shareId: string; sentAt: number }, typeof of>(
      `SELECT m.share_id AS shareId, max(m.ended_at) AS sentAt FROM mails m
       WHERE m.account_id = $accountId AND m.kind IN ('link', 'pack') AND m.state = 'sent' AND m.share_id IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM mails r WHERE r.dedupe = 'reminder ' || m.share_id)
         AND NOT EXISTS (SELECT 1 FROM mail_stops s WHERE s.email = m.to_email
           AND (s.account_id IS NULL OR s.account_id = m.account_id))
       GROUP BY m.share_id HAVING max(m.ended_at) <= $before ORDER BY sentAt`,
    )
    .all(of);
