import type { Db } from "../../db/client.ts";
import { auditLog } from "../../db/schema.ts";
import { newId } from "./ids.ts";

/** What must be traceable later: who did what to which thing. */
export type AuditEntry = {
  /** `operator`, or the id of an account or key. */
  actor: string;
  action: `${string}.${string}`;
  subject?: string;
  /** Never a secret. */
  detail?: Record<string, unknown>;
};

/** Adds to the audit log, inside the transaction that does the thing. */
export function audit(tx: Db, entry: AuditEntry, at: number): void {
  tx.insert(auditLog)
    .values({ id: newId("aud"), at, ...entry })
    .run();
}
