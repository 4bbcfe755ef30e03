import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { listNotifications, readAllNotifications, readNotification } from "./service.ts";
import { Notification, NotificationParams, NotificationsQuery, ReadAll, UnreadCount } from "./shapes.ts";

const tag = "App";

/** `/app/notifications`: the notifications of the signed-in account. */
export const notificationRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/notifications" })
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        const { items, ...beside } = listNotifications(deps, actor.accountId, query);
        return ok(items, beside);
      },
      {
        session: true,
        query: NotificationsQuery,
        detail: describe({
          operationId: "listNotifications",
          tag,
          summary: "List notifications, newest first",
          answer: Type.Array(Notification),
          siblings: { paging: Paging, unreadCount: UnreadCount },
          refusals: [],
        }),
      },
    )
    .post("/read", ({ actor }) => ok(readAllNotifications(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "readAllNotifications",
        tag,
        summary: "Mark every notification read",
        answer: ReadAll,
        refusals: [],
      }),
    })
    .post("/:id/read", ({ actor, params }) => ok(readNotification(deps, actor.accountId, params.id)), {
      session: true,
      params: NotificationParams,
      detail: describe({
        operationId: "readNotification",
        tag,
        summary: "Mark a notification read",
        answer: Notification,
        refusals: ["notification_not_found"],
      }),
    });
