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
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  sendTest,
  setWebhook,
} from "./service.ts";
import {
  DeliveriesQuery,
  Delivery,
  DeliveryLog,
  DeliveryParams,
  KeyParams,
  SetWebhook,
  WebhookHealth,
  WebhookSetting,
} from "./shapes.ts";

const tag = "Webhooks" as const;

/** `/integration/api-keys/{id}/webhook`: where a key's events go, and their deliveries (decision 4.37). */
export const webhookRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/integration/api-keys/:id/webhook" })
    .use(guard)
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .post("", async ({ actor, params, body }) => ok(await setWebhook(deps, actor, params.id, body)), {
      session: true,
      params: KeyParams,
      body: SetWebhook,
      detail: describe({
        operationId: "setApiKeyWebhook",
        tag,
        summary: "Set where a key's events are sent",
        description:
          "The first call makes the signing secret. Switching off cancels waiting deliveries; switching on begins with the " +
          "next event.",
        answer: WebhookSetting,
        refusals: ["key_not_found", "key_not_active", "invalid_webhook_url"],
      }),
    })
    .get("", ({ actor, params }) => ok(getWebhook(deps, actor.accountId, params.id)), {
      session: true,
      params: KeyParams,
      detail: describe({
        operationId: "getApiKeyWebhook",
        tag,
        summary: "Get a key's webhook setting",
        answer: WebhookSetting,
        refusals: ["key_not_found"],
      }),
    })
    .post("/rotate-secret", ({ actor, params }) => ok(rotateWebhookSecret(deps, actor, params.id)), {
      session: true,
      params: KeyParams,
      detail: describe({
        operationId: "rotateWebhookSecret",
        tag,
        summary: "Give a webhook a new signing secret",
        description: "For 24 hours deliveries carry two signatures, made with the new and the old secret.",
        answer: WebhookSetting,
        refusals: ["key_not_found", "key_not_active", "webhook_not_active"],
      }),
    })
    .post("/test", ({ actor, params }) => ok(sendTest(deps, actor.accountId, params.id)), {
      session: true,
      params: KeyParams,
      detail: describe({
        operationId: "testWebhook",
        tag,
        summary: "Send a test event to one key",
        description:
          "It is delivered like any event, but a Retry-After of another delivery does not hold it back. The answer names the " +
          "delivery, whose log shows the outcome.",
        answer: Delivery,
        refusals: ["key_not_found", "key_not_active", "webhook_not_active"],
      }),
    })
    .get(
      "/deliveries",
      ({ actor, params, query }) => {
        const { items, paging } = listDeliveries(deps, actor.accountId, params.id, query);
        return ok(items, { paging });
      },
      {
        session: true,
        params: KeyParams,
        query: DeliveriesQuery,
        detail: describe({
          operationId: "listWebhookDeliveries",
          tag,
          summary: "List a key's deliveries of the last 30 days, newest event first",
          answer: Type.Array(Delivery),
          siblings: { paging: Paging },
          refusals: ["key_not_found"],
        }),
      },
    )
    .get(
      "/deliveries/:deliveryId",
      ({ actor, params }) => ok(getDeliveryLog(deps, actor.accountId, params.id, params.deliveryId)),
      {
        session: true,
        params: DeliveryParams,
        detail: describe({
          operationId: "getWebhookDelivery",
          tag,
          summary: "Get a delivery with its body and all its attempts",
          answer: DeliveryLog,
          refusals: ["key_not_found", "delivery_not_found"],
        }),
      },
    )
    .post(
      "/deliveries/:deliveryId/redeliver",
      ({ actor, params }) => ok(redeliver(deps, actor.accountId, params.id, params.deliveryId)),
      {
        session: true,
        params: DeliveryParams,
        detail: describe({
          operationId: "redeliverWebhook",
          tag,
          summary: "Send a delivery once more, with the same event id",
          answer: Delivery,
          refusals: ["key_not_found", "key_not_active", "webhook_not_active", "delivery_not_found"],
        }),
      },
    );

/** `/app/webhooks`: every webhook of the signed-in account. */
export const appWebhookRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/webhooks" })
    .use(guard)
    .get("", ({ actor }) => ok(listWebhooks(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "listWebhooks",
        tag,
        summary: "List the account's webhooks and their health",
        answer: Type.Array(WebhookHealth),
        refusals: [],
      }),
    });
