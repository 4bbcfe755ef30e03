import { type Db, prepared } from "../../../../db/client.ts";
import type { FamilyKind, familySigns, LibraryId, StemPart } from "../../../../db/schema.ts";
import type { Compared } from "./task.ts";

type SignRow = typeof familySigns.$inferSelect;

/** A track that was analysed, with what it is compared by. */
export type KinTrack = {
  id: string;
  seq: number;
  ownerId: LibraryId;
  name: string;
  title: string | null;
  artist: string | null;
  createdAt: number;
  durationSec: number | null;
  sha256: string;
  recordingId: number | null;
  /** Null: it is in no family. */
  familyId: string | null;
  kind: FamilyKind | null;
  mainTrackId: string | null;
};

const TRACK = `SELECT t.id, t.seq, t.owner_id AS ownerId, t.name, t.title, t.artist, t.created_at AS createdAt,
    t.duration_sec AS durationSec, v.sha256, r.recording_id AS recordingId, m.family_id AS familyId, m.kind,
    f.main_track_id AS mainTrackId
  FROM tracks t JOIN versions v ON v.id = t.active_version_id
  LEFT JOIN version_recordings r ON r.version_id = v.id
  LEFT JOIN family_members m ON m.track_id = t.id LEFT JOIN families f ON f.id = m.family_id
  WHERE t.deleted_at IS NULL AND t.in_inbox = 0 AND t.analysis_status = 'completed'
    AND t.analysis_version_id = t.active_version_id`;

const byId = prepared((db: Db) => db.$client.prepare<KinTrack, [string]>(`${TRACK} AND t.id = ?1`));
const amongIds = prepared((db: Db) =>
  db.$client.prepare<KinTrack, [string, string]>(
    `${TRACK} AND t.owner_id = ?2 AND t.id IN (SELECT value FROM json_each(?1))`,
  ),
);
const byRecordings = prepared((db: Db) =>
  db.$client.prepare<KinTrack, [string, string]>(
    `${TRACK} AND t.owner_id = ?2
       AND v.id IN (SELECT version_id FROM version_recordings WHERE recording_id IN (SELECT value FROM json_each(?1)))`,
  ),
);
const nextOld = prepared((db: Db) =>
  db.$client.prepare<KinTrack, [number]>(`${TRACK} AND t.seq < ?1 ORDER BY t.seq DESC LIMIT 1`),
);

/** Returns a track of a library that was analysed; undefined for one in the bin, in the Inbox, or not analysed as it plays. */
export const findKinTrack = (db: Db, id: string): KinTrack | undefined => byId(db).get(id) ?? undefined;

/** The same for several tracks of a library. */
export const kinTracksAmong = (db: Db, ownerId: LibraryId, ids: readonly string[]): KinTrack[] =>
  amongIds(db).all(JSON.stringify(ids), ownerId);

/** Returns the tracks of a library that play some recordings. */
export const tracksPlaying = (db: Db, ownerId: LibraryId, recordings: readonly number[]): KinTrack[] =>
  byRecordings(db).all(JSON.stringify(recordings), ownerId);

/** Returns the newest track before a sequence number. */
export const nextKinTrack = (db: Db, below: number): KinTrack | undefined =>
  nextOld(db).get(below) ?? undefined;

const intakeFolder = prepared((db: Db) =>
  db.$client.prepare<{ source: string; path: string }, [string, string]>(
    `SELECT source, path FROM intakes WHERE track_id = ?1 AND account_id = ?2 AND outcome = 'track' ORDER BY seq LIMIT 1`,
  ),
);
const uploadPath = prepared((db: Db) =>
  db.$client.prepare<{ source: string; path: string }, [string, string]>(
    `SELECT '' AS source, path FROM owner_uploads WHERE account_id = ?2 AND track_id = ?1 AND outcome = 'track' LIMIT 1`,
  ),
);

/** Returns the path of the file that made a track, and what it was in; undefined where that is not known any more. */
export const arrivalOf = (
  db: Db,
  ownerId: LibraryId,
  trackId: string,
): { source: string; path: string } | undefined =>
  intakeFolder(db).get(trackId, ownerId) ?? uploadPath(db).get(trackId, ownerId) ?? undefined;

const underFolder = prepared((db: Db) =>
  db.$client.prepare<{ id: string }, [string, string, string, number]>(
    `SELECT DISTINCT track_id AS id FROM intakes WHERE account_id = ?1 AND source = ?2 AND outcome = 'track'
       AND path >= ?3 AND path < ?3 || char(1114111) LIMIT ?4`,
  ),
);
const uploadedUnder = prepared((db: Db) =>
  db.$client.prepare<{ id: string }, [string, string, number]>(
    `SELECT DISTINCT track_id AS id FROM owner_uploads WHERE account_id = ?1 AND outcome = 'track'
       AND path >= ?2 AND path < ?2 || char(1114111) LIMIT ?3`,
  ),
);

/** Returns at most `limit` tracks whose files came from below a folder, which ends in a slash. */
export function idsUnder(
  db: Db,
  ownerId: LibraryId,
  { source, folder, limit }: { source: string; folder: string; limit: number },
): string[] {
  const rows =
    source === ""
      ? uploadedUnder(db).all(ownerId, folder, limit)
      : underFolder(db).all(ownerId, source, folder, limit);
  return rows.map(({ id }) => id);
}

/** A question as it is listed. */
export type QuestionRow = {
  /** Of the question. */
  id: string;
  /** The track that is asked about. */
  askedId: string;
  name: string;
  title: string | null;
  versionId: string;
  durationSec: number | null;
  otherId: string;
  otherName: string;
  otherTitle: string | null;
  otherVersionId: string;
  otherDurationSec: number | null;
  nameKind: FamilyKind | null;
  nameEditSec: number | null;
  namePart: StemPart | null;
  soundKind: SignRow["soundKind"];
  soundEditSec: number | null;
  offsetMs: number | null;
  residualDb: number | null;
  foundAt: number;
};

/** Two tracks that are in one family already, or the asked one in another, are not asked about. */
const OPEN = `FROM family_signs s
  JOIN tracks t ON t.id = s.asked_id AND t.owner_id = $ownerId AND t.deleted_at IS NULL AND t.in_inbox = 0
  JOIN tracks m ON m.id = iif(s.asked_id = s.track_id, s.other_id, s.track_id) AND m.owner_id = $ownerId
    AND m.deleted_at IS NULL AND m.in_inbox = 0
  WHERE s.state = 'open' AND NOT EXISTS (SELECT 1 FROM family_members WHERE track_id = s.asked_id)`;
const QUESTION = `SELECT t.id || ' ' || m.id AS id, t.id AS askedId, t.name, t.title, t.active_version_id AS versionId, t.duration_sec AS durationSec, m.id AS otherId,
    m.name AS otherName, m.title AS otherTitle, m.active_version_id AS otherVersionId, m.duration_sec AS otherDurationSec,
    s.name_kind AS nameKind, s.name_edit_sec AS nameEditSec, s.name_part AS namePart, s.sound_kind AS soundKind,
    s.sound_edit_sec AS soundEditSec, iif(s.other_id = s.asked_id, s.offset_ms, -s.offset_ms) AS offsetMs,
    s.residual_db AS residualDb, s.found_at AS foundAt`;

const page = prepared((db: Db) =>
  db.$client.prepare<QuestionRow, { ownerId: LibraryId; key: number; id: string; limit: number }>(
    `${QUESTION} ${OPEN} AND (s.found_at, t.id || ' ' || m.id) < ($key, $id)
     ORDER BY s.found_at DESC, t.id || ' ' || m.id DESC LIMIT $limit`,
  ),
);
const ofTrack = prepared((db: Db) =>
  db.$client.prepare<QuestionRow, { ownerId: LibraryId; trackId: string }>(
    `${QUESTION} ${OPEN} AND (s.track_id = $trackId OR s.other_id = $trackId)
     ORDER BY s.sound_kind IS NULL, s.found_at DESC, t.id LIMIT 50`,
  ),
);
const count = prepared((db: Db) =>
  db.$client.prepare<{ count: number }, { ownerId: LibraryId }>(`SELECT count(*) AS count ${OPEN}`),
);

/** Returns at most `limit` questions that were found before `key`, the newest first. */
export const listQuestionRows = (
  db: Db,
  asked: { ownerId: LibraryId; key: number; id: string; limit: number },
): QuestionRow[] => page(db).all(asked);

/** Returns the questions about a track and its others. */
export const questionsOf = (db: Db, ownerId: LibraryId, trackId: string): QuestionRow[] =>
  ofTrack(db).all({ ownerId, trackId });

/** Returns how many questions a library is asked. */
export const countQuestionRows = (db: Db, ownerId: LibraryId): number =>
  count(db).get({ ownerId })?.count ?? 0;

/** A track that joined a family by itself. */
export type KeptRow = {
  id: string;
  name: string;
  title: string | null;
  kind: FamilyKind;
  part: StemPart | null;
  editSec: number | null;
  mainId: string;
  mainName: string;
  mainTitle: string | null;
  isHidden: 0 | 1;
  joinedAt: number;
};

const kept = prepared((db: Db) =>
  db.$client.prepare<KeptRow, { ownerId: LibraryId; key: number; id: string; limit: number; since: number }>(
    `SELECT t.id, t.name, t.title, m.kind, m.part, m.edit_sec AS editSec, o.id AS mainId, o.name AS mainName,
       o.title AS mainTitle, m.hidden_from_links AS isHidden, m.joined_at AS joinedAt
     FROM families f JOIN family_members m ON m.family_id = f.id JOIN tracks t ON t.id = m.track_id
     JOIN tracks o ON o.id = f.main_track_id
     WHERE f.owner_id = $ownerId AND m.joined_by = 'name_and_sound' AND m.joined_at >= $since AND t.id <> o.id
       AND t.deleted_at IS NULL AND t.in_inbox = 0 AND o.deleted_at IS NULL AND o.in_inbox = 0
       AND (m.joined_at, t.id) < ($key, $id)
     ORDER BY m.joined_at DESC, t.id DESC LIMIT $limit`,
  ),
);

/** Returns at most `limit` tracks that joined families by themselves before `key`, the newest first. */
export const listKeptRows = (
  db: Db,
  asked: { ownerId: LibraryId; key: number; id: string; limit: number; since: number },
): KeptRow[] => kept(db).all(asked);

const liveLink = prepared((db: Db) =>
  db.$client.prepare<{ is: 0 | 1 }, { trackId: string }>(
    `SELECT EXISTS (SELECT 1 FROM shares s WHERE s.entity = 'track' AND s.whole_family = 1 AND s.entity_id IN (
       SELECT m.track_id FROM family_members own JOIN family_members m ON m.family_id = own.family_id
       WHERE own.track_id = $trackId UNION SELECT $trackId)) AS "is"`,
  ),
);

/** True when a link shows the whole family of a track. */
export const isOnLinks = (db: Db, trackId: string): boolean => liveLink(db).get({ trackId })?.is === 1;

type Comparison = { shortId: number; longId: number; rules: string; compared: Compared };

const comparison = prepared((db: Db) =>
  db.$client.prepare<{ compared: string }, [number, number, string]>(
    "SELECT compared FROM kinship_comparisons WHERE short_id = ? AND long_id = ? AND rules = ?",
  ),
);
const insertComparison = prepared((db: Db) =>
  db.$client.prepare<unknown, [number, number, string, string]>(
    `INSERT INTO kinship_comparisons (short_id, long_id, rules, compared)
     SELECT ?1, ?2, ?3, ?4 FROM recordings one JOIN recordings other ON one.id = ?1 AND other.id = ?2
     WHERE true ON CONFLICT DO UPDATE SET rules = excluded.rules, compared = excluded.compared`,
  ),
);

/** Returns how two recordings compare, as far as that is known by the same rules. */
export function findCompared(db: Db, shortId: number, longId: number, rules: string): Compared | undefined {
  const row = comparison(db).get(shortId, longId, rules);
  return row ? (JSON.parse(row.compared) as Compared) : undefined;
}

/** Remembers how two recordings compare, unless one of them is no longer there. */
export function putCompared(db: Db, { shortId, longId, rules, compared }: Comparison): void {
  insertComparison(db).run(shortId, longId, rules, JSON.stringify(compared));
}
