import { and, count, desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { notifications } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";

export type NotificationRow = typeof notifications.$inferSelect;

/** Adds a notification, unless one with its id exists. */
export function insertNotification(tx: Db, row: typeof notifications.$inferInsert): void {
  tx.insert(notifications).values(row).onConflictDoNothing().run();
}

/** True when a notification with this id exists. */
export function hasNotification(db: Db, id: string): boolean {
  return (
    db.select({ id: notifications.id }).from(notifications).where(eq(notifications.id, id)).get() !==
    undefined
  );
}

/** Returns every account's notifications of a kind. Reads the whole table. */
export function listOfKind(db: Db, kind: string): Pick<NotificationRow, "id" | "accountId">[] {
  const { id, accountId } = notifications;
  return db.select({ id, accountId }).from(notifications).where(eq(notifications.kind, kind)).all();
}

/** Returns at most `limit` notifications older than `after`, newest first. Index `notifications_by_account`. */
export function listNotifications(db: Db, accountId: string, after: Place, limit: number): NotificationRow[] {
  const isOlder = sql`(${notifications.createdAt}, ${notifications.id}) < (${after.key}, ${after.id})`;
  return db
    .select()
    .from(notifications)
    .where(and(eq(notifications.accountId, accountId), isOlder))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(limit)
    .all();
}

export function countUnread(db: Db, accountId: string): number {
  const found = db
    .select({ total: count() })
    .from(notifications)
    .where(and(eq(notifications.accountId, accountId), isNull(notifications.readAt)))
    .get();
  return found?.total ?? 0;
}

/** Marks one of the account's notifications as read, unless it already is. Returns it as stored. */
export function markRead(tx: Db, accountId: string, id: string, at: number): NotificationRow | undefined {
  return tx
    .update(notifications)
    .set({ readAt: sql`coalesce(${notifications.readAt}, ${at})` })
    .where(and(eq(notifications.accountId, accountId), eq(notifications.id, id)))
    .returning()
    .get();
}

/** Marks every unread notification of the account as read. Returns how many there were. */
export function markAllRead(tx: Db, accountId: string, at: number): number {
  return tx
    .update(notifications)
    .set({ readAt: at })
    .where(and(eq(notifications.accountId, accountId), isNull(notifications.readAt)))
    .returning({ id: notifications.id })
    .all().length;
}
