import { DomainError } from "../kernel/errors.ts";

/** Error codes of the file system and the database for a full disk or an exhausted quota. */
const FULL_DISK_CODES: readonly unknown[] = ["ENOSPC", "EDQUOT", "SQLITE_FULL"];

/** Turns the error of a full disk into the refusal `insufficient_storage`. Other errors pass unchanged. */
export function asStorageError(thrown: unknown): unknown {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (!FULL_DISK_CODES.includes(code)) return thrown;
  return new DomainError(
    "insufficient_storage",
    "The server's disk is full: try again later, or tell the operator",
    { cause: thrown },
  );
}
