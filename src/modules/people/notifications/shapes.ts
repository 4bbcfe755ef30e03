import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { NamedPerson } from "../people/shapes.ts";

export const NotificationsQuery = Type.Object(pageFields);
export type NotificationsQuery = Static<typeof NotificationsQuery>;

export const NotificationParams = Type.Object({ id: Type.String() });

/** What a notification is about. */
export const ENTITY_KEYS = ["track", "playlist", "composer", "brief", "key", "library"] as const;
export type EntityKey = (typeof ENTITY_KEYS)[number];

export const Notification = shape("Notification", {
  id: Type.String(),
  kind: Type.String({ description: "For example `brief.submission`; an open set" }),
  title: Type.String({ description: "One sentence for the owner to read" }),
  entityKey: Type.String({ description: `${ENTITY_KEYS.join(", ")}; an open set` }),
  entityId: Type.String(),
  createdAt: Timestamp,
  readAt: nullable(Timestamp),
  by: described(nullable(NamedPerson), "Whose doing it was; null: no member's"),
});
export type Notification = Static<typeof Notification>;

/** Returned beside the page. Counts all notifications of the account, not only those of the page. */
export const UnreadCount = Type.Integer({
  minimum: 0,
  description: "Unread notifications of the whole account",
});

export const ReadAll = shape("NotificationsRead", {
  ok: Type.Literal(true),
  read: Type.Integer({ minimum: 0, description: "How many were unread before this" }),
});
export type ReadAll = Static<typeof ReadAll>;
