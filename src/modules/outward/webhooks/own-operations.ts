import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import {
  getDeliveryLog,
  getWebhook,
  listDeliveries,
  redeliver,
  rotateWebhookSecret,
  sendTest,
  setWebhook,
} from "./service.ts";
import {
  DeliveriesQuery,
  Delivery,
  DeliveryLog,
  OwnDeliveryParams,
  SetWebhook,
  WebhookSetting,
} from "./shapes.ts";

const tag = "Webhooks";

/** Where the events of the asking key go, and their deliveries (decision 0038). */
export const ownWebhookOperations = [
  op({
    at: "GET /webhook",
    id: "getOwnWebhook",
    key: "read:webhooks",
    isSecret: true,
    tag,
    summary: "Get this key's webhook setting",
    answer: WebhookSetting,
    refusals: ["key_not_found"],
    run: (deps, { actor }) => getWebhook(deps, actor.accountId, actor.keyId),
  }),
  op({
    at: "POST /webhook",
    id: "setOwnWebhook",
    key: "update:webhooks",
    isSecret: true,
    input: { body: SetWebhook },
    tag,
    summary: "Set where this key's events are sent",
    description:
      "The first call makes the signing secret. Switching off cancels waiting deliveries; switching on begins with the " +
      "next event.",
    answer: WebhookSetting,
    refusals: ["key_not_found", "key_not_active", "invalid_webhook_url"],
    run: (deps, { actor, body }) => setWebhook(deps, actor, actor.keyId, body),
  }),
  op({
    at: "POST /webhook/rotate-secret",
    id: "rotateOwnWebhookSecret",
    key: "update:webhooks",
    isSecret: true,
    tag,
    summary: "Give this key's webhook a new signing secret",
    description: "For 24 hours deliveries carry two signatures, made with the new and the old secret.",
    answer: WebhookSetting,
    refusals: ["key_not_found", "key_not_active", "webhook_not_active"],
    run: (deps, { actor }) => rotateWebhookSecret(deps, actor, actor.keyId),
  }),
  op({
    at: "POST /webhook/test",
    id: "testOwnWebhook",
    key: "update:webhooks",
    isSecret: true,
    tag,
    summary: "Send a test event to this key",
    description: "The answer names the delivery, whose log shows the outcome.",
    answer: Delivery,
    refusals: ["key_not_found", "key_not_active", "webhook_not_active"],
    run: (deps, { actor }) => sendTest(deps, actor.accountId, actor.keyId),
  }),
  op({
    at: "GET /webhook/deliveries",
    id: "listOwnWebhookDeliveries",
    key: "read:webhooks",
    isSecret: true,
    input: { query: DeliveriesQuery },
    tag,
    summary: "List this key's deliveries of the last 30 days, newest event first",
    answer: Type.Array(Delivery),
    siblings: { paging: Paging },
    refusals: ["key_not_found"],
    run: (deps, { actor, query }) => listDeliveries(deps, actor.accountId, actor.keyId, query),
  }),
  op({
    at: "GET /webhook/deliveries/:deliveryId",
    id: "getOwnWebhookDelivery",
    key: "read:webhooks",
    isSecret: true,
    input: { params: OwnDeliveryParams },
    tag,
    summary: "Get a delivery of this key with its body and all its attempts",
    answer: DeliveryLog,
    refusals: ["key_not_found", "delivery_not_found"],
    run: (deps, { actor, params }) => getDeliveryLog(deps, actor.accountId, actor.keyId, params.deliveryId),
  }),
  op({
    at: "POST /webhook/deliveries/:deliveryId/redeliver",
    id: "redeliverOwnWebhook",
    key: "update:webhooks",
    isSecret: true,
    input: { params: OwnDeliveryParams },
    tag,
    summary: "Send a delivery of this key once more, with the same event id",
    answer: Delivery,
    refusals: ["key_not_found", "key_not_active", "webhook_not_active", "delivery_not_found"],
    run: (deps, { actor, params }) => redeliver(deps, actor.accountId, actor.keyId, params.deliveryId),
  }),
];
