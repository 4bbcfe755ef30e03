import type { Database } from "bun:sqlite";
import { type Db, prepared } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { type Secrets, seal, unseal } from "../../../kernel/secrets.ts";

const KEY_BYTES = 32;

type KeyDeps = Pick<Deps, "db" | "secrets">;
/** A version of an account. */
export type Marked = { accountId: string; versionId: string };
type KeyRow = Marked & { key: Uint8Array };

const byVersion = prepared((db) =>
  db.$client.prepare<{ key: Uint8Array }, [string, string]>(
    "SELECT key FROM mark_keys WHERE account_id = ?1 AND version_id = ?2",
  ),
);

/**
 * Returns the 32 secret bytes that the pattern of a version's marks is made from (`patternOf`); undefined when none of its copies
 * was ever marked. A version may be gone, and still have one.
 *
 * @throws Error when it was sealed with another master secret.
 */
export function findMarkKey({ db, secrets }: KeyDeps, { accountId, versionId }: Marked): Buffer | undefined {
  const row = byVersion(db).get(accountId, versionId);
  return row ? opened(secrets, { accountId, versionId, ...row }) : undefined;
}

/** Returns the key of a version. It is made with the first copy. Call it in a transaction. */
export function markKeyOf(deps: KeyDeps, marked: Marked): Buffer {
  const known = findMarkKey(deps, marked);
  if (known) return known;
  const key = crypto.getRandomValues(Buffer.alloc(KEY_BYTES));
  deps.db.$client
    .query<void, [string, string, Buffer]>(
      "INSERT INTO mark_keys (account_id, version_id, key) VALUES (?, ?, ?)",
    )
    .run(marked.accountId, marked.versionId, sealed(deps.secrets, marked.versionId, key));
  return key;
}

/** Seals the keys for a new master secret. One that does not open stays as it is. Returns how many. */
export function resealMarks(tx: Db, from: Secrets, to: Secrets): number {
  return rewrite(tx.$client, { schema: "main" }, (row) => {
    try {
      return sealed(to, row.versionId, opened(from, row));
    } catch {
      return undefined;
    }
  });
}

/**
 * Opens the keys in an export of an account, which is attached as `moved`: the server that takes it in has another master secret.
 * Those that do not open are left out.
 */
export function openMovedKeys(client: Database, secrets: Secrets): void {
  rewrite(client, { schema: "moved" }, (row) => {
    try {
      return opened(secrets, row);
    } catch {
      return "gone";
    }
  });
}

/** Seals the keys that came with an account. Call it in the transaction that took them in. */
export function sealMovedKeys(tx: Db, secrets: Secrets, accountId: string): void {
  rewrite(tx.$client, { schema: "main", accountId }, ({ versionId, key }) =>
    sealed(secrets, versionId, Buffer.from(key)),
  );
}

/** Replaces keys by what `change` returns; undefined leaves one, `gone` deletes it. Returns how many were replaced. */
function rewrite(
  client: Database,
  { schema, accountId = null }: { schema: "main" | "moved"; accountId?: string | null },
  change: (row: KeyRow) => Buffer | undefined | "gone",
): number {
  const within = (sql: string) => client.query<KeyRow, (string | Buffer | null)[]>(sql.replace("@", schema));
  const rows = within(
    `SELECT account_id AS accountId, version_id AS versionId, key FROM @.mark_keys
     WHERE ?1 IS NULL OR account_id = ?1`,
  ).all(accountId);
  let count = 0;
  for (const row of rows) {
    const key = change(row);
    const of = [row.accountId, row.versionId];
    if (key === "gone")
      within("DELETE FROM @.mark_keys WHERE account_id = ?1 AND version_id = ?2").run(...of);
    else if (key)
      count += within("UPDATE @.mark_keys SET key = ?3 WHERE account_id = ?1 AND version_id = ?2").run(
        ...of,
        key,
      ).changes;
  }
  return count;
}

const sealed = (secrets: Secrets, versionId: string, key: Buffer): Buffer =>
  seal(secrets("marks"), key.toString("base64"), contextOf(versionId));

const opened = (secrets: Secrets, { versionId, key }: KeyRow): Buffer =>
  Buffer.from(unseal(secrets("marks"), key, contextOf(versionId)), "base64");

const contextOf = (versionId: string) => `mark ${versionId}`;
