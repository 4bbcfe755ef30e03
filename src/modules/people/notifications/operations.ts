import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { listNotifications, readAllNotifications, readerOf, readNotification } from "./service.ts";
import { Notification, NotificationParams, NotificationsQuery, ReadAll, UnreadCount } from "./shapes.ts";

const tag = "Notifications";

/** News for the account's owner; keys reach those of their owner (decision 0038). */
export const notificationOperations = [
  op({
    at: "GET /notifications",
    id: "listAccountNotifications",
    key: "read:notifications",
    session: "read:notifications",
    sessionDoor: "listNotifications",
    rooms: true,
    input: { query: NotificationsQuery },
    tag,
    summary: "List the account's notifications, newest first",
    answer: Type.Array(Notification),
    siblings: { paging: Paging, unreadCount: UnreadCount },
    refusals: [],
    run: (deps, { actor, query }) => listNotifications(deps, readerOf(deps, actor), query),
  }),
  op({
    at: "POST /notifications/read",
    id: "readAllAccountNotifications",
    key: "update:notifications",
    session: "update:notifications",
    sessionDoor: "readAllNotifications",
    rooms: true,
    tag,
    summary: "Mark every notification of the account read",
    answer: ReadAll,
    refusals: [],
    run: (deps, { actor }) => readAllNotifications(deps, readerOf(deps, actor)),
  }),
  op({
    at: "POST /notifications/:id/read",
    id: "readAccountNotification",
    key: "update:notifications",
    session: "update:notifications",
    sessionDoor: "readNotification",
    rooms: true,
    input: { params: NotificationParams },
    tag,
    summary: "Mark one notification of the account read",
    answer: Notification,
    refusals: ["notification_not_found"],
    run: (deps, { actor, params }) => readNotification(deps, readerOf(deps, actor), params.id),
  }),
];
