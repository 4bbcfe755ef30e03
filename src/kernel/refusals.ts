import { noRoom } from "./disk.ts";
import { DomainError } from "./errors.ts";
import { isDamage, isFullDisk, isReadOnly } from "./trouble.ts";

/**
 * Returns the refusal that something thrown stands for: itself, the one that it wraps, a full disk, or a damaged
 * database. Undefined for a fault of the program.
 */
export function asRefusal(thrown: unknown): DomainError | undefined {
  if (thrown instanceof DomainError) return thrown;
  // The framework wraps what a body parser throws.
  if (thrown instanceof Error && thrown.cause instanceof DomainError) return thrown.cause;
  if (isFullDisk(thrown)) return noRoom(thrown);
  return isDamage(thrown) || isReadOnly(thrown) ? libraryDamaged(thrown) : undefined;
}

/** The refusal for a database that is damaged and only read. */
export function libraryDamaged(cause: unknown): DomainError {
  const message = "The server's database is damaged and can only be read: tell the operator";
  return new DomainError("library_damaged", message, { cause });
}
