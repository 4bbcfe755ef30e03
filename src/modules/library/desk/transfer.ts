import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { undos } from "../../../../db/schema.ts";
import { ownerOf } from "../../people/team/service.ts";

/** Lets another account undo the bulk changes of an account, whose tracks it now has. */
export function transferUndos(tx: Db, from: string, to: string): void {
  tx.update(undos)
    .set({ accountId: to, madeBy: ownerOf(tx, to) ?? null })
    .where(eq(undos.accountId, from))
    .run();
}
