import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";

/** Where Homebrew keeps its SQLite, on Apple silicon and on Intel. */
const LIBRARIES = [
  "/opt/homebrew/opt/sqlite/lib/libsqlite3.dylib",
  "/usr/local/opt/sqlite/lib/libsqlite3.dylib",
];

/**
 * On macOS Bun uses the SQLite of the system, which loads no extensions. Takes Homebrew's instead, if it is installed.
 * Call it before a database is opened.
 */
export function useLoadableSqlite(): void {
  const found = LIBRARIES.find((path) => existsSync(path));
  if (found) Database.setCustomSQLite(found);
}
