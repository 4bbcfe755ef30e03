import { and, eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { notificationReads, notifications } from "../../../../db/schema.ts";
import { ownerOf } from "../team/service.ts";

/** Gives the notifications of an account to another one. What its owner has read, the owner of the other one has read. */
export function transferNotifications(tx: Db, from: string, to: string): void {
  const [giver, receiver] = [ownerOf(tx, from), ownerOf(tx, to)];
  if (giver !== undefined && receiver !== undefined) {
    const read = tx
      .select({ notificationId: notificationReads.notificationId, readAt: notificationReads.readAt })
      .from(notificationReads)
      .innerJoin(notifications, eq(notifications.id, notificationReads.notificationId))
      .where(and(eq(notifications.accountId, from), eq(notificationReads.personId, giver)))
      .all();
    for (const each of read)
      tx.insert(notificationReads)
        .values({ ...each, personId: receiver })
        .onConflictDoNothing()
        .run();
    for (const { notificationId } of read)
      if (giver !== receiver)
        tx.delete(notificationReads)
          .where(
            and(eq(notificationReads.personId, giver), eq(notificationReads.notificationId, notificationId)),
          )
          .run();
  }
  tx.update(notifications).set({ accountId: to }).where(eq(notifications.accountId, from)).run();
}
