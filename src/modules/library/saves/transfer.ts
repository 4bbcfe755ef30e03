import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { saves } from "../../../../db/schema.ts";
import { ownerOf } from "../../people/team/service.ts";

/** Gives what the owner of an account saved to the owner of another one. What both saved stays saved. */
export function transferSaves(tx: Db, from: string, to: string): void {
  const [giver, receiver] = [ownerOf(tx, from), ownerOf(tx, to)];
  if (giver !== undefined && receiver !== undefined)
    tx.$client
      .query<void, [string, string, string, string]>(
        "UPDATE OR IGNORE saves SET account_id = ?, person_id = ? WHERE account_id = ? AND person_id = ?",
      )
      .run(to, receiver, from, giver);
  tx.delete(saves).where(eq(saves.accountId, from)).run();
}
