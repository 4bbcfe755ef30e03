import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import type { OwnerActor, SessionActor } from "../../../kernel/actor.ts";
import {
  getDeliveryLog,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  sendTest,
  setWebhook,
} from "./service.ts";
import {
  BOTH_SECRETS_HOURS,
  DELIVERIES_KEPT_DAYS,
  DeliveriesQuery,
  Delivery,
  DeliveryLog,
  DeliveryParams,
  KeyParams,
  SetWebhook,
  WebhookHealth,
  WebhookSetting,
} from "./shapes.ts";

const tag = "Webhooks";

type ForKey = { actor: OwnerActor | SessionActor; params: { id?: string } };

/** Which key an operation is about: the one that a person names, or the one that asks. */
const keyOf = ({ actor, params }: ForKey): string => ("keyId" in actor ? actor.keyId : (params.id ?? ""));

/** Where the events of an account's keys go, and their deliveries (decisions 4.37 and 0038). A key asks for itself. */
export const webhookOperations = [
  op({
    at: "GET /webhooks",
    id: "listWebhooks",
    session: "read:webhooks",
    tag,
    summary: "List the account's webhooks and their health",
    answer: Type.Array(WebhookHealth),
    refusals: [],
    run: (deps, { actor }) => listWebhooks(deps, actor.accountId),
  }),
  op({
    at: "POST /webhook",
    id: "setOwnWebhook",
    key: "update:webhooks",
    session: "update:webhooks",
    sessionDoor: { id: "setApiKeyWebhook", at: "POST /integration/api-keys/:id/webhook" },
    isSecret: true,
    input: { params: KeyParams, body: SetWebhook },
    tag,
    summary: "Set where a key's events are sent",
    description:
      "The first call makes the signing secret. Switching off cancels waiting deliveries; switching on begins with the " +
      "next event.",
    answer: WebhookSetting,
    refusals: ["key_not_found", "key_not_active", "invalid_webhook_url"],
    run: (deps, call) => setWebhook(deps, call.actor, keyOf(call), call.body),
  }),
  op({
    at: "GET /webhook",
    id: "getOwnWebhook",
    key: "read:webhooks",
    session: "read:webhooks",
    sessionDoor: { id: "getApiKeyWebhook", at: "GET /integration/api-keys/:id/webhook" },
    isSecret: true,
    input: { params: KeyParams },
    tag,
    summary: "Get a key's webhook setting",
    answer: WebhookSetting,
    refusals: ["key_not_found"],
    run: (deps, call) => getWebhook(deps, call.actor.accountId, keyOf(call)),
  }),
  op({
    at: "POST /webhook/rotate-secret",
    id: "rotateOwnWebhookSecret",
    key: "update:webhooks",
    session: "update:webhooks",
    sessionDoor: { id: "rotateWebhookSecret", at: "POST /integration/api-keys/:id/webhook/rotate-secret" },
    isSecret: true,
    input: { params: KeyParams },
    tag,
    summary: "Give a webhook a new signing secret",
    description: `For ${BOTH_SECRETS_HOURS} hours deliveries carry two signatures, made with the new and the old secret.`,
    answer: WebhookSetting,
    refusals: ["key_not_found", "key_not_active", "webhook_not_active"],
    run: (deps, call) => rotateWebhookSecret(deps, call.actor, keyOf(call)),
  }),
  op({
    at: "POST /webhook/test",
    id: "testOwnWebhook",
    key: "update:webhooks",
    session: "update:webhooks",
    sessionDoor: { id: "testWebhook", at: "POST /integration/api-keys/:id/webhook/test" },
    isSecret: true,
    input: { params: KeyParams },
    tag,
    summary: "Send a test event to one key",
    description:
      "It is delivered like any event, but a Retry-After of another delivery does not hold it back. The answer names the " +
      "delivery, whose log shows the outcome.",
    answer: Delivery,
    refusals: ["key_not_found", "key_not_active", "webhook_not_active"],
    run: (deps, call) => sendTest(deps, call.actor.accountId, keyOf(call)),
  }),
  op({
    at: "GET /webhook/deliveries",
    id: "listOwnWebhookDeliveries",
    key: "read:webhooks",
    session: "read:webhooks",
    sessionDoor: { id: "listWebhookDeliveries", at: "GET /integration/api-keys/:id/webhook/deliveries" },
    isSecret: true,
    input: { params: KeyParams, query: DeliveriesQuery },
    tag,
    summary: `List a key's deliveries of the last ${DELIVERIES_KEPT_DAYS} days, newest event first`,
    answer: Type.Array(Delivery),
    siblings: { paging: Paging },
    refusals: ["key_not_found"],
    run: (deps, call) => listDeliveries(deps, call.actor.accountId, keyOf(call), call.query),
  }),
  op({
    at: "GET /webhook/deliveries/:deliveryId",
    id: "getOwnWebhookDelivery",
    key: "read:webhooks",
    session: "read:webhooks",
    sessionDoor: {
      id: "getWebhookDelivery",
      at: "GET /integration/api-keys/:id/webhook/deliveries/:deliveryId",
    },
    isSecret: true,
    input: { params: DeliveryParams },
    tag,
    summary: "Get a delivery with its body and all its attempts",
    answer: DeliveryLog,
    refusals: ["key_not_found", "delivery_not_found"],
    run: (deps, call) => getDeliveryLog(deps, call.actor.accountId, keyOf(call), call.params.deliveryId),
  }),
  op({
    at: "POST /webhook/deliveries/:deliveryId/redeliver",
    id: "redeliverOwnWebhook",
    key: "update:webhooks",
    session: "update:webhooks",
    sessionDoor: {
      id: "redeliverWebhook",
      at: "POST /integration/api-keys/:id/webhook/deliveries/:deliveryId/redeliver",
    },
    isSecret: true,
    input: { params: DeliveryParams },
    tag,
    summary: "Send a delivery once more, with the same event id",
    answer: Delivery,
    refusals: ["key_not_found", "key_not_active", "webhook_not_active", "delivery_not_found"],
    run: (deps, call) => redeliver(deps, call.actor.accountId, keyOf(call), call.params.deliveryId),
  }),
];
