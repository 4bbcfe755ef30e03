import { Database } from "bun:sqlite";

/**
 * Takes a lock that one process may have, or returns undefined when another has it. The lock is the system's own on an
 * SQLite file at `path`: it ends with the process, however that ends.
 */
export function takeLock(path: string): { release: () => void } | undefined {
  const lock = new Database(path, { create: true });
  try {
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    // A journal would lie beside the file, and stay where the folder was when that is renamed.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    return { release: () => lock.close() };
  } catch {
    lock.close();
    return undefined;
  }
}
