import type { Db } from "../../db/client.ts";
import { isSameBytes } from "../kernel/secrets.ts";
import { findStore, secretCheck } from "../store/identity.ts";

/** True when a master secret is the one that the library's secrets are sealed with. */
export function isItsSecret(db: Db, secret: Buffer): boolean {
  const row = findStore(db);
  return row !== undefined && isSameBytes(row.secretCheck, secretCheck(secret, row.id));
}
