import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";

/** How long deliveries and their events are kept. */
export const DELIVERIES_KEPT_DAYS = 30;
/** How long a replaced secret still signs too (decision 6.3). */
export const BOTH_SECRETS_HOURS = 24;
/** A receiver that has only failed for so long is switched off. */
export const GIVE_UP_DAYS = 5;
/** Characters. */
export const MAX_WEBHOOK_URL = 2000;

/** A person names the key; a key asks for itself. */
export const KeyParams = Type.Object({ id: Type.Optional(Type.String()) });
export const DeliveryParams = Type.Object({ id: Type.Optional(Type.String()), deliveryId: Type.String() });

export const SetWebhook = shape("SetWebhook", {
  url: Type.String({ minLength: 1, maxLength: MAX_WEBHOOK_URL, description: "An https address" }),
  active: Type.Boolean(),
});
export type SetWebhook = Static<typeof SetWebhook>;

export const WebhookSetting = shape("WebhookSetting", {
  ok: Type.Literal(true),
  id: Type.String(),
  webhookUrl: nullable(Type.String()),
  webhookActive: Type.Boolean(),
  webhookSecret: nullable(Type.String({ description: "`whsec_` and base64; use it to verify deliveries" })),
});
export type WebhookSetting = Static<typeof WebhookSetting>;

/** The status of a delivery. */
const STATUSES = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof STATUSES)[number];

export const DeliveriesQuery = Type.Object({
  ...pageFields,
  status: Type.Optional(Type.Union(STATUSES.map((status) => Type.Literal(status)))),
});
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

const deliveryFields = {
  id: Type.String(),
  eventId: Type.String({ description: "The same for every receiver, retry and redelivery" }),
  event: Type.String({ description: "For example `track.updated`; an open set" }),
  occurredAt: Timestamp,
  status: Type.String({
    description: `${STATUSES.join(", ")}; an open set. Pending: waits for its next attempt. Failed: all ten attempts failed. Cancelled: the webhook was switched off, or the key was revoked or expired`,
  }),
  attemptCount: Type.Integer({ minimum: 0 }),
  lastAttemptAt: nullable(Timestamp),
  nextAttemptAt: nullable(
    described(Timestamp, "The earliest time of the next attempt; null: there is no next attempt"),
  ),
  responseStatus: nullable(
    Type.Integer({ description: "Status of the last attempt's answer; null: no answer" }),
  ),
  error: nullable(Type.String({ description: "Why the last attempt failed, in words" })),
};
export const Delivery = shape("Delivery", deliveryFields);
export type Delivery = Static<typeof Delivery>;

const Attempt = shape("DeliveryAttempt", {
  attempt: Type.Integer({ minimum: 1 }),
  at: Timestamp,
  duration: Type.Integer({ minimum: 0, description: "Milliseconds" }),
  headers: Type.Record(Type.String(), Type.String(), { description: "The header fields as sent" }),
  responseStatus: nullable(Type.Integer()),
  error: nullable(Type.String()),
  response: Type.String({ description: "The answer's body, at most its first KB" }),
});
export const DeliveryLog = shape("DeliveryLog", {
  ...deliveryFields,
  body: Type.String({ description: "The body as sent, byte for byte" }),
  attempts: Type.Array(Attempt, { description: "Oldest first" }),
});
export type DeliveryLog = Static<typeof DeliveryLog>;

export const WebhookHealth = shape("WebhookHealth", {
  keyId: Type.String(),
  keyName: Type.String(),
  webhookUrl: Type.String(),
  webhookActive: Type.Boolean(),
  failingSince: nullable(
    Type.String({ format: "date-time", description: "Time of the first failure since the last success" }),
  ),
  pending: Type.Integer({ minimum: 0, description: "Deliveries that wait for an attempt" }),
  failed: Type.Integer({
    minimum: 0,
    description: `Deliveries of the last ${DELIVERIES_KEPT_DAYS} days whose ten attempts all failed`,
  }),
});
export type WebhookHealth = Static<typeof WebhookHealth>;
