import type { Db } from "../../../../db/client.ts";
import type { FamilyKind, LibraryId, StemPart } from "../../../../db/schema.ts";
import { titleOf } from "../catalog/service.ts";
import { type ListedRow, listMembers } from "./queries.ts";
import { FAMILY_KINDS, STEM_PARTS } from "./shapes.ts";

/** One track of a family. */
export type FamilyMember = {
  trackId: string;
  title: string;
  kind: FamilyKind;
  /** Of a stem. */
  part: StemPart | null;
  /** The length of an edit; null for the whole song. */
  editSec: number | null;
  durationSec: number | null;
  /** The active version. */
  versionId: string | null;
  joinedBy: "owner" | "name_and_sound";
  hiddenFromLinks: boolean;
  /** How it lies in the main mix; null for the main mix and for what the sound says nothing of. */
  sound: { offsetMs: number; residualDb: number | null } | null;
};

/** What is in the library of one song: neither in the bin nor in the Inbox. */
export type Family = {
  id: string;
  /** One of the members. While the main mix is in the bin, it is the oldest whole song. */
  mainTrackId: string;
  /** The main mix first, then kinds, edits by length, stems by part. */
  members: FamilyMember[];
};

/** Returns the family of an account's track, or undefined without one. */
export function familyOf(db: Db, ownerId: LibraryId, trackId: string): Family | undefined {
  const rows = listMembers(db, ownerId, trackId);
  const [first] = rows;
  if (first === undefined || !rows.some((row) => row.trackId === trackId)) return undefined;
  const mainTrackId = mainOf(rows);
  const members = rows.sort(byPlace(mainTrackId)).map((row) => memberOf(row, mainTrackId));
  return { id: first.familyId, mainTrackId, members };
}

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
  const { trackId, kind, part, editSec, durationSec, versionId, joinedBy, offsetMs, residualDb } = row;
  const isMeasured = trackId !== mainTrackId && row.mainTrackId === mainTrackId && offsetMs !== null;
  return {
    trackId,
    title: titleOf(row),
    kind,
    part,
    editSec,
    durationSec,
    versionId,
    joinedBy,
    hiddenFromLinks: Boolean(row.hiddenFromLinks),
    sound: isMeasured ? { offsetMs, residualDb } : null,
  };
}
