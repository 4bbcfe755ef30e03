import { type Db, prepared, transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { DueDelivery } from "./attempt.ts";
import { LIVE, listRights, mayReceive, type Receiver } from "./receivers.ts";

const nextWhere = (condition: string) =>
  prepared((db) =>
    db.$client.prepare<DueDelivery, { ref: number; limit: number }>(`
      SELECT d.event_seq AS seq, d.due_at AS dueAt, d.tries, d.attempts, e.id, e.type, e.data, e.at
      FROM webhook_deliveries d JOIN events e ON e.seq = d.event_seq
      WHERE d.receiver = $ref AND d.status = 'pending' ${condition}
      ORDER BY d.due_at, d.event_seq LIMIT $limit`),
  );
const nextOfReceiver = nextWhere("");
const nextAskedFor = nextWhere("AND d.asked_for = 1");

/** Returns the next deliveries to a receiver, longest due first. Index `webhook_deliveries_due`. */
export function nextDeliveries(db: Db, ref: number, limit: number): DueDelivery[] {
  return nextOfReceiver(db).all({ ref, limit });
}

/** Like {@link nextDeliveries}, but only requested deliveries. Index `webhook_deliveries_asked_for`. */
export function nextAskedDeliveries(db: Db, ref: number, limit: number): DueDelivery[] {
  return nextAskedFor(db).all({ ref, limit });
}

/** Cancels deliveries about data that the receiver's key may no longer read. Returns the others. */
export function withoutUnreadable(
  db: Db,
  receiver: Receiver,
  deliveries: DueDelivery[],
  at: number,
): DueDelivery[] {
  if (deliveries.every(({ type }) => mayReceive(receiver, type))) return deliveries;
  // The loaded receiver may be slightly out of date, and its key may have gained the right since.
  return transact(db, (tx) => {
    const right = listRights(tx, at).find(({ ref }) => ref === receiver.ref);
    if (!right) return [];
    const cancel = tx.$client.query(
      "UPDATE webhook_deliveries SET status = 'cancelled', due_at = NULL WHERE receiver = $ref AND event_seq = $seq",
    );
    const isReadable = ({ type }: DueDelivery) => mayReceive(right, type);
    for (const delivery of deliveries)
      if (!isReadable(delivery)) cancel.run({ ref: receiver.ref, seq: delivery.seq });
    return deliveries.filter(isReadable);
  });
}

const OF_OTHERS = `status = 'pending' AND receiver IN (
  SELECT ref FROM webhook_receivers WHERE ref NOT IN (SELECT r.ref FROM ${LIVE}))`;

/** Cancels deliveries that wait for keys that no longer receive events: revoked, expired or switched off. */
export function cancelForOthers({ db, now }: Pick<Deps, "db" | "now">): void {
  const found = db.$client.query<{ yes: number }, { at: number }>(
    `SELECT EXISTS (SELECT 1 FROM webhook_deliveries WHERE ${OF_OTHERS}) AS yes`,
  );
  if (!found.get({ at: now() })?.yes) return; // avoids a needless write lock
  db.$client
    .query(`UPDATE webhook_deliveries SET status = 'cancelled', due_at = NULL WHERE ${OF_OTHERS}`)
    .run({ at: now() });
}
