import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { searches } from "../../../../db/schema.ts";
import { ownerOf } from "../../people/team/service.ts";
import { forgetSnapshot } from "./index/snapshots.ts";

/** Gives the search history of an account to another one. The feed of changes tells the indexes of both what moved. */
export function transferSearches(tx: Db, from: string, to: string): void {
  tx.update(searches)
    .set({ accountId: to, personId: ownerOf(tx, to) ?? null })
    .where(eq(searches.accountId, from))
    .run();
  forgetSnapshot(tx, from);
}
