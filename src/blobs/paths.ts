import { join } from "node:path";
import type { Settings } from "../kernel/settings.ts";

/** The folder of all runtime state: the only setting that blob functions need. */
export type DataDir = Pick<Settings, "dataDir">;

/** Folder of all originals. */
export function audioDir({ dataDir }: DataDir): string {
  return join(dataDir, "audio");
}

/**
 * Folder of files that are still being received. It is on the same file system as {@link audioDir}, so a rename is
 * enough to move a file.
 */
export function temporaryDir({ dataDir }: DataDir): string {
  return join(dataDir, "tmp");
}

/**
 * Returns the absolute path of a stored file: `audio/ab/cd/abcd…`.
 *
 * @param sha256 Lower-case hex of the file's bytes.
 * @throws RangeError for any other text: it becomes part of a path.
 */
export function blobPath(settings: DataDir, sha256: string): string {
  if (!isSha256(sha256)) throw new RangeError("not a SHA-256 in lower-case hex");
  return join(audioDir(settings), sha256.slice(0, 2), sha256.slice(2, 4), sha256);
}

/** True for 64 lower-case hex digits. */
export function isSha256(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
