import { and, eq, ne } from "drizzle-orm";
import { type Db, prepared } from "../../../../db/client.ts";
import {
  type FamilyKind,
  families,
  familyMembers,
  type LibraryId,
  type StemPart,
} from "../../../../db/schema.ts";

export type MemberRow = typeof familyMembers.$inferSelect;
export type FamilyRow = typeof families.$inferSelect;

/** A member with what a list says of its track. */
export type ListedRow = {
  familyId: string;
  mainTrackId: string;
  trackId: string;
  name: string;
  title: string | null;
  kind: FamilyKind;
  part: StemPart | null;
  editSec: number | null;
  durationSec: number | null;
  versionId: string | null;
  joinedBy: MemberRow["joinedBy"];
  hiddenFromLinks: number;
  joinedAt: number;
  integratedLufs: number | null;
  /** Where it begins in the main mix. */
  offsetMs: number | null;
  residualDb: number | null;
  bpm: number | null;
} & StoredSum;

/** What the stems of a family added up to, as it is stored. */
export type StoredSum = Pick<
  FamilyRow,
  "stemsOf" | "stemsResidualDb" | "stemsLackPart" | "stemsLackDb" | "stemsLackFromHz" | "stemsLackToHz"
>;

const listed = prepared((db: Db) =>
  db.$client.prepare<ListedRow, { ownerId: LibraryId; trackId: string }>(
    `SELECT f.id AS familyId, f.main_track_id AS mainTrackId, m.track_id AS trackId, t.name, t.title, m.kind, m.part,
       m.edit_sec AS editSec, t.duration_sec AS durationSec, t.bpm, t.active_version_id AS versionId, m.joined_by AS joinedBy,
       m.hidden_from_links AS hiddenFromLinks, m.joined_at AS joinedAt, a.integrated_lufs AS integratedLufs,
       iif(s.track_id = f.main_track_id, s.offset_ms, -s.offset_ms) AS offsetMs, s.residual_db AS residualDb,
       f.stems_of AS stemsOf, f.stems_residual_db AS stemsResidualDb, f.stems_lack_part AS stemsLackPart,
       f.stems_lack_db AS stemsLackDb, f.stems_lack_from_hz AS stemsLackFromHz, f.stems_lack_to_hz AS stemsLackToHz
     FROM family_members own CROSS JOIN families f ON f.id = own.family_id
     CROSS JOIN family_members m ON m.family_id = f.id CROSS JOIN tracks t ON t.id = m.track_id LEFT JOIN analyses a ON a.version_id = t.analysis_version_id
     LEFT JOIN family_signs s ON s.track_id = min(m.track_id, f.main_track_id) AND s.other_id = max(m.track_id, f.main_track_id)
     WHERE own.track_id = $trackId AND f.owner_id = $ownerId AND t.owner_id = $ownerId
       AND t.deleted_at IS NULL AND t.in_inbox = 0`,
  ),
);

/** Returns what is in the library of a track's family, in no order; nothing without one. */
export const listMembers = (db: Db, ownerId: LibraryId, trackId: string): ListedRow[] =>
  listed(db).all({ ownerId, trackId });

/** Returns a track's place in its family, or undefined without one. */
export function findMember(db: Db, trackId: string): MemberRow | undefined {
  // Most tracks are in none, and each reading of a track asks.
  if (!isMember(db).get(trackId)) return undefined;
  return db.select().from(familyMembers).where(eq(familyMembers.trackId, trackId)).get();
}
const isMember = prepared((db: Db) =>
  db.$client.prepare<{ one: number }, [string]>("SELECT 1 AS one FROM family_members WHERE track_id = ?1"),
);

export function findFamily(db: Db, familyId: string): FamilyRow | undefined {
  return db.select().from(families).where(eq(families.id, familyId)).get();
}

/** Returns the places of all members, also of those in the bin. */
export function listPlaces(db: Db, familyId: string): MemberRow[] {
  return db.select().from(familyMembers).where(eq(familyMembers.familyId, familyId)).all();
}

export function insertFamily(tx: Db, row: typeof families.$inferInsert): void {
  tx.insert(families).values(row).run();
}

/** Puts a track where the row says, wherever it was. A trigger looks after the family that it leaves. */
export function putMember(tx: Db, row: MemberRow): void {
  const before = findMember(tx, row.trackId);
  if (before !== undefined && before.familyId !== row.familyId) deleteMember(tx, row.trackId);
  tx.insert(familyMembers).values(row).onConflictDoUpdate({ target: familyMembers.trackId, set: row }).run();
}

/** Takes a track out of its family. A trigger finds another main mix, and ends a family of one. */
export function deleteMember(tx: Db, trackId: string): void {
  tx.delete(familyMembers).where(eq(familyMembers.trackId, trackId)).run();
}

/** Makes a member the main mix. */
export function setMain(tx: Db, familyId: string, trackId: string): void {
  tx.update(families)
    .set({ mainTrackId: trackId })
    .where(and(eq(families.id, familyId), ne(families.mainTrackId, trackId)))
    .run();
}

export function setKind(tx: Db, trackId: string, kind: FamilyKind): void {
  tx.update(familyMembers).set({ kind }).where(eq(familyMembers.trackId, trackId)).run();
}

/** Gives the families of an account to another one. */
export function giveFamilies(tx: Db, from: string, to: string): void {
  tx.update(families).set({ ownerId: to }).where(eq(families.ownerId, from)).run();
}

/** Stores what the stems of a family add up to. */
export function putSum(tx: Db, familyId: string, sum: StoredSum): void {
  tx.update(families).set(sum).where(eq(families.id, familyId)).run();
}

type Decided = { trackId: string; familyId: string; at: number };

const PAIRS = `(track_id = $trackId AND other_id IN (SELECT track_id FROM family_members WHERE family_id = $familyId)
  OR other_id = $trackId AND track_id IN (SELECT track_id FROM family_members WHERE family_id = $familyId))`;

const joined = prepared((db: Db) =>
  db.$client.prepare<unknown, Decided>(
    `UPDATE family_signs SET state = 'joined', decided_at = $at WHERE state <> 'joined' AND ${PAIRS}`,
  ),
);
const refused = prepared((db: Db) =>
  db.$client.prepare<unknown, Decided>(
    `INSERT INTO family_signs (track_id, other_id, rules, state, decided_at)
     SELECT min(track_id, $trackId), max(track_id, $trackId), 'owner', 'refused', $at
     FROM family_members WHERE family_id = $familyId AND track_id <> $trackId
     ON CONFLICT (track_id, other_id) DO UPDATE SET state = 'refused', decided_at = $at`,
  ),
);

const reopened = prepared((db: Db) =>
  db.$client.prepare<unknown, Omit<Decided, "at">>(
    `UPDATE family_signs SET state = 'open', decided_at = NULL WHERE state = 'joined' AND rules <> 'owner' AND ${PAIRS}`,
  ),
);

/** Asks again of a track and the members of a family, where something spoke for it. */
export const noteOpen = (tx: Db, pair: Omit<Decided, "at">): void => void reopened(tx).run(pair);

/** Notes that a track and the members of a family belong together. */
export const noteJoined = (tx: Db, decided: Decided): void => void joined(tx).run(decided);

/** Remembers that a track and the members of a family do not belong together: nobody asks again. */
export const noteRefused = (tx: Db, decided: Decided): void => void refused(tx).run(decided);

const links = prepared((db: Db) =>
  db.$client.prepare<{ count: number }, { trackId: string; at: number }>(
    `SELECT count(*) AS count FROM shares s
     WHERE s.whole_family = 1 AND s.entity_id IN (SELECT $trackId UNION SELECT m.track_id FROM family_members own
       JOIN family_members m ON m.family_id = own.family_id WHERE own.track_id = $trackId)
     AND s.revoked_at IS NULL AND ifnull(s.turned, 'on') = 'on' AND (s.expires_at IS NULL OR s.expires_at > $at)
     AND (s.max_uses IS NULL OR s.uses < s.max_uses)`,
  ),
);

/** Counts the links that show the whole family of a track now, or will by themselves. */
export const countLinks = (db: Db, trackId: string, at: number): number =>
  links(db).get({ trackId, at })?.count ?? 0;
