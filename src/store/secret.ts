import { join } from "node:path";
import { replaceFile } from "../blobs/move.ts";
import type { DataDir } from "../blobs/paths.ts";
import { LibraryError } from "../kernel/errors.ts";
import { MASTER_SECRET_BYTES, readFileIfThere, SECRET_FILE } from "../kernel/master-secret.ts";

/**
 * Returns the master secret, 32 bytes; undefined when the file is missing. @throws LibraryError for another length.
 */
export function readSecret({ dataDir }: DataDir): Buffer | undefined {
  const secret = readFileIfThere(join(dataDir, SECRET_FILE));
  if (secret && secret.length !== MASTER_SECRET_BYTES) throw wrongSecret(dataDir);
  return secret;
}

/** Makes the master secret of a new library. Only its owner can read it, and it is flushed before it is used. */
export function makeSecret(settings: DataDir): Buffer {
  const secret = randomSecret();
  replaceFile(join(settings.dataDir, SECRET_FILE), secret);
  return secret;
}

/** Returns 32 random bytes. */
export function randomSecret(): Buffer {
  return crypto.getRandomValues(Buffer.alloc(MASTER_SECRET_BYTES));
}

/** Returns the refusal for a master secret of another library. */
export function wrongSecret(dataDir: string): LibraryError {
  return new LibraryError(
    `master-secret does not belong to dubplate.db in DATA_DIR (${dataDir}): put the right file back (every backup has it)`,
  );
}

/** Returns the refusal for a missing master secret. A new one could not open what the old one sealed. */
export function lostSecret(dataDir: string): LibraryError {
  return new LibraryError(
    `master-secret is missing from DATA_DIR (${dataDir}): put it back (every backup has it), a new one cannot replace it`,
  );
}
