import { DomainError } from "../kernel/errors.ts";

/** What the file system and the database call a disk, or an allowance, that is used up. */
const FULL_DISK_CODES: readonly unknown[] = ["ENOSPC", "EDQUOT", "SQLITE_FULL"];

/** Turns the failure of a full disk into the refusal `insufficient_storage`; anything else is left as it is. */
export function asStorageError(thrown: unknown): unknown {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (!FULL_DISK_CODES.includes(code)) return thrown;
  return new DomainError("insufficient_storage", "The server has no room left for this", { cause: thrown });
}
