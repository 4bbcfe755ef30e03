import type { Db } from "../../db/client.ts";
import * as masterSecret from "../kernel/master-secret.ts";
import { findStore } from "../store/identity.ts";

/** True when a master secret is the one that the library's secrets are sealed with. */
export function isItsSecret(db: Db, secret: Buffer): boolean {
  const row = findStore(db);
  return row !== undefined && masterSecret.isItsSecret(secret, row);
}
