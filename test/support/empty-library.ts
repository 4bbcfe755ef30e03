import { writeFileSync } from "node:fs";
import { type Db, openCopy, openDb } from "../../db/client.ts";

/** The database of a library without rows. To make one takes a quarter of a second, and to copy one takes nothing. */
const EMPTY = openDb(":memory:").$client.serialize();

/** Opens a library without rows, in memory. */
export const openEmpty = (): Db => openCopy(EMPTY);

/** Makes a library without rows at a path, and opens it. */
export function openEmptyAt(path: string): Db {
  writeFileSync(path, EMPTY);
  return openDb(path);
}
