import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DataDir } from "../blobs/paths.ts";

/** Where copies of the database from before upgrades are, below the data folder. */
const FOLDER = "before-upgrade";
const COPY = /^schema-(\d+)(\.earlier)?\.db$/;
const KEPT = 2;

/** A copy of the database from before an upgrade. */
type UpgradeCopy = {
  path: string;
  schema: number;
  /** True for the copy of the first attempt, when the library was used again before a later one. */
  isEarlier: boolean;
};

/** Returns the folder of the copies. */
export function upgradeFolder({ dataDir }: DataDir): string {
  return join(dataDir, FOLDER);
}

/** Returns the file that says for how long servers have served the newest schema. */
export function servedPath(settings: DataDir): string {
  return join(upgradeFolder(settings), "served.json");
}

/** Returns where the copy of a schema is. */
export function copyPath(settings: DataDir, schema: number): string {
  return join(upgradeFolder(settings), `schema-${schema}.db`);
}

/** Returns where the copy of the first attempt to leave a schema is, when it differs from that of the last one. */
export function earlierCopyPath(settings: DataDir, schema: number): string {
  return join(upgradeFolder(settings), `schema-${schema}.earlier.db`);
}

/** Lists the copies, the newest schema first. Empty when there is no folder. */
export function listCopies(settings: DataDir): UpgradeCopy[] {
  const folder = upgradeFolder(settings);
  return namesIn(folder)
    .flatMap((name) => {
      const [, schema, earlier] = COPY.exec(name) ?? [];
      if (schema === undefined) return [];
      return { path: join(folder, name), schema: Number(schema), isEarlier: earlier !== undefined };
    })
    .sort((a, b) => b.schema - a.schema);
}

/**
 * Returns the copies that are no longer needed once the upgrade to `schema` has proved itself: all but those of the two
 * newest schemas before it. A copy of `schema` itself belongs to an upgrade that has yet to succeed.
 */
export function outlivedCopies(settings: DataDir, schema: number): UpgradeCopy[] {
  const older = listCopies(settings).filter((copy) => copy.schema < schema);
  const kept = new Set(older.filter(({ isEarlier }) => !isEarlier).slice(0, KEPT));
  return older.filter((copy) => !kept.has(copy));
}

/** Deletes copies. */
export function deleteCopies(copies: readonly UpgradeCopy[]): void {
  for (const { path } of copies) rmSync(path, { force: true });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
