import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { saves } from "../../../../db/schema.ts";

/** Gives what an account saved to another one. What both saved stays saved. */
export function transferSaves(tx: Db, from: string, to: string): void {
  tx.$client.query("UPDATE OR IGNORE saves SET account_id = ? WHERE account_id = ?").run(to, from);
  tx.delete(saves).where(eq(saves.accountId, from)).run();
}
