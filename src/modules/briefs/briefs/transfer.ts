import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { briefSubmissions, briefs } from "../../../../db/schema.ts";

/**
 * Gives the briefs of an account, with what they received, to another one, and what the account sent to briefs of
 * others. Their pages keep their addresses. Returns how many briefs there were.
 */
export function transferBriefs(tx: Db, from: string, to: string): { briefs: number } {
  tx.update(briefSubmissions)
    .set({ submitterAccountId: to })
    .where(eq(briefSubmissions.submitterAccountId, from))
    .run();
  const given = tx.update(briefs).set({ ownerId: to }).where(eq(briefs.ownerId, from));
  return { briefs: given.returning({ id: briefs.id }).all().length };
}
