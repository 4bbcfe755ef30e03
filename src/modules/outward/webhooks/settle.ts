import { type Db, prepared, transact } from "../../../../db/client.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { meter } from "../../../kernel/meter.ts";
import { spelt } from "../../../kernel/text.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { switchOffWebhook } from "../../people/keys/service.ts";
import { notify } from "../../people/notifications/service.ts";
import type { Outcome } from "./attempt.ts";
import type { Receiver } from "./receivers.ts";
import { waitMs } from "./schedule.ts";
import { GIVE_UP_DAYS } from "./shapes.ts";

type Settled = {
  receiver: number;
  seq: number;
  tries: number;
  attempts: number;
  status: "pending" | "delivered" | "failed";
  dueAt: number | null;
};

const markDelivered = prepared((db) =>
  db.$client.prepare<void, Pick<Settled, "receiver" | "seq" | "attempts">>(`
    UPDATE webhook_deliveries SET status = 'delivered', due_at = NULL, tries = tries + 1, attempts = $attempts
    WHERE receiver = $receiver AND event_seq = $seq`),
);
// Deliveries that were cancelled or restarted while the attempt was under way keep that state.
const markFailed = prepared((db) =>
  db.$client.prepare<void, Settled>(`
    UPDATE webhook_deliveries SET attempts = $attempts,
      due_at = CASE WHEN status = 'pending' AND tries = $tries THEN $dueAt ELSE due_at END,
      status = CASE WHEN status = 'pending' AND tries = $tries THEN $status ELSE status END,
      tries = CASE WHEN tries = $tries THEN tries + 1 ELSE tries END
    WHERE receiver = $receiver AND event_seq = $seq`),
);
const insertAttempt = prepared((db) =>
  db.$client.prepare<void, Record<string, string | number | null>>(`
    INSERT INTO webhook_attempts
      (receiver, event_seq, attempt, at, duration_ms, response_status, error, signature, response)
    VALUES ($receiver, $seq, $attempts, $at, $durationMs, $status, $error, $signature, $response)`),
);

/**
 * Records the outcomes of attempts in one transaction, in the order they ended: the log, the next step for each
 * delivery, and the health of each receiver. A receiver that is gone (410) or has only failed for {@link GIVE_UP_DAYS} is
 * switched off, and its owner is notified.
 *
 * @param random Returns numbers from 0 up to but not including 1, which spread the retries.
 * @returns When each failed delivery is due again. Deliveries without a next try are left out.
 */
export function settle(
  { db, now }: Pick<Deps, "db" | "now">,
  outcomes: readonly Outcome[],
  random: () => number,
): { receiver: number; dueAt: number }[] {
  return transact(db, (tx) => {
    const again: { receiver: number; dueAt: number }[] = [];
    for (const outcome of outcomes) {
      meter(db, { kind: "delivery", outcome: outcome.error === null ? "delivered" : "failed" });
      const dueAt = writeOutcome(tx, outcome, now(), random);
      if (dueAt !== null) again.push({ receiver: outcome.receiver.ref, dueAt });
    }
    for (const own of Map.groupBy(outcomes, ({ receiver }) => receiver.ref).values()) judge(tx, own, now());
    return again;
  });
}

function writeOutcome(tx: Db, outcome: Outcome, at: number, random: () => number): number | null {
  const { delivery } = outcome;
  const row = { receiver: outcome.receiver.ref, seq: delivery.seq, attempts: delivery.attempts + 1 };
  const wait =
    outcome.error === null ? undefined : waitMs(delivery.tries + 1, random(), outcome.retryAfterMs);
  const dueAt = wait === undefined ? null : at + wait;
  const { changes } =
    outcome.error === null
      ? markDelivered(tx).run(row)
      : markFailed(tx).run({
          ...row,
          tries: delivery.tries,
          status: dueAt === null ? "failed" : "pending",
          dueAt,
        });
  if (changes === 0) return null; // its account was deleted meanwhile
  insertAttempt(tx).run({
    ...row,
    at: outcome.at,
    durationMs: outcome.durationMs,
    status: outcome.status,
    error: outcome.error,
    signature: outcome.signature,
    response: outcome.response,
  });
  return dueAt;
}

/** Records since when a receiver has been failing, and switches it off when necessary. */
function judge(tx: Db, outcomes: readonly Outcome[], at: number): void {
  const [first] = outcomes;
  if (!first) return;
  const { receiver } = first;
  const lastSuccess = outcomes.findLastIndex(({ error }) => error === null);
  const failedSince = outcomes[lastSuccess + 1]?.at ?? null;
  const before = lastSuccess === -1 ? failingSinceOf(tx, receiver) : null;
  const failingSince = before ?? failedSince;
  tx.$client
    .query(
      "UPDATE webhook_receivers SET failing_since = $since WHERE ref = $ref AND failing_since IS NOT $since",
    )
    .run({ since: failingSince, ref: receiver.ref });

  const pausedUntil = Math.max(...outcomes.map((outcome) => outcome.pausedUntil));
  if (pausedUntil > 0) writePause(tx, receiver, pausedUntil);

  const isGone = outcomes.some(({ status }) => status === 410);
  if (isGone) switchOff(tx, receiver, "it answered 410 Gone", at);
  else if (failingSince !== null && at - failingSince >= GIVE_UP_DAYS * DAY_MS)
    switchOff(tx, receiver, `every delivery of the last ${spelt(GIVE_UP_DAYS)} days failed`, at);
}

/** Reads the time again: the owner may have set the webhook meanwhile, which restarts the count. */
function failingSinceOf(tx: Db, { ref }: Receiver): number | null {
  const row = tx.$client
    .query<{ at: number | null }, [number]>("SELECT failing_since AS at FROM webhook_receivers WHERE ref = ?")
    .get(ref);
  return row?.at ?? null;
}

/** Stores the end of a pause, unless the owner changed the address meanwhile. */
function writePause(tx: Db, { ref, url }: Receiver, until: number): void {
  tx.$client
    .query(`UPDATE webhook_receivers SET paused_until = $until
      WHERE ref = $ref AND $url = (SELECT webhook_url FROM api_keys WHERE id = key_id)`)
    .run({ ref, url, until });
}

/** Switches a webhook off and notifies its owner, unless the owner changed the address meanwhile. */
function switchOff(tx: Db, { ref, accountId, url }: Receiver, why: string, at: number): void {
  const receiver = tx.$client
    .query<{ keyId: string }, [number]>("SELECT key_id AS keyId FROM webhook_receivers WHERE ref = ?")
    .get(ref);
  const key = receiver && switchOffWebhook(tx, receiver.keyId, url);
  if (!key) return;
  cancelPending(tx, ref);
  audit(tx, { actor: "webhooks", action: "key.webhook_off", subject: key.id, detail: { why } }, at);
  const title = `The webhook of key “${key.name}” was switched off: ${why}`;
  notify(tx, { accountId, kind: "webhook.disabled", title, entityKey: "key", entityId: key.id }, at);
}

/** Cancels a receiver's waiting deliveries. Returns how many there were. */
export function cancelPending(tx: Db, ref: number): number {
  return tx.$client
    .query<void, [number]>(
      "UPDATE webhook_deliveries SET status = 'cancelled', due_at = NULL WHERE receiver = ? AND status = 'pending'",
    )
    .run(ref).changes;
}
