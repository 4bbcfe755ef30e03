import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Db, prepared } from "../../db/client.ts";
import { isSameBytes, type Secrets, secretsOf } from "./secrets.ts";
import type { Settings } from "./settings.ts";

type Folder = Pick<Settings, "dataDir">;

/** Name of the master secret's file. */
export const SECRET_FILE = "master-secret";

/** A new master secret, until its rotation has ended. */
export const NEW_SECRET_FILE = `${SECRET_FILE}.new`;

export const MASTER_SECRET_BYTES = 32;

/** What the row of a library says of its master secret. */
export type SecretMark = { id: string; secretCheck: Uint8Array };

/** Returns what only the right master secret gives for a store id. 32 bytes. */
export function secretCheck(master: Uint8Array, id: string): Buffer {
  return new Bun.CryptoHasher("sha256", master).update(`dubplate store ${id}`).digest();
}

/** True when a master secret is the one that a library's secrets are sealed with. */
export function isItsSecret(master: Uint8Array, { id, secretCheck: wanted }: SecretMark): boolean {
  return isSameBytes(secretCheck(master, id), wanted);
}

/**
 * Returns the master secret that a library was sealed with; undefined when no file of the folder has it. While a rotation
 * ends, it may still be in the new secret's file. That one is read first, because the rename that ends a rotation could
 * otherwise hide it from both looks.
 */
export function findMasterSecret({ dataDir }: Folder, mark: SecretMark): Buffer | undefined {
  for (const name of [NEW_SECRET_FILE, SECRET_FILE]) {
    const secret = readFileIfThere(join(dataDir, name));
    if (secret && isItsSecret(secret, mark)) return secret;
  }
  return undefined;
}

const markOf = prepared((db) =>
  db.$client.prepare<SecretMark, []>("SELECT id, secret_check AS secretCheck FROM store"),
);

/**
 * Returns the secrets of an open library. They follow a rotation by another process: each use looks at the row, which
 * costs some microseconds. Sealing, and opening what was read, belongs in one transaction with the use, so that both see
 * the same state.
 *
 * @throws Error at a use, when no file has the secret that the row asks for.
 */
export function followSecrets(db: Db, settings: Folder): Secrets {
  // The newest first. A transaction that began before a rotation still sees the row of before.
  const known: { check: Uint8Array; secrets: Secrets }[] = [];
  return (purpose) => {
    const mark = markOf(db).get();
    if (!mark) throw new Error("This library has no identity");
    const same = known.find(({ check }) => isSameBytes(check, mark.secretCheck));
    if (same) return same.secrets(purpose);
    const secrets = secretsFor(settings, mark);
    known.unshift({ check: mark.secretCheck, secrets });
    return secrets(purpose);
  };
}

function secretsFor(settings: Folder, mark: SecretMark): Secrets {
  const master = findMasterSecret(settings, mark);
  if (!master) throw new Error("No file in DATA_DIR has the master secret of this library");
  return secretsOf(master);
}

/** Returns the bytes of a file; undefined when it does not exist. */
export function readFileIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
