import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import {
  apiKeys,
  events,
  type LibraryId,
  webhookAttempts,
  webhookDeliveries,
  webhookReceivers,
} from "../../../../db/schema.ts";
import type { DeliveryStatus } from "./shapes.ts";

type ReceiverRow = typeof webhookReceivers.$inferSelect;
export type AttemptRow = typeof webhookAttempts.$inferSelect;

/** A delivery with its event and its last attempt. */
export type DeliveryRow = {
  receiver: number;
  seq: number;
  /** Id of the event. */
  id: string;
  type: string;
  data: string;
  at: number;
  status: DeliveryStatus;
  dueAt: number | null;
  askedFor: number;
  /** End of the receiver's pause. */
  pausedUntil: number | null;
  attempts: number;
  lastAttemptAt: number | null;
  responseStatus: number | null;
  error: string | null;
};

const DELIVERY = `
  SELECT d.receiver, d.event_seq AS seq, e.id, e.type, e.data, e.at, d.status, d.due_at AS dueAt,
    d.asked_for AS askedFor, r.paused_until AS pausedUntil, d.attempts, t.at AS lastAttemptAt, t.response_status AS responseStatus, t.error
  FROM webhook_deliveries d JOIN events e ON e.seq = d.event_seq JOIN webhook_receivers r ON r.ref = d.receiver
  LEFT JOIN webhook_attempts t ON t.receiver = d.receiver AND t.event_seq = d.event_seq AND t.attempt = d.attempts`;

/** Returns at most `limit` deliveries of a receiver for events before `beforeSeq`, newest event first. */
export function listDeliveries(
  db: Db,
  ref: number,
  { status, beforeSeq, limit }: { status: DeliveryStatus | undefined; beforeSeq: number; limit: number },
): DeliveryRow[] {
  // The status is one of four words. Writing it into the query lets SQLite use the partial indexes.
  const isWanted = status === undefined ? "" : `AND d.status = '${status}'`;
  return db.$client
    .query<DeliveryRow, { ref: number; beforeSeq: number; limit: number }>(`${DELIVERY}
      WHERE d.receiver = $ref AND d.event_seq < $beforeSeq ${isWanted} ORDER BY d.event_seq DESC LIMIT $limit`)
    .all({ ref, beforeSeq, limit });
}

export function findDelivery(db: Db, ref: number, eventId: string): DeliveryRow | undefined {
  const query = db.$client.query<DeliveryRow, { ref: number; eventId: string }>(
    `${DELIVERY} WHERE d.receiver = $ref AND d.event_seq = (SELECT seq FROM events WHERE id = $eventId)`,
  );
  return query.get({ ref, eventId }) ?? undefined;
}

/** Returns the attempts of a delivery, oldest first. */
export function listAttempts(db: Db, { receiver, seq }: DeliveryRow): AttemptRow[] {
  return db
    .select()
    .from(webhookAttempts)
    .where(and(eq(webhookAttempts.receiver, receiver), eq(webhookAttempts.eventSeq, seq)))
    .orderBy(webhookAttempts.attempt)
    .all();
}

/** Makes a delivery that a caller requested. It waits for its first attempt. */
export function insertDelivery(tx: Db, receiver: number, eventId: string, dueAt: number): void {
  const eventSeq = sql`(SELECT seq FROM ${events} WHERE ${events.id} = ${eventId})`;
  tx.insert(webhookDeliveries).values({ receiver, eventSeq, status: "pending", dueAt, askedFor: true }).run();
}

/** Restarts the schedule of a delivery at `dueAt`, at a caller's request. */
export function restartDelivery(tx: Db, { receiver, seq }: DeliveryRow, dueAt: number): void {
  tx.update(webhookDeliveries)
    .set({ status: "pending", dueAt, tries: 0, askedFor: true })
    .where(and(eq(webhookDeliveries.receiver, receiver), eq(webhookDeliveries.eventSeq, seq)))
    .run();
}

export function findReceiver(db: Db, keyId: string): ReceiverRow | undefined {
  return db.select().from(webhookReceivers).where(eq(webhookReceivers.keyId, keyId)).get();
}

/** Makes a receiver for a key, for events from now on. */
export function insertReceiver(tx: Db, keyId: string): ReceiverRow {
  return tx.insert(webhookReceivers).values({ keyId, sinceSeq: lastEvent }).returning().get();
}

/** Restarts a receiver: with events from now on, and without earlier failures or pauses. */
export function restartReceiver(tx: Db, ref: number): void {
  tx.update(webhookReceivers)
    .set({ sinceSeq: lastEvent, failingSince: null, pausedUntil: null })
    .where(eq(webhookReceivers.ref, ref))
    .run();
}

export function updateReceiver(tx: Db, ref: number, change: Partial<ReceiverRow>): void {
  tx.update(webhookReceivers).set(change).where(eq(webhookReceivers.ref, ref)).run();
}

/** Lets a key's webhook go on under another key: what waits for it, its log and the secret that it had before. */
export function moveWebhook(tx: Db, from: string, to: string): void {
  tx.update(webhookReceivers).set({ keyId: to }).where(eq(webhookReceivers.keyId, from)).run();
}

const lastEvent = sql<number>`(SELECT ifnull(max(${events.seq}), 0) FROM ${events})`;

/** Returns the account of a key; null for a platform key, undefined for an unknown key. */
export function findAccountOfKey(db: Db, keyId: string): string | null | undefined {
  const found = db.select({ accountId: apiKeys.accountId }).from(apiKeys).where(eq(apiKeys.id, keyId)).get();
  return found?.accountId;
}

/** A receiver with its health. */
export type HealthRow = {
  keyId: string;
  keyName: string;
  webhookUrl: string;
  webhookActive: boolean;
  failingSince: number | null;
  pending: number;
  failed: number;
};

/** Returns the receivers of an account whose keys are not revoked, oldest first. */
export function listHealth(db: Db, accountId: LibraryId): HealthRow[] {
  const countOf = (status: "pending" | "failed") =>
    sql<number>`(SELECT count(*) FROM webhook_deliveries d
      WHERE d.receiver = ${webhookReceivers.ref} AND d.status = ${sql.raw(`'${status}'`)})`;
  return db
    .select({
      keyId: apiKeys.id,
      keyName: apiKeys.name,
      webhookUrl: sql<string>`${apiKeys.webhookUrl}`,
      webhookActive: apiKeys.webhookActive,
      failingSince: webhookReceivers.failingSince,
      pending: countOf("pending"),
      failed: countOf("failed"),
    })
    .from(webhookReceivers)
    .innerJoin(apiKeys, eq(apiKeys.id, webhookReceivers.keyId))
    .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)))
    .orderBy(webhookReceivers.ref)
    .all();
}

/** True when there is a receiver, or a delivery that waits. */
export function hasWork(db: Db): boolean {
  const found = db.$client.query<{ yes: number }, []>(`
    SELECT EXISTS (SELECT 1 FROM webhook_receivers r JOIN api_keys k ON k.id = r.key_id WHERE k.webhook_active = 1)
      OR EXISTS (SELECT 1 FROM webhook_deliveries WHERE status = 'pending') AS yes`);
  return found.get()?.yes === 1;
}
