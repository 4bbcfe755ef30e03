import { type Db, transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { deleteEvents } from "../../../kernel/events.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { DELIVERIES_KEPT_DAYS } from "./shapes.ts";

/** Rows deleted per transaction: the write lock is held for a few milliseconds. */
const BATCH = 1000;

/**
 * Deletes deliveries of events older than {@link DELIVERIES_KEPT_DAYS}, and these events once nothing refers to them.
 * Keeps deliveries that still wait for an attempt, and the newest event, from which receivers and the cursor count.
 *
 * @returns The number of deleted deliveries.
 */
export async function pruneDeliveries({ db, now }: Pick<Deps, "db" | "now">): Promise<number> {
  const last = lastBefore(db, now() - DELIVERIES_KEPT_DAYS * DAY_MS);
  let deleted = 0;
  for (let changes = BATCH; changes === BATCH; deleted += changes) {
    changes = transact(db, (tx) => deleteDeliveries(tx, last));
    await Bun.sleep(0); // lets requests run in between
  }
  for (let changes = BATCH; changes === BATCH; ) {
    changes = transact(db, (tx) => deleteEvents(tx, selectUnused(tx, last)));
    await Bun.sleep(0);
  }
  return deleted;
}

/** Returns the last event before a time that has been assigned to its receivers; 0 when there is no such event. */
function lastBefore(db: Db, at: number): number {
  const found = db.$client.query<{ seq: number | null }, { at: number }>(`
    SELECT seq FROM events WHERE at < $at ORDER BY at DESC, seq DESC LIMIT 1`);
  return found.get({ at })?.seq ?? 0;
}

function deleteDeliveries(tx: Db, last: number): number {
  const old = `SELECT r.ref, d.event_seq FROM webhook_receivers r
    CROSS JOIN webhook_deliveries d ON d.receiver = r.ref AND d.event_seq <= $last
    WHERE d.status <> 'pending' LIMIT ${BATCH}`;
  return tx.$client
    .query<void, { last: number }>(`DELETE FROM webhook_deliveries WHERE (receiver, event_seq) IN (${old})`)
    .run({ last }).changes;
}

/** Returns events up to `last` that no delivery refers to, at most a batch of them. */
function selectUnused(tx: Db, last: number): number[] {
  const used = `SELECT 1 FROM webhook_receivers r
    CROSS JOIN webhook_deliveries d ON d.receiver = r.ref AND d.event_seq = e.seq`;
  return tx.$client
    .query<{ seq: number }, { last: number }>(
      `SELECT e.seq FROM events e WHERE e.seq <= $last AND e.seq < (SELECT max(seq) FROM events)
       AND NOT EXISTS (${used}) LIMIT ${BATCH}`,
    )
    .all({ last })
    .map(({ seq }) => seq);
}
