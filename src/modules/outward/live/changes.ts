import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { selectChanges, selectRange } from "./queries.ts";
import type { Change } from "./shapes.ts";

/** What a client has to hear, and the number of the change up to which it then knows everything. */
export type News = { seq: number; changes: Change[]; isLost: boolean };

/**
 * Returns what changed for an account after the change that a client heard of last; left out: nothing, but the place to
 * go on from.
 */
export function newsAfter(db: Db, accountId: LibraryId, after: number | undefined): News {
  const { latest, floor } = selectRange(db);
  // A number that was never given away is from the time before an older database was put back.
  const isLost = after !== undefined && (after < floor || after > latest);
  const changes = after === undefined || isLost ? [] : selectChanges(db, accountId, after, latest);
  return { seq: latest, changes, isLost };
}
