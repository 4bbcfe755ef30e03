import { type Db, prepared } from "../../db/client.ts";
import type { LibraryId } from "../../db/schema.ts";
import { createOwnWrites } from "../../db/writes.ts";
import type { EventData } from "./event-data.ts";
import { newId } from "./ids.ts";

// Wakes the delivery of events from the outbox.
const outbox = createOwnWrites();

// Text that people typed (a name, a role, a publisher) may hold one. Receivers read the real text through the API.
const ADDRESSES = /[^\s@<>"]+@[^\s@<>"]+|\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"]+/gi;
const REMOVED = "[removed]";

const insertEvent = prepared((db) =>
  db.$client.prepare<void, [string, string, string, string, number]>(
    "INSERT INTO events (id, owner_id, type, data, at) VALUES (?1, ?2, ?3, ?4, ?5)",
  ),
);

/**
 * Puts an event into the outbox and returns its id. Call it inside the transaction that makes the change. E-mail
 * addresses and links are removed from its texts (decision 6.1).
 */
export function emit<Type extends keyof EventData>(
  tx: Db,
  ownerId: LibraryId,
  type: Type,
  data: EventData[Type],
  at: number,
): string {
  const id = newId("evt");
  const thin = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, withoutAddresses(value)]),
  );
  insertEvent(tx).run(id, ownerId, type, JSON.stringify(thin), at);
  outbox.report(tx);
  return id;
}

/** Deletes events from the outbox by their numbers. Returns how many there were. */
export function deleteEvents(tx: Db, seqs: readonly number[]): number {
  return tx.$client
    .query<void, [string]>("DELETE FROM events WHERE seq IN (SELECT value FROM json_each(?))")
    .run(JSON.stringify(seqs)).changes;
}

/** Deletes at most `limit` events of an account. Returns how many there were. */
export function deleteEventsOf(tx: Db, ownerId: LibraryId, limit: number): number {
  return tx.$client
    .query<void, [string, number]>(
      "DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE owner_id = ? LIMIT ?)",
    )
    .run(ownerId, limit).changes;
}

function withoutAddresses(value: unknown): unknown {
  return typeof value === "string" ? value.replace(ADDRESSES, REMOVED) : value;
}

/** Tells the listener that the outbox has something to deliver. */
export const ringOutbox = outbox.report;

/** Calls `listener` at every event and every {@link ringOutbox} on this connection, see `OwnWrites`. */
export const onOutbox = outbox.listen;
