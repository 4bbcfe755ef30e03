import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
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

/** `/webhook`: where the events of the asking key go, and their deliveries (decision 0038). */
export const webhookKeyRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/webhook" })
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .use(settingRoutes(deps, guard))
    .use(deliveryRoutes(deps, guard));

const settingRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .get("", ({ actor }) => ok(getWebhook(deps, actor.accountId, actor.keyId)), {
      scope: "read:webhooks",
      detail: describe({
        operationId: "getOwnWebhook",
        tag,
        summary: "Get this key's webhook setting",
        answer: WebhookSetting,
        refusals: ["key_not_found"],
      }),
    })
    .post("", async ({ actor, body }) => ok(await setWebhook(deps, actor, actor.keyId, body)), {
      scope: "update:webhooks",
      body: SetWebhook,
      detail: describe({
        operationId: "setOwnWebhook",
        tag,
        summary: "Set where this key's events are sent",
        description:
          "The first call makes the signing secret. Switching off cancels waiting deliveries; switching on begins with the " +
          "next event.",
        answer: WebhookSetting,
        refusals: ["key_not_found", "key_not_active", "invalid_webhook_url"],
      }),
    })
    .post("/rotate-secret", ({ actor }) => ok(rotateWebhookSecret(deps, actor, actor.keyId)), {
      scope: "update:webhooks",
      detail: describe({
        operationId: "rotateOwnWebhookSecret",
        tag,
        summary: "Give this key's webhook a new signing secret",
        description: "For 24 hours deliveries carry two signatures, made with the new and the old secret.",
        answer: WebhookSetting,
        refusals: ["key_not_found", "key_not_active", "webhook_not_active"],
      }),
    })
    .post("/test", ({ actor }) => ok(sendTest(deps, actor.accountId, actor.keyId)), {
      scope: "update:webhooks",
      detail: describe({
        operationId: "testOwnWebhook",
        tag,
        summary: "Send a test event to this key",
        description: "The answer names the delivery, whose log shows the outcome.",
        answer: Delivery,
        refusals: ["key_not_found", "key_not_active", "webhook_not_active"],
      }),
    });

const deliveryRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/deliveries" })
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        const { items, paging } = listDeliveries(deps, actor.accountId, actor.keyId, query);
        return ok(items, { paging });
      },
      {
        scope: "read:webhooks",
        query: DeliveriesQuery,
        detail: describe({
          operationId: "listOwnWebhookDeliveries",
          tag,
          summary: "List this key's deliveries of the last 30 days, newest event first",
          answer: Type.Array(Delivery),
          siblings: { paging: Paging },
          refusals: ["key_not_found"],
        }),
      },
    )
    .get(
      "/:deliveryId",
      ({ actor, params }) => ok(getDeliveryLog(deps, actor.accountId, actor.keyId, params.deliveryId)),
      {
        scope: "read:webhooks",
        params: OwnDeliveryParams,
        detail: describe({
          operationId: "getOwnWebhookDelivery",
          tag,
          summary: "Get a delivery of this key with its body and all its attempts",
          answer: DeliveryLog,
          refusals: ["key_not_found", "delivery_not_found"],
        }),
      },
    )
    .post(
      "/:deliveryId/redeliver",
      ({ actor, params }) => ok(redeliver(deps, actor.accountId, actor.keyId, params.deliveryId)),
      {
        scope: "update:webhooks",
        params: OwnDeliveryParams,
        detail: describe({
          operationId: "redeliverOwnWebhook",
          tag,
          summary: "Send a delivery of this key once more, with the same event id",
          answer: Delivery,
          refusals: ["key_not_found", "key_not_active", "webhook_not_active", "delivery_not_found"],
        }),
      },
    );
