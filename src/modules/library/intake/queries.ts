import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

/** How a file came in, as stored. */
export type IntakeRow = {
  seq: number;
  id: string;
  accountId: LibraryId;
  kind: "watch" | "send" | "import";
  source: string;
  path: string;
  sizeBytes: number;
  modifiedAt: number;
  inode: string;
  sha256: string;
  outcome: "track" | "version" | "known";
  reason: string | null;
  label: string | null;
  trackId: string;
  versionId: string | null;
  versionBefore: string | null;
  takenAt: number;
  undoneAt: number | null;
};

/** An intake that changed the library. */
export type ChangeRow = IntakeRow & { outcome: "track" | "version" };

const COLUMNS = `seq, id, account_id AS accountId, kind, source, path, size_bytes AS sizeBytes, modified_at AS modifiedAt,
  inode, sha256, outcome, reason, label, track_id AS trackId, version_id AS versionId, version_before AS versionBefore,
  taken_at AS takenAt, undone_at AS undoneAt`;

const insert = prepared((db) =>
  db.$client.prepare<void, [Omit<IntakeRow, "seq">]>(`
    INSERT INTO intakes (id, account_id, kind, source, path, size_bytes, modified_at, inode, sha256, outcome, reason, label,
      track_id, version_id, version_before, taken_at, undone_at)
    VALUES ($id, $accountId, $kind, $source, $path, $sizeBytes, $modifiedAt, $inode, $sha256, $outcome, $reason, $label,
      $trackId, $versionId, $versionBefore, $takenAt, $undoneAt)`),
);

export function insertIntake(tx: Db, row: Omit<IntakeRow, "seq">): void {
  insert(tx).run(row);
}

const newestOfPath = prepared((db) =>
  db.$client.prepare<IntakeRow, [string, string, string]>(
    `SELECT ${COLUMNS} FROM intakes WHERE account_id = ? AND source = ? AND path = ? ORDER BY seq DESC LIMIT 1`,
  ),
);

/** Returns the file last taken in from a path. */
export function findByPath(
  db: Db,
  { accountId, source, path }: { accountId: LibraryId; source: string; path: string },
): IntakeRow | undefined {
  return newestOfPath(db).get(accountId, source, path) ?? undefined;
}

const newestOfBytes = prepared((db) =>
  db.$client.prepare<IntakeRow, [string, string, string]>(
    `SELECT ${COLUMNS} FROM intakes WHERE account_id = ? AND source = ? AND sha256 = ? ORDER BY seq DESC LIMIT 1`,
  ),
);

/** Returns the last intake of these bytes from a folder. */
export function findByBytes(
  db: Db,
  { accountId, source, sha256 }: { accountId: LibraryId; source: string; sha256: string },
): IntakeRow | undefined {
  return newestOfBytes(db).get(accountId, source, sha256) ?? undefined;
}

/** Notes that a file's bytes are the same although its time or number is not. */
export function updateSeen(
  tx: Db,
  { seq, sizeBytes, modifiedAt, inode }: Pick<IntakeRow, "seq" | "sizeBytes" | "modifiedAt" | "inode">,
): void {
  tx.$client
    .query<void, [number, number, string, number]>(
      "UPDATE intakes SET size_bytes = ?, modified_at = ?, inode = ? WHERE seq = ?",
    )
    .run(sizeBytes, modifiedAt, inode, seq);
}

const pathsOf = prepared((db) =>
  db.$client.prepare<{ path: string }, [string, string, string]>(
    "SELECT DISTINCT path FROM intakes WHERE track_id = ? AND account_id = ? AND source = ? AND undone_at IS NULL",
  ),
);

/** Returns the paths of a folder that made a track. */
export function selectPathsOf(db: Db, trackId: string, accountId: LibraryId, source: string): string[] {
  return pathsOf(db)
    .all(trackId, accountId, source)
    .map(({ path }) => path);
}

const pathsUnder = prepared((db) =>
  db.$client.prepare<{ path: string }, [string, string, string, string, number]>(
    `SELECT DISTINCT path FROM intakes WHERE account_id = ?1 AND source = ?2 AND path > ?3 AND path < ?4 AND undone_at IS NULL
     LIMIT ?5`,
  ),
);

type Under = { accountId: LibraryId; source: string; folder: string; limit: number };

/** Returns at most `limit` paths of a source that are below a folder, which ends in a slash. */
export function selectPathsUnder(db: Db, { accountId, source, folder, limit }: Under): string[] {
  return pathsUnder(db)
    .all(accountId, source, folder, `${folder}\u{10ffff}`, limit)
    .map(({ path }) => path);
}

/** Returns the remembered files of at most `limit` paths of a folder, the last seen first. */
export function selectRemembered(
  db: Db,
  {
    accountId,
    source,
    before,
    limit,
  }: { accountId: LibraryId; source: string; before: number; limit: number },
): IntakeRow[] {
  return db.$client
    .query<IntakeRow, [string, string, number, number]>(
      `SELECT ${COLUMNS} FROM intakes WHERE seq IN (
         SELECT max(seq) FROM intakes WHERE account_id = ?1 AND source = ?2 GROUP BY path)
         AND seq < ?3 ORDER BY seq DESC LIMIT ?4`,
    )
    .all(accountId, source, before, limit);
}

/** Returns at most `limit` intakes that changed the library, the newest first. */
export function selectChanges(db: Db, accountId: LibraryId, before: number, limit: number): ChangeRow[] {
  return db.$client
    .query<ChangeRow, [string, number, number]>(
      `SELECT ${COLUMNS} FROM intakes WHERE account_id = ? AND outcome <> 'known' AND seq < ? ORDER BY seq DESC LIMIT ?`,
    )
    .all(accountId, before, limit);
}

export function findIntake(db: Db, accountId: LibraryId, id: string): IntakeRow | undefined {
  return (
    db.$client
      .query<IntakeRow, [string, string]>(`SELECT ${COLUMNS} FROM intakes WHERE account_id = ? AND id = ?`)
      .get(accountId, id) ?? undefined
  );
}

export function markUndone(tx: Db, id: string, at: number): void {
  tx.$client.query<void, [number, string]>("UPDATE intakes SET undone_at = ? WHERE id = ?").run(at, id);
}

const LOSSLESS = "('wav', 'aiff', 'flac', 'w64', 'caf', 'wv', 'tta', 'ape', 'dsf', 'au')";

/** True when a version of the track with this label was stored without loss. */
export function hasLossless(db: Db, trackId: string, label: string | null): boolean {
  const found = db.$client
    .query<{ id: string }, [string, string | null]>(
      `SELECT id FROM versions WHERE track_id = ? AND label IS ? AND container IN ${LOSSLESS} LIMIT 1`,
    )
    .get(trackId, label);
  return found !== null;
}

/** True when a track has a version. */
export function hasVersion(db: Db, trackId: string, versionId: string): boolean {
  const found = db.$client
    .query<{ id: string }, [string, string]>("SELECT id FROM versions WHERE track_id = ? AND id = ?")
    .get(trackId, versionId);
  return found !== null;
}

/** How many versions a track has. */
export function countVersions(db: Db, trackId: string): number {
  return (
    db.$client
      .query<{ count: number }, [string]>("SELECT count(*) AS count FROM versions WHERE track_id = ?")
      .get(trackId)?.count ?? 0
  );
}
