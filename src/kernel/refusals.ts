import { noRoom } from "./disk.ts";
import { DomainError } from "./errors.ts";
import { isDamage, isFullDisk, isReadOnly } from "./trouble.ts";

/**
 * Returns the refusal for an error: the error itself, one that it wraps, or the refusal for a full disk or a damaged
 * database. Returns undefined for a fault of the program.
 */
export function asRefusal(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  // What carried a request away may wrap what it was refused for.
  if (thrown instanceof Error && thrown.cause instanceof DomainError) return thrown.cause;
  if (isFullDisk(thrown)) return noRoom(thrown);
  return isDamage(thrown) || isReadOnly(thrown) ? libraryDamaged(thrown) : undefined;
}

/** Returns the refusal for a damaged database, which is only read. */
export function libraryDamaged(cause: unknown): DomainError {
  const message = "The server's database is damaged and can only be read: tell the operator";
  return new DomainError("library_damaged", message, { cause });
}
