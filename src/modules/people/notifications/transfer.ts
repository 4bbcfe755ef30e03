import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { notifications } from "../../../../db/schema.ts";

/** Gives the notifications of an account to another one. */
export function transferNotifications(tx: Db, from: string, to: string): void {
  tx.update(notifications).set({ accountId: to }).where(eq(notifications.accountId, from)).run();
}
