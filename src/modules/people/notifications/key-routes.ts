import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { listNotifications, readAllNotifications, readNotification } from "./service.ts";
import { Notification, NotificationParams, NotificationsQuery, ReadAll, UnreadCount } from "./shapes.ts";

const tag = "Notifications";

/** `/notifications`: those of the key's owner, for programs with a key (decision 0038). */
export const notificationKeyRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/notifications" })
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        const { items, ...beside } = listNotifications(deps, actor.accountId, query);
        return ok(items, beside);
      },
      {
        scope: "read:notifications",
        query: NotificationsQuery,
        detail: describe({
          operationId: "listAccountNotifications",
          tag,
          summary: "List the account's notifications, newest first",
          answer: Type.Array(Notification),
          siblings: { paging: Paging, unreadCount: UnreadCount },
          refusals: [],
        }),
      },
    )
    .post("/read", ({ actor }) => ok(readAllNotifications(deps, actor.accountId)), {
      scope: "update:notifications",
      detail: describe({
        operationId: "readAllAccountNotifications",
        tag,
        summary: "Mark every notification of the account read",
        answer: ReadAll,
        refusals: [],
      }),
    })
    .post("/:id/read", ({ actor, params }) => ok(readNotification(deps, actor.accountId, params.id)), {
      scope: "update:notifications",
      params: NotificationParams,
      detail: describe({
        operationId: "readAccountNotification",
        tag,
        summary: "Mark one notification of the account read",
        answer: Notification,
        refusals: ["notification_not_found"],
      }),
    });
