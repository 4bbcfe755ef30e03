import { SECOND_MS, toIso } from "../../../kernel/time.ts";

/** An event as stored in the outbox. */
export type OutboxEvent = {
  seq: number;
  id: string;
  type: string;
  /** JSON. */
  data: string;
  at: number;
};

/** The version of bodies and header fields. */
const API_VERSION = "1";
const SECRET_PREFIX = "whsec_";

/** Returns the body for all deliveries of an event: the same bytes for every attempt and receiver (decision 6.1). */
export function bodyOf({ id, type, at, data }: OutboxEvent): string {
  const head = JSON.stringify({ id, type, timestamp: toIso(at), apiVersion: API_VERSION });
  return `${head.slice(0, -1)},"data":${data}}`;
}

/** Returns the header fields of an attempt at `at` (decision 6.2). */
export function headersOf(
  { id, type }: Pick<OutboxEvent, "id" | "type">,
  { deliveryId, at, signature }: { deliveryId: string; at: number; signature: string },
): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Dubplate-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(unixSeconds(at)),
    "webhook-signature": signature,
    "x-service-event": type,
    "x-service-event-id": id,
    "x-service-delivery-id": deliveryId,
    "x-service-api-version": API_VERSION,
  };
}

/**
 * Returns the value of `webhook-signature`: one signature per secret, separated by spaces.
 *
 * @param secrets `whsec_` texts, newest first.
 * @see https://www.standardwebhooks.com, "Signature scheme"
 */
export function signatureOf(secrets: readonly string[], eventId: string, at: number, body: string): string {
  const content = `${eventId}.${unixSeconds(at)}.${body}`;
  return secrets.map((secret) => `v1,${hmac(secret, content)}`).join(" ");
}

function hmac(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return new Bun.CryptoHasher("sha256", key).update(content).digest("base64");
}

function unixSeconds(at: number): number {
  return Math.floor(at / SECOND_MS);
}

/** Returns the id of a delivery, which depends only on the event and the receiver. */
export function deliveryIdOf(eventId: string, receiver: number): string {
  return `dlv_${eventId.slice("evt_".length)}${receiver.toString(36)}`;
}

/** Returns the parts of an id made by {@link deliveryIdOf}, or undefined for any other text. */
export function readDeliveryId(id: string): { eventId: string; receiver: number } | undefined {
  const [, event, receiver] = /^dlv_([0-9a-f]{32})([0-9a-z]{1,11})$/.exec(id) ?? [];
  if (event === undefined || receiver === undefined) return undefined;
  return { eventId: `evt_${event}`, receiver: Number.parseInt(receiver, 36) };
}
