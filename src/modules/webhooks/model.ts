import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { nullable, Timestamp } from "../../http/envelope.ts";
import { pageFields } from "../../http/page-query.ts";

export const KeyParams = Type.Object({ id: Type.String() });
export const DeliveryParams = Type.Object({ id: Type.String(), deliveryId: Type.String() });

export const SetWebhook = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2000, description: "An https address" }),
  active: Type.Boolean(),
});
export type SetWebhook = Static<typeof SetWebhook>;

export const WebhookSetting = Type.Object({
  ok: Type.Literal(true),
  id: Type.String(),
  webhookUrl: nullable(Type.String()),
  webhookActive: Type.Boolean(),
  webhookSecret: nullable(Type.String({ description: "`whsec_` and base64, for verifying deliveries" })),
});
export type WebhookSetting = Static<typeof WebhookSetting>;

/** Where a delivery stands. */
const STATUSES = ["pending", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof STATUSES)[number];

export const DeliveriesQuery = t.Object({
  ...pageFields,
  status: t.Optional(t.Union(STATUSES.map((status) => t.Literal(status)))),
});
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

const deliveryFields = {
  id: Type.String(),
  eventId: Type.String({ description: "The same for every receiver, retry and redelivery" }),
  event: Type.String({ description: "Such as `track.updated`; an open set" }),
  occurredAt: Timestamp,
  status: Type.String({
    description: `${STATUSES.join(", ")}; an open set. Pending: waits for its next attempt. Failed: ten attempts were in vain. Cancelled: the webhook was switched off, or the key ended`,
  }),
  attemptCount: Type.Integer({ minimum: 0 }),
  lastAttemptAt: nullable(Timestamp),
  nextAttemptAt: nullable({
    ...Timestamp,
    description: "The earliest time of the next attempt; null: there is none",
  }),
  responseStatus: nullable(Type.Integer({ description: "Of the last attempt; null: no answer came" })),
  error: nullable(Type.String({ description: "Why the last attempt failed, for people" })),
};
export const Delivery = Type.Object(deliveryFields);
export type Delivery = Static<typeof Delivery>;

const Attempt = Type.Object({
  attempt: Type.Integer({ minimum: 1 }),
  at: Timestamp,
  duration: Type.Integer({ minimum: 0, description: "Milliseconds" }),
  headers: Type.Record(Type.String(), Type.String(), { description: "As they were sent" }),
  responseStatus: nullable(Type.Integer()),
  error: nullable(Type.String()),
  response: Type.String({ description: "At most the first KB of the answer's body" }),
});
export const DeliveryLog = Type.Object({
  ...deliveryFields,
  body: Type.String({ description: "As it is sent, byte for byte" }),
  attempts: Type.Array(Attempt, { description: "The first one first" }),
});
export type DeliveryLog = Static<typeof DeliveryLog>;

export const WebhookHealth = Type.Object({
  keyId: Type.String(),
  keyName: Type.String(),
  webhookUrl: Type.String(),
  webhookActive: Type.Boolean(),
  failingSince: nullable(
    Type.String({ format: "date-time", description: "The first failure since the last success" }),
  ),
  pending: Type.Integer({ minimum: 0, description: "Deliveries that wait for an attempt" }),
  failed: Type.Integer({ minimum: 0, description: "Deliveries of the last 30 days that were given up" }),
});
export type WebhookHealth = Static<typeof WebhookHealth>;
