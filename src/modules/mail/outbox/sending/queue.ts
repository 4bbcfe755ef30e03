import { type Db, prepared, transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { BY_HAND, type MailKind } from "../outbox.ts";
import { REASON } from "./too-late.ts";

/** A mail that goes out now. */
export type DueMail = {
  id: string;
  accountId: LibraryId | null;
  kind: MailKind;
  toEmail: string;
  toName: string | null;
  subject: string;
  body: Uint8Array;
  tries: number;
  unsure: number;
  createdAt: number;
};

/** Those of a disabled library or a blocked person wait. */
const DUE = `mails m LEFT JOIN accounts a ON a.id = m.account_id
  WHERE m.state = 'waiting' AND m.due_at <= $at AND coalesce(a.active, 1) = 1
    AND NOT EXISTS (SELECT 1 FROM people p WHERE p.id = m.made_by AND p.active = 0)`;

/** Looked at per claim: with thousands of due mails, a look at all of them would take as long as hundreds of requests. */
const LOOKED_AT = 100;

/** Cancels what nobody waits for any more. The same may be written anew, should a link open again. */
const cancelDue = prepared((db) =>
  db.$client.prepare<void, { at: number }>(`
    UPDATE mails SET state = 'cancelled', answer = over.reason, ended_at = $at, due_at = NULL, body = NULL,
      dedupe = mails.dedupe || ' ' || mails.id
    FROM (SELECT m.seq, ${REASON} AS reason FROM ${DUE} ORDER BY m.due_at, m.seq LIMIT ${LOOKED_AT}) AS over
    WHERE over.seq = mails.seq AND over.reason IS NOT NULL`),
);

const selectDue = prepared((db) =>
  db.$client.prepare<DueMail, { at: number; limit: number; busy: string }>(`
    SELECT m.id, m.account_id AS accountId, m.kind, m.to_email AS toEmail, m.to_name AS toName, m.subject, m.body, m.tries,
           m.unsure, m.created_at AS createdAt
    FROM ${DUE} AND m.body IS NOT NULL AND m.id NOT IN (SELECT value FROM json_each($busy)) AND (${REASON}) IS NULL
    ORDER BY m.due_at, m.seq LIMIT $limit`),
);

/** Returns mails that go out now, the oldest first, without those under way. */
export function claimDue(db: Db, at: number, limit: number, busy: readonly string[]): DueMail[] {
  return transact(db, (tx) => {
    cancelDue(tx).run({ at });
    return selectDue(tx).all({ at, limit, busy: JSON.stringify(busy) });
  });
}

/** Returns when the next mail becomes due after a time, or infinity. What is due by then waits for a disabled library. */
export function nextDueAt(db: Db, after: number): number {
  return (
    db.$client
      .query<{ at: number | null }, [number]>(
        "SELECT min(due_at) AS at FROM mails WHERE state = 'waiting' AND due_at > ?",
      )
      .get(after)?.at ?? Number.POSITIVE_INFINITY
  );
}

/**
 * Notes, before its last bytes go out, that a mail may arrive from now on. It is on the disk when this returns. Nothing changes when
 * somebody has cancelled it meanwhile.
 */
export const markEnding = prepared((db) =>
  db.$client.prepare<void, [id: string]>(
    "UPDATE mails SET state = 'ending' WHERE id = ? AND state = 'waiting'",
  ),
);

/**
 * A mail that was about to end when the program did may have arrived. It goes out once more, and after that a person decides,
 * as for one that was cancelled meanwhile, of which nothing is left to send. Only the one sender of a library may call this.
 */
export function settleEnding(db: Db, at: number): void {
  db.$client
    .query<void, { at: number }>(`
      UPDATE mails SET unsure = unsure + 1, state = iif(unsure >= 1 OR body IS NULL, 'unsure', 'waiting'),
        due_at = iif(unsure >= 1 OR body IS NULL, NULL, $at), ended_at = iif(unsure >= 1 OR body IS NULL, $at, NULL)
      WHERE state = 'ending'`)
    .run({ at });
}

/** What became of a mail. */
export type Outcome = {
  id: string;
  state: "waiting" | "sent" | "refused" | "unsure";
  dueAt: number | null;
  tries: number;
  unsure: number;
  code: number | null;
  answer: string | null;
  at: number;
};

const MAX_ANSWER_CHARS = 200;

const KEPT_FOR_ANOTHER_TRY = `kind IN (${[...BY_HAND].map((kind) => `'${kind}'`).join(", ")})`;

/**
 * Records what became of a mail. What it said is gone when it is over; one that may have arrived, or that a person sent and the relay
 * refused, can go out again. Returns false for a mail that was cancelled meanwhile.
 */
export function writeOutcome(tx: Db, outcome: Outcome): boolean {
  const isOver = outcome.state === "sent" || outcome.state === "refused";
  const { changes } = tx.$client
    .query<void, Record<string, string | number | null>>(`
      UPDATE mails SET state = $state, due_at = $dueAt, tries = $tries, unsure = $unsure, code = $code, answer = $answer,
        body = iif($isOver AND NOT ($state = 'refused' AND ${KEPT_FOR_ANOTHER_TRY}), NULL, body), ended_at = iif($state = 'waiting', NULL, $at)
      WHERE id = $id AND state IN ('waiting', 'ending')`)
    .run({
      ...outcome,
      answer: outcome.answer?.slice(0, MAX_ANSWER_CHARS) ?? null,
      isOver: Number(isOver),
    });
  return changes > 0;
}

/** Returns when each mail went out since a time, over all libraries. */
export function listSentSince(db: Db, since: number): number[] {
  return db.$client
    .query<{ at: number }, [number]>("SELECT ended_at AS at FROM mails WHERE state = 'sent' AND ended_at > ?")
    .all(since)
    .map(({ at }) => at);
}

/** True when a mail of a kind waits that a library wrote to an address. */
export function isWaiting(
  db: Db,
  { accountId, kind, email }: { accountId: LibraryId; kind: MailKind; email: string },
): boolean {
  return (
    db.$client
      .query<unknown, [string, string, string]>(
        "SELECT 1 FROM mails WHERE state IN ('waiting', 'ending') AND account_id = ? AND kind = ? AND to_email = ? LIMIT 1",
      )
      .get(accountId, kind, email) !== null
  );
}

/** Counts the mails that wait, over all libraries. */
export function countWaiting(db: Db): number {
  return (
    db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM mails WHERE state = 'waiting'").get()?.n ??
    0
  );
}
