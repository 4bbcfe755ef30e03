import { and, eq, getTableColumns } from "drizzle-orm";
import { members, notificationReads, notifications } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  notifications: notificationsOf,
};

/** The notifications of the library, and when its owner read them. */
function notificationsOf({ db, accountId }: ExportSource): Plain[] {
  return db
    .select({ ...getTableColumns(notifications), readAt: notificationReads.readAt })
    .from(notifications)
    .leftJoin(members, and(eq(members.accountId, notifications.accountId), eq(members.role, "owner")))
    .leftJoin(
      notificationReads,
      and(
        eq(notificationReads.notificationId, notifications.id),
        eq(notificationReads.personId, members.personId),
      ),
    )
    .where(eq(notifications.accountId, accountId))
    .all()
    .map((row) => plain(row));
}
