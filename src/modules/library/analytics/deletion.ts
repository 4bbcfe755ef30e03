import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

/** Deletes at most `limit` rows of an account's log. Returns how many there were. */
export function deleteActivityOf(tx: Db, ownerId: LibraryId, limit: number): number {
  return tx.$client
    .query<void, [string, number]>(
      `DELETE FROM activity WHERE seq IN (SELECT a.seq FROM activity_entities e JOIN activity a ON a.entity_ref = e.ref
       WHERE e.owner_id = ? LIMIT ?)`,
    )
    .run(ownerId, limit).changes;
}
