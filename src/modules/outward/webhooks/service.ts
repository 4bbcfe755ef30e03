import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { emit, ringOutbox } from "../../../kernel/events.ts";
import { cutPage, type Page } from "../../../kernel/paging.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { getKey, getLiveKey } from "../../people/keys/service.ts";
import { bodyOf, deliveryIdOf, headersOf, readDeliveryId } from "./message.ts";
import * as queries from "./queries.ts";
import {
  DELIVERIES_KEPT_DAYS,
  type DeliveriesQuery,
  type Delivery,
  type DeliveryLog,
  type WebhookHealth,
} from "./shapes.ts";

export { pruneDeliveries } from "./prune.ts";
export { moveWebhook } from "./queries.ts";
export { resealWebhooks } from "./reseal.ts";
export { getWebhook, rotateWebhookSecret, setWebhook } from "./settings.ts";

type DeliveryDeps = Pick<Deps, "db" | "now">;

/**
 * Sends a `webhook.test` event to a single key, like any other event. Returns the waiting delivery.
 *
 * @throws DomainError `key_not_found`, `key_not_active`, `webhook_not_active`.
 */
export function sendTest({ db, now }: DeliveryDeps, accountId: LibraryId, keyId: string): Delivery {
  return transact(db, (tx) => {
    const at = now();
    const { ref } = getActiveReceiver({ db: tx, now }, accountId, keyId);
    const eventId = emit(tx, accountId, "webhook.test", { keyId }, at);
    queries.insertDelivery(tx, ref, eventId, at);
    return toDelivery(getDelivery(tx, ref, deliveryIdOf(eventId, ref)), at);
  });
}

/**
 * Sends a delivery again with the same event id, and retries as usual. Returns the waiting delivery.
 *
 * @throws DomainError `key_not_found`, `key_not_active`, `webhook_not_active`, `delivery_not_found`.
 */
export function redeliver(
  deps: DeliveryDeps,
  accountId: LibraryId,
  keyId: string,
  deliveryId: string,
): Delivery {
  return transact(deps.db, (tx) => {
    const { ref } = getActiveReceiver(within(deps, tx), accountId, keyId);
    const at = deps.now();
    queries.restartDelivery(tx, getDelivery(tx, ref, deliveryId), at);
    ringOutbox(tx);
    return toDelivery(getDelivery(tx, ref, deliveryId), at);
  });
}

/**
 * Returns a page of a key's past and waiting deliveries, newest event first.
 *
 * @throws DomainError `key_not_found`, `validation_failed` for a cursor of another listing.
 */
export function listDeliveries(
  { db, now }: DeliveryDeps,
  accountId: LibraryId,
  keyId: string,
  { limit, cursor, status }: DeliveriesQuery,
): Page<Delivery> {
  getKey(db, accountId, keyId);
  const ref = queries.findReceiver(db, keyId)?.ref ?? 0; // 0 matches no row
  const list = `deliveries ${keyId} ${status ?? ""}`;
  const page = { limit, ...(cursor !== undefined && { cursor }) };
  const { items, paging } = cutPage(
    page,
    list,
    (after, count) => queries.listDeliveries(db, ref, { status, beforeSeq: Number(after.key), limit: count }),
    ({ seq }) => seq,
  );
  const at = now();
  return { items: items.map((row) => toDelivery(row, at)), paging };
}

/**
 * Returns a delivery with its body and all its attempts.
 *
 * @throws DomainError `key_not_found`, `delivery_not_found`.
 */
export function getDeliveryLog(
  { db, now }: DeliveryDeps,
  accountId: LibraryId,
  keyId: string,
  deliveryId: string,
): DeliveryLog {
  getKey(db, accountId, keyId);
  const row = getDelivery(db, queries.findReceiver(db, keyId)?.ref, deliveryId);
  return {
    ...toDelivery(row, now()),
    body: bodyOf(row),
    attempts: queries.listAttempts(db, row).map(({ attempt, at, durationMs, signature, ...rest }) => ({
      attempt,
      at: toIso(at),
      duration: durationMs,
      headers: headersOf(row, { deliveryId, at, signature }),
      responseStatus: rest.responseStatus,
      error: rest.error,
      response: rest.response,
    })),
  };
}

/** Returns every webhook of an account with its health. */
export function listWebhooks({ db }: Pick<Deps, "db">, accountId: LibraryId): WebhookHealth[] {
  return queries
    .listHealth(db, accountId)
    .map((row) => ({ ...row, failingSince: toIsoOrNull(row.failingSince) }));
}

/**
 * Returns the account that owns a key, for the operator.
 *
 * @throws DomainError `key_not_found`.
 */
export function accountOfKey({ db }: Pick<Deps, "db">, keyId: string): string {
  const accountId = queries.findAccountOfKey(db, keyId);
  if (accountId) return accountId;
  throw new DomainError("key_not_found", "There is no such key");
}

function getActiveReceiver({ db, now }: DeliveryDeps, accountId: LibraryId, keyId: string) {
  const key = getLiveKey(db, accountId, keyId, now());
  const receiver = queries.findReceiver(db, keyId);
  if (receiver && key.webhookActive) return receiver;
  throw new DomainError(
    "webhook_not_active",
    "This key's webhook is not set or is switched off: set it and switch it on first",
  );
}

function getDelivery(db: Deps["db"], ref: number | undefined, deliveryId: string): queries.DeliveryRow {
  const named = readDeliveryId(deliveryId);
  const row = named && named.receiver === ref ? queries.findDelivery(db, ref, named.eventId) : undefined;
  if (row) return row;
  throw new DomainError(
    "delivery_not_found",
    `There is no such delivery; deliveries are kept for ${DELIVERIES_KEPT_DAYS} days`,
  );
}

function toDelivery(row: queries.DeliveryRow, at: number): Delivery {
  return {
    id: deliveryIdOf(row.id, row.receiver),
    eventId: row.id,
    event: row.type,
    occurredAt: toIso(row.at),
    status: row.status,
    attemptCount: row.attempts,
    lastAttemptAt: toIsoOrNull(row.lastAttemptAt),
    nextAttemptAt: toIsoOrNull(nextAttemptAt(row, at)),
    responseStatus: row.responseStatus,
    error: row.error,
  };
}

/** Returns when a delivery is tried next. A due delivery goes out now, unless its receiver asked for a pause. */
function nextAttemptAt({ dueAt, askedFor, pausedUntil }: queries.DeliveryRow, at: number): number | null {
  if (dueAt === null) return null;
  return Math.max(dueAt, askedFor ? 0 : (pausedUntil ?? 0), at);
}
