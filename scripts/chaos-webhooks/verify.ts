import { Database } from "bun:sqlite";
import { join } from "node:path";
import { bodyOf, deliveryIdOf, type OutboxEvent } from "../../src/modules/outward/webhooks/message.ts";
import type { Arena } from "./arena.ts";
import type { Changes } from "./changes.ts";
import type { Receiver } from "./receivers.ts";

/** The violations found, and numbers for the summary. */
export type Verdict = { violations: string[]; events: number; requests: number; repeated: number };

/** Compares what the receivers got with the library's events, and the events with the changes. */
export function verify({ dataDir, receivers, changes }: Arena): Verdict {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const events = db.query<OutboxEvent, []>("SELECT seq, id, type, data, at FROM events ORDER BY seq").all();
  const deliveries = db
    .query<{ status: string; count: number }, []>(
      "SELECT status, count(*) AS count FROM webhook_deliveries GROUP BY status",
    )
    .all();
  const refs = db.query<{ ref: number }, []>("SELECT ref FROM webhook_receivers ORDER BY ref").all();
  db.close();

  const violations = [
    ...unannounced(events, changes),
    ...receivers.flatMap((receiver, index) => faultsOf(receiver, refs[index]?.ref ?? 0, events)),
  ];
  for (const { status, count } of deliveries)
    if (status !== "delivered") violations.push(`${count} deliveries are ${status}`);
  const made = deliveries.reduce((sum, { count }) => sum + count, 0);
  if (made !== events.length * receivers.length)
    violations.push(`${made} deliveries of ${events.length} events to ${receivers.length} receivers`);
  const requests = receivers.reduce((sum, { received }) => sum + received.length, 0);
  return { violations, events: events.length, requests, repeated: requests - made };
}

/** The data of composer and track events. */
type Told = { composerId?: string; trackId?: string };

/** Returns the acknowledged changes without an event, and the tracks with more events than changes sent. */
function unannounced(events: readonly OutboxEvent[], changes: Changes): string[] {
  const data = events.map(({ type, data }) => ({ ...(JSON.parse(data) as Told), type }));
  const created = new Set(
    data.filter(({ type }) => type === "composer.created").map((event) => event.composerId),
  );
  const violations = changes.composers
    .filter((id) => !created.has(id))
    .map((id) => `composer ${id} was made and not announced`);
  for (const [id, { acknowledged, sent }] of changes.tracks) {
    const told = data.filter(({ type, trackId }) => type === "track.updated" && trackId === id).length;
    if (told < acknowledged || told > sent)
      violations.push(`track ${id}: ${sent} changes sent, ${acknowledged} acknowledged, ${told} announced`);
  }
  return violations;
}

/**
 * Checks that every event was accepted at least once, each time with the same content and signed, and that nothing
 * else came.
 */
function faultsOf({ mood, received }: Receiver, ref: number, events: readonly OutboxEvent[]): string[] {
  const violations: string[] = [];
  const bodies = new Map(events.map((event) => [event.id, bodyOf(event)]));
  const taken = new Set(received.filter(({ isTaken }) => isTaken).map(({ eventId }) => eventId));
  for (const { id, type } of events)
    if (!taken.has(id)) violations.push(`${mood}: ${type} ${id} never came, or was never accepted`);
  for (const { eventId, deliveryId, text, isSigned } of received) {
    const body = bodies.get(eventId);
    if (body === undefined) violations.push(`${mood}: ${eventId} is not an event of the library`);
    else if (body !== text) violations.push(`${mood}: ${eventId} came with another body`);
    if (deliveryId !== deliveryIdOf(eventId, ref))
      violations.push(`${mood}: ${eventId} came as ${deliveryId}`);
    if (!isSigned) violations.push(`${mood}: ${eventId} has an invalid signature, or was redirected`);
  }
  return violations;
}
