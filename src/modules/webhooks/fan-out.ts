import { prepared, transact } from "../../../db/client.ts";
import type { Deps } from "../../kernel/deps.ts";
import { LIVE, listRights, mayReceive, type Right } from "./receivers.ts";

/** Deliveries made in one transaction, about: the write lock is held for a few milliseconds. */
const BATCH = 500;

type Event = { seq: number; ownerId: string; type: string };

// Without a live receiver the smallest since_seq is null, and so nothing is new.
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
// The key (receiver, event_seq) is what makes it once: an event that comes by again changes nothing.
const insertDelivery = prepared((db) =>
  db.$client.prepare<void, { receiver: number; seq: number; at: number }>(`
    INSERT INTO webhook_deliveries (receiver, event_seq, status, due_at) VALUES ($receiver, $seq, 'pending', $at)
    ON CONFLICT DO NOTHING`),
);

/**
 * Makes the deliveries of the next events, and notes how far it came in the same transaction, which also reads who
 * receives: a webhook that was switched on before an event must not miss it. Nothing is looked at while nobody
 * receives: events from before a receiver was switched on are not for it.
 *
 * @returns Whether it came across any event; call it again then.
 */
export function fanOut({ db, now }: Pick<Deps, "db" | "now">): boolean {
  const at = now();
  if (!isAnyNew(db).get({ at })?.yes) return false; // no write lock for nothing
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
  if (type === "webhook.test") return []; // the delivery of a test was made with it
  return owned.filter((right) => seq > right.sinceSeq && mayReceive(right, type));
}
