import type { Db } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import * as queries from "./queries.ts";

/** Revokes every key that a person made, in any library; returns how many there were. Call it in a transaction. Audited. */
export function revokeKeysOf(tx: Db, personId: PersonId, at: number): number {
  const keys = queries.listKeysOf(tx, personId);
  for (const { id } of keys) {
    queries.updateKey(tx, id, { revokedAt: at });
    audit(tx, { actor: personId, action: "key.revoke", subject: id }, at);
  }
  return keys.length;
}
