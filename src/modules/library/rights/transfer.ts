import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type LibraryId, rightsSender } from "../../../../db/schema.ts";

/** Gives the sender of registrations of an account to another one, which keeps its own where it has one. */
export function transferRights(tx: Db, from: LibraryId, to: LibraryId): void {
  tx.$client
    .query<void, [string, string]>("UPDATE OR IGNORE rights_sender SET owner_id = ?2 WHERE owner_id = ?1")
    .run(from, to);
  tx.delete(rightsSender).where(eq(rightsSender.ownerId, from)).run();
}
