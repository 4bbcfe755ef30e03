import { Database } from "bun:sqlite";

/**
 * Takes a lock that only one process can hold. Returns undefined when another process holds it. It is a system lock
 * on an SQLite file at `path` and ends with the process, however that ends.
 */
export function takeLock(path: string): { release: () => void } | undefined {
  const lock = new Database(path, { create: true });
  try {
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    // A journal file would stay behind when the folder is renamed.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    return { release: () => lock.close() };
  } catch {
    lock.close();
    return undefined;
  }
}
