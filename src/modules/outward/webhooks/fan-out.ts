import { prepared, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { LIVE, listRights, mayReceive, type Right } from "./receivers.ts";

/** Approximate number of deliveries per transaction: the write lock is held for a few milliseconds. */
const BATCH = 500;

type Event = { seq: number; ownerId: LibraryId; type: string };

// Without a live receiver the smallest since_seq is null, so no event counts as new.
const isAnyNew = prepared((db) =>
  db.$client.prepare<{ yes: number }, { at: number }>(`
    SELECT EXISTS (SELECT 1 FROM events WHERE seq >
      max((SELECT seq FROM webhook_cursor), (SELECT min(r.since_seq) FROM ${LIVE}))) AS yes`),
);
const nextEvents = prepared((db) =>
  db.$client.prepare<Event, { earliest: number; limit: number }>(`
    SELECT seq, owner_id AS ownerId, type FROM events
    WHERE seq > max((SELECT seq FROM webhook_cursor), $earliest) ORDER BY seq LIMIT $limit`),
);
// The key (receiver, event_seq) makes each delivery unique: reading an event again changes nothing.
const insertDelivery = prepared((db) =>
  db.$client.prepare<void, { receiver: number; seq: number; at: number }>(`
    INSERT INTO webhook_deliveries (receiver, event_seq, status, due_at) VALUES ($receiver, $seq, 'pending', $at)
    ON CONFLICT DO NOTHING`),
);

/**
 * Makes the deliveries of the next events. The same transaction stores its progress and reads the receivers, so
 * that a webhook that was switched on before an event does not miss it. Reads no events while there is no receiver:
 * a receiver gets only events from after it was switched on.
 *
 * @returns True when it read any event. Then call it again.
 */
export function fanOut({ db, now }: Pick<Deps, "db" | "now">): boolean {
  const at = now();
  if (!isAnyNew(db).get({ at })?.yes) return false; // avoids a needless write lock
  transact(db, (tx) => {
    const rights = listRights(tx, at);
    const earliest = Math.min(...rights.map(({ sinceSeq }) => sinceSeq));
    const limit = Math.max(1, Math.floor(BATCH / Math.max(1, rights.length)));
    const events = rights.length > 0 ? nextEvents(tx).all({ earliest, limit }) : [];
    const byOwner = Map.groupBy(rights, ({ accountId }) => accountId);
    for (const event of events)
      for (const { ref } of receiversOf(event, byOwner.get(event.ownerId)))
        insertDelivery(tx).run({ receiver: ref, seq: event.seq, at });
    const last = events.at(-1);
    if (last) tx.$client.query("UPDATE webhook_cursor SET seq = ? WHERE id = 1").run(last.seq);
  });
  return true;
}

function receiversOf({ seq, type }: Event, owned: readonly Right[] = []): readonly Right[] {
  if (type === "webhook.test") return []; // a test event's delivery was made together with the event
  return owned.filter((right) => seq > right.sinceSeq && mayReceive(right, type));
}
