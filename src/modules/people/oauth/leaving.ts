import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import * as queries from "./queries.ts";

/** Somebody who let programs into a library. */
type Maker = { accountId: LibraryId; personId: PersonId };

/** Returns the grants of a library that somebody gave. */
function listGrantsOf(db: Db, { accountId, personId }: Maker, at: number): queries.GrantRow[] {
  return queries.listGrants(db, accountId, at).filter((grant) => grant.personId === personId);
}

/** Returns how many programs somebody has let into a library. */
export const countGrantsOf = (db: Db, maker: Maker, at: number): number => listGrantsOf(db, maker, at).length;

/**
 * Ends the grants that somebody gave, and their tokens; returns how many. Audited. Call it in the transaction that ends the
 * membership.
 */
export function endGrantsOf(tx: Db, maker: Maker, at: number): number {
  const grants = listGrantsOf(tx, maker, at);
  const { accountId } = maker;
  for (const { id: subject, clientId, clientName: name } of grants) {
    queries.deleteGrant(tx, subject);
    audit(
      tx,
      { actor: accountId, action: "grant.revoke", subject, detail: { clientId, name }, accountId },
      at,
    );
  }
  return grants.length;
}
