/** Returns the code of an error, or of the error that it wraps: those of the query builder wrap another. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return "code" in error && typeof error.code === "string" && error.code !== ""
    ? error.code
    : codeOf(error.cause);
}

/** Codes of the file system and the database for a full disk, an exhausted quota or a file that may not grow. */
const FULL_DISK_CODES: readonly string[] = [
  "ENOSPC",
  "EDQUOT",
  "EFBIG",
  "SQLITE_FULL",
  "SQLITE_IOERR_WRITE",
  "SQLITE_IOERR_SHMSIZE",
];

/** True when a write failed because the disk is full. */
export function isFullDisk(error: unknown): boolean {
  return FULL_DISK_CODES.includes(codeOf(error));
}

/** True when a file is not an SQLite database. */
export function isNotDatabase(error: unknown): boolean {
  return codeOf(error) === "SQLITE_NOTADB";
}

/** True when a page of the database is damaged. */
export function isDamage(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_CORRUPT") || isNotDatabase(error);
}

/** True when another connection held a lock for too long. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

/** True when a write failed because the database is only read, as it is after damage was found. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_READONLY");
}
