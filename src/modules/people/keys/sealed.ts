import type { Db } from "../../../../db/client.ts";
import { type Secrets, seal, unseal } from "../../../kernel/secrets.ts";
import { type KeyRow, listSealed, updateKey } from "./queries.ts";

/** Returns the copy of a key's secret that the database keeps. Call it in the transaction that stores it. */
export function sealSecret(secrets: Secrets, id: string, secret: string): Buffer {
  return seal(secrets("key-copies"), secret, id);
}

/**
 * Returns a key's secret, or undefined when it was sealed with an earlier master secret. Call it in the transaction that
 * read the row.
 */
export function openSecret(
  { secrets }: { secrets: Secrets },
  { id, secretCopy }: Pick<KeyRow, "id" | "secretCopy">,
): string | undefined {
  try {
    return unseal(secrets("key-copies"), secretCopy, id);
  } catch {
    return undefined;
  }
}

/** Seals the copies of all keys for a new master secret. One that does not open stays as it is. Returns how many. */
export function resealKeys(tx: Db, from: Secrets, to: Secrets): number {
  let sealed = 0;
  for (const { id, secretCopy } of listSealed(tx)) {
    const secret = openSecret({ secrets: from }, { id, secretCopy });
    if (secret === undefined) continue;
    updateKey(tx, id, { secretCopy: sealSecret(to, id, secret) });
    sealed++;
  }
  return sealed;
}
