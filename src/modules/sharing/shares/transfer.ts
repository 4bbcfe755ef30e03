import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { shares } from "../../../../db/schema.ts";

/** Gives the links of an account to another one. They keep their addresses, passwords and limits. */
export function transferShares(tx: Db, from: string, to: string): void {
  tx.update(shares).set({ ownerId: to }).where(eq(shares.ownerId, from)).run();
}
