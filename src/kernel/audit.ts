import type { Db } from "../../db/client.ts";
import { auditLog, type LibraryId, type PersonId } from "../../db/schema.ts";
import { currentDoer } from "./current-request.ts";
import { newId } from "./ids.ts";

/** An entry of the audit log: who did what, and to what. */
export type AuditEntry = {
  /** `operator`, or the id of a person or key. */
  actor: string;
  action: `${string}.${string}`;
  subject?: string;
  /** Never a secret. */
  detail?: Record<string, unknown>;
  /** The library whose log it is in, and whose doing it was, where the request is nobody's yet, or another library's. */
  accountId?: LibraryId;
  personId?: PersonId;
};

/** Adds an entry to the audit log. Call it inside the transaction that makes the change. */
export function audit(tx: Db, entry: AuditEntry, at: number): void {
  // What the operator does is in no library's log.
  const doer = entry.actor === "operator" ? undefined : currentDoer();
  tx.insert(auditLog)
    .values({ id: newId("aud"), at, ...doer, ...entry })
    .run();
}
