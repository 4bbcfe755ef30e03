import { type Db, prepared } from "../../../../db/client.ts";
import type { TimedLine } from "../../../media/lyrics/lines.ts";

export type Origin = "written" | "file" | "carried";

/** The times of one version. */
export type TimedRow = { lines: TimedLine[]; origin: Origin; updatedAt: number };

type Stored = Omit<TimedRow, "lines"> & { lines: string };

/** Returns the times of a version, whatever they come from. */
export function findTimed(db: Db, versionId: string): TimedRow | undefined {
  const row = timed(db).get(versionId);
  return row ? { ...row, lines: JSON.parse(row.lines) as TimedLine[] } : undefined;
}

/** Writes the times of a version. Those that are carried or in a file replace none that a person wrote. */
export function putTimed(tx: Db, versionId: string, { lines, origin, updatedAt }: TimedRow): void {
  put(tx).run(versionId, JSON.stringify(lines), origin, updatedAt);
}

/** Gives a copy of a version the times that it has. */
export function copyTimed(tx: Db, fromId: string, toId: string): void {
  copy(tx).run(fromId, toId);
}

/** Deletes the times of a version where they come from somewhere. */
export function deleteTimed(tx: Db, versionId: string, origin: Origin): void {
  drop(tx).run(versionId, origin);
}

/** Deletes the times that were carried into versions of a track. */
export function deleteCarried(tx: Db, trackId: string): void {
  dropCarried(tx).run(trackId);
}

/** The versions of a track, with when their times were made; null: they have none. */
export type TimedVersion = { versionId: string; origin: Origin | null; updatedAt: number | null };

/** Returns the versions of a track, the one that plays first, then the newest. */
export const listTimed = (db: Db, trackId: string): TimedVersion[] => ofTrack(db).all(trackId);

/** The words of a track, and its language. */
export const findWords = (db: Db, trackId: string) => words(db).get(trackId) ?? undefined;

const timed = prepared((db) =>
  db.$client.prepare<Stored, [string]>(
    "SELECT lines, origin, updated_at AS updatedAt FROM timed_lyrics WHERE version_id = ?1",
  ),
);
const put = prepared((db) =>
  db.$client.prepare<void, [string, string, Origin, number]>(
    `INSERT INTO timed_lyrics (version_id, lines, origin, updated_at) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT DO UPDATE SET lines = ?2, origin = ?3, updated_at = ?4
     WHERE (?3 = 'written' OR origin <> 'written') AND (lines <> ?2 OR origin <> ?3 OR updated_at <> ?4)`,
  ),
);
const copy = prepared((db) =>
  db.$client.prepare<void, [string, string]>(
    `INSERT INTO timed_lyrics (version_id, lines, origin, updated_at)
     SELECT ?2, lines, origin, updated_at FROM timed_lyrics WHERE version_id = ?1`,
  ),
);
const drop = prepared((db) =>
  db.$client.prepare<void, [string, Origin]>(
    "DELETE FROM timed_lyrics WHERE version_id = ?1 AND origin = ?2",
  ),
);
const dropCarried = prepared((db) =>
  db.$client.prepare<void, [string]>(
    `DELETE FROM timed_lyrics WHERE origin = 'carried' AND version_id IN (SELECT id FROM versions WHERE track_id = ?1)`,
  ),
);
const ofTrack = prepared((db) =>
  db.$client.prepare<TimedVersion, [string]>(
    `SELECT v.id AS versionId, l.origin, l.updated_at AS updatedAt FROM versions v JOIN tracks t ON t.id = v.track_id
     LEFT JOIN timed_lyrics l ON l.version_id = v.id WHERE v.track_id = ?1
     ORDER BY v.id = t.active_version_id DESC, v.version_order DESC`,
  ),
);
const words = prepared((db) =>
  db.$client.prepare<
    {
      lyrics: string | null;
      language: string | null;
      title: string | null;
      artist: string | null;
      album: string | null;
      name: string;
    },
    [string]
  >("SELECT lyrics, language, title, artist, album, name FROM tracks WHERE id = ?1"),
);
