import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { contentVersion } from "./content-version.ts";

/** The row that makes a file of an account's search index valid. */
export type SnapshotRow = {
  ownerId: LibraryId;
  name: string;
  content: string;
  revision: number;
  tracks: number;
};

/** An account with fewer tracks needs no file: reading it from the database takes no noticeable time. */
export const WORTH_KEEPING = 2000;
/** A file is written again after this many changes, or this share of the tracks; until then changes are followed. */
const CHANGES_LEAST = 1000;
const CHANGED_SHARE = 0.0025;

/** Returns how many changes make a file with this many tracks worth writing again. */
export function manyChanges(tracks: number): number {
  return Math.max(CHANGES_LEAST, Math.ceil(tracks * CHANGED_SHARE));
}

/** Returns the folder of a database's index files, next to the database; undefined for a database in memory. */
export function snapshotFolder({ $client }: Db): string | undefined {
  const { filename } = $client;
  return filename === ":memory:" ? undefined : join(dirname(filename), "search-index");
}

/** Returns the name of an account's file; undefined when it has no file that this program can read. */
export function findSnapshotName({ $client }: Db, ownerId: LibraryId): string | undefined {
  return $client
    .query<{ name: string }, [string, string]>(
      "SELECT name FROM search_snapshots WHERE owner_id = ? AND content = ?",
    )
    .get(ownerId, contentVersion())?.name;
}

/**
 * Registers a flushed file as the account's current one and deletes the previous file. If the row cannot be written, it
 * deletes the new file instead.
 *
 * @throws Any error from the database.
 */
export function acceptSnapshot(db: Db, row: SnapshotRow): void {
  const { ownerId, name, content, revision, tracks } = row;
  let unused: string | undefined = name;
  try {
    const former = selectRows(db).find((each) => each.ownerId === ownerId);
    db.$client
      .query(
        `INSERT INTO search_snapshots (owner_id, name, content, revision, tracks) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (owner_id) DO UPDATE
         SET name = excluded.name, content = excluded.content, revision = excluded.revision, tracks = excluded.tracks`,
      )
      .run(ownerId, name, content, revision, tracks);
    unused = former?.name;
  } finally {
    const folder = snapshotFolder(db);
    if (folder !== undefined && unused !== undefined) rmSync(join(folder, unused), { force: true });
  }
}

/** Deletes an account's file with its row. Its next search reads the database. */
export function forgetSnapshot(db: Db, ownerId: LibraryId): void {
  const row = selectRows(db).find((each) => each.ownerId === ownerId);
  const folder = snapshotFolder(db);
  db.$client.query("DELETE FROM search_snapshots WHERE owner_id = ?").run(ownerId);
  if (row && folder !== undefined) rmSync(join(folder, row.name), { force: true });
}

/** Deletes files without a row: those of deleted accounts, and those left behind by a crash. */
export function sweepSnapshots(db: Db): void {
  const folder = snapshotFolder(db);
  if (folder === undefined || !existsSync(folder)) return;
  const names = new Set(selectRows(db).map(({ name }) => name));
  for (const name of readdirSync(folder))
    if (!names.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Returns the accounts whose first search would be slow: large ones without a nearly up-to-date file. */
export function listUnkept(db: Db): string[] {
  const folder = snapshotFolder(db);
  const rows = new Map(selectRows(db).map((row) => [row.ownerId, row]));
  return selectOwners(db).filter((ownerId) => {
    const row = rows.get(ownerId);
    const isUsable =
      row?.content === contentVersion() && folder !== undefined && existsSync(join(folder, row.name));
    if (!isUsable) return countTracks(db, ownerId, WORTH_KEEPING) >= WORTH_KEEPING;
    const many = manyChanges(row.tracks);
    return countChanges(db, ownerId, { since: row.revision, limit: many }) >= many;
  });
}

/** Counts the account's changes after a revision, to `limit` at most. Served by `search_changes_by_owner`. */
export function countChanges(
  { $client }: Db,
  ownerId: LibraryId,
  { since, limit }: { since: number; limit: number },
): number {
  const row = $client
    .query<{ count: number }, [string, number, number]>(
      `SELECT count(*) AS count FROM
         (SELECT 1 FROM search_changes WHERE owner_id = ? AND revision > ? LIMIT ?)`,
    )
    .get(ownerId, since, limit);
  return row?.count ?? 0;
}

/** Returns true for an account that has something to be found. */
export const hasTracks = (db: Db, ownerId: LibraryId): boolean => countTracks(db, ownerId, 1) > 0;

/** Served by an index of `track_rows` alone; tracks in the bin are not counted. */
function countTracks({ $client }: Db, ownerId: LibraryId, limit: number): number {
  const row = $client
    .query<{ count: number }, [string, number]>(
      "SELECT count(*) AS count FROM (SELECT 1 FROM track_rows WHERE owner_id = ? LIMIT ?)",
    )
    .get(ownerId, limit);
  return row?.count ?? 0;
}

/** Returns the accounts, the most recent searchers first. */
function selectOwners({ $client }: Db): string[] {
  return $client
    .query<{ id: string }, []>(
      "SELECT id FROM accounts ORDER BY (SELECT max(at) FROM searches WHERE account_id = accounts.id) DESC",
    )
    .all()
    .map(({ id }) => id);
}

function selectRows({ $client }: Db): SnapshotRow[] {
  return $client
    .query<SnapshotRow, []>(
      "SELECT owner_id AS ownerId, name, content, revision, tracks FROM search_snapshots",
    )
    .all();
}
