import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { isSameKey, parseKey } from "../../../kernel/musical-key.ts";

/**
 * Returns every way in which the account writes one of the keys, as a JSON array: a track may say `Gbm` where `F# minor` is
 * asked for.
 *
 * @param csv Keys in any notation, separated by commas.
 * @throws DomainError `validation_failed` for an invalid key.
 */
export function writtenKeys(db: Db, ownerId: LibraryId, csv: string): string {
  const names = csv.split(",").flatMap((name) => name.trim() || []);
  const asked = names.map((name) => {
    const key = parseKey(name);
    if (key) return key;
    throw invalidField("key", "unknown_key", "must be keys such as `F# minor`, `Gbm` or `11A`");
  });
  const written = selectKeys(db, ownerId).filter((name) => {
    const key = parseKey(name);
    return key !== undefined && asked.some((each) => isSameKey(each, key));
  });
  return JSON.stringify(written);
}

const nextKey = prepared((db) =>
  db.$client.prepare<{ key: string }, [string, string]>(
    `SELECT key FROM track_rows INDEXED BY track_rows_by_key
     WHERE owner_id = ?1 AND key > ?2 ORDER BY key LIMIT 1`,
  ),
);

/** Returns every way in which an account's tracks write a key, in no case twice. */
function selectKeys(db: Db, ownerId: LibraryId): string[] {
  const keys: string[] = [];
  for (let key: string | undefined = ""; key !== undefined; ) {
    key = nextKey(db).get(ownerId, key)?.key;
    if (key !== undefined) keys.push(key);
  }
  return keys;
}
