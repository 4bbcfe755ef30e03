import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Reach } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { roomTracks } from "../../people/rooms/service.ts";
import { getOwnedTrack, titleOf } from "../catalog/service.ts";
import { countLinks, findMember, type ListedRow, listMembers } from "./queries.ts";
import {
  FAMILY_KINDS,
  type FamilyMember,
  type FamilySummary,
  STEM_PARTS,
  type StemSum,
  type TrackFamily,
} from "./shapes.ts";
import { sumOf } from "./sum.ts";

/** What is in the library of one song: neither in the bin nor in the Inbox. */
export type Family = {
  id: string;
  /** One of the members. While the main mix is in the bin, it is the oldest whole song. */
  mainTrackId: string;
  /** The main mix first, then kinds, edits by length, stems by part. */
  members: FamilyMember[];
  /** Null: not measured as it is now. */
  stemSum: StemSum | null;
};

/**
 * Returns the family of an account's track, or undefined without one.
 *
 * @param reached The tracks that somebody sees, where that is not the whole library.
 */
export function familyOf(
  db: Db,
  ownerId: LibraryId,
  trackId: string,
  reached?: ReadonlySet<string>,
): Family | undefined {
  const all = listMembers(db, ownerId, trackId);
  const rows = reached ? all.filter((row) => reached.has(row.trackId)) : all;
  const [first] = rows;
  if (first === undefined || !rows.some((row) => row.trackId === trackId)) return undefined;
  const mainTrackId = mainOf(rows);
  const members = rows.sort(byPlace(mainTrackId)).map((row) => memberOf(row, mainTrackId));
  return { id: first.familyId, mainTrackId, members, stemSum: sumOf(rows) };
}

/**
 * Returns the set of a track that somebody reaches.
 *
 * @throws DomainError `track_not_found`.
 */
export function readFamily(
  deps: Pick<Deps, "db" | "now">,
  { accountId: ownerId, ...reach }: Reach & { accountId: LibraryId },
  trackId: string,
): TrackFamily {
  getOwnedTrack(deps.db, ownerId, trackId);
  const family = familyOf(deps.db, ownerId, trackId, roomTracks(deps, reach));
  return toWire(family, reach.rooms ? 0 : countLinks(deps.db, trackId, deps.now()));
}

/** Returns what a track is in its set, as far as somebody reaches it; undefined without one. */
export function summaryOf(
  deps: Pick<Deps, "db">,
  { accountId: ownerId, ...reach }: Reach & { accountId: LibraryId },
  trackId: string,
): FamilySummary | undefined {
  if (!findMember(deps.db, trackId)) return undefined;
  const family = familyOf(deps.db, ownerId, trackId, roomTracks(deps, reach));
  const own = family?.members.find((member) => member.trackId === trackId);
  return (
    family && own && { id: family.id, kind: own.kind, editSec: own.editSec, size: family.members.length }
  );
}

/** Returns a family as answers have it. */
export const toWire = (family: Family | undefined, liveLinks: number): TrackFamily => ({
  familyId: family?.id ?? null,
  mainTrackId: family?.mainTrackId ?? null,
  members: family?.members ?? [],
  ...(family?.stemSum && { stemSum: family.stemSum }),
  liveLinks,
});

/** Returns the main mix, or the one that takes its place while it is in the bin: by the order of the trigger. */
function mainOf(rows: readonly ListedRow[]): string {
  const main = rows.find(({ trackId, mainTrackId }) => trackId === mainTrackId);
  const isPiece = ({ editSec, kind }: ListedRow) => Number(editSec !== null || kind === "stem");
  const [heir] = [...rows].sort(
    (a, b) => isPiece(a) - isPiece(b) || a.joinedAt - b.joinedAt || (a.trackId < b.trackId ? -1 : 1),
  );
  return (main ?? heir)?.trackId ?? "";
}

const byPlace = (mainTrackId: string) => (a: ListedRow, b: ListedRow) => {
  const [one, two] = [placeOf(a, mainTrackId), placeOf(b, mainTrackId)];
  const at = one.findIndex((part, index) => part !== two[index]);
  return at < 0 ? (a.trackId < b.trackId ? -1 : 1) : (one[at] ?? 0) - (two[at] ?? 0);
};

/** The numbers by which a list of members is ordered. */
function placeOf({ trackId, kind, part, editSec, joinedAt }: ListedRow, mainTrackId: string): number[] {
  if (trackId === mainTrackId) return [0];
  const byKind = FAMILY_KINDS.indexOf(kind);
  if (kind === "stem") return [3, part === null ? STEM_PARTS.length : STEM_PARTS.indexOf(part), joinedAt];
  return editSec === null ? [1, byKind, joinedAt] : [2, -editSec, byKind, joinedAt];
}

function memberOf(row: ListedRow, mainTrackId: string): FamilyMember {
  const { trackId, kind, part, editSec, durationSec, bpm, integratedLufs, versionId, joinedBy } = row;
  const { offsetMs, residualDb } = row;
  const isMeasured = trackId !== mainTrackId && row.mainTrackId === mainTrackId && offsetMs !== null;
  return {
    trackId,
    title: titleOf(row),
    kind,
    part,
    editSec,
    durationSec,
    integratedLufs,
    versionId,
    bpm,
    joinedBy,
    hiddenFromLinks: Boolean(row.hiddenFromLinks),
    sound: isMeasured ? { offsetMs, residualDb } : null,
  };
}
