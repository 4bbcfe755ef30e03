import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import * as queries from "./queries.ts";

export { transferListens } from "./transfer.ts";

/** Returns what a person heard in a library, by the ids of its tracks. */
export function heardTracks(
  db: Db,
  { accountId, personId }: { accountId: LibraryId; personId?: PersonId },
): ReadonlyMap<string, queries.Heard> {
  return personId === undefined ? new Map() : queries.selectHeard(db, accountId, personId);
}

/**
 * Stores what somebody has heard, once however often it is reported. The same listen has the same id. Returns false when it is known.
 * A time ahead of now counts as now. Call it inside a transaction.
 */
export function noteListen(tx: Db, listen: queries.NewListen, now: number): boolean {
  return queries.insertListen(tx, { ...listen, at: Math.min(listen.at, now) });
}
