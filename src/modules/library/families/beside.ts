import { type Db, prepared } from "../../../../db/client.ts";
import type { FamilyKind, LibraryId, StemPart } from "../../../../db/schema.ts";
import { FAMILY_KINDS, STEM_PARTS } from "./shapes.ts";

/** Another member of a track's family. */
type MemberBeside = {
  trackId: string;
  title: string;
  kind: FamilyKind;
  part: StemPart | null;
  editSec: number | null;
};

type Row = MemberBeside & { ofId: string; isMain: 0 | 1 };

const beside = prepared((db: Db) =>
  db.$client.prepare<Row, { ownerId: LibraryId; ids: string }>(
    `SELECT own.track_id AS ofId, m.track_id AS trackId, coalesce(t.title, t.name) AS title, m.kind, m.part,
       m.edit_sec AS editSec, m.track_id = f.main_track_id AS isMain
     FROM json_each($ids) list CROSS JOIN family_members own ON own.track_id = list.value
     CROSS JOIN families f ON f.id = own.family_id CROSS JOIN family_members m ON m.family_id = f.id
     CROSS JOIN tracks t ON t.id = m.track_id
     WHERE f.owner_id = $ownerId AND t.owner_id = $ownerId AND m.track_id <> own.track_id
       AND t.deleted_at IS NULL AND t.in_inbox = 0
     ORDER BY m.joined_at, m.track_id`,
  ),
);

/**
 * Returns what else of their families is in the library, by the ids of tracks: the main mix first, then kinds, edits from
 * the longest, stems by part. Tracks without a family are left out.
 */
export function membersBeside(
  db: Db,
  ownerId: LibraryId,
  trackIds: readonly string[],
): Map<string, MemberBeside[]> {
  const rows = beside(db).all({ ownerId, ids: JSON.stringify(trackIds) });
  const groups = Map.groupBy(rows.toSorted(byPlace), ({ ofId }) => ofId);
  return new Map(
    Array.from(groups, ([id, members]) => [id, members.map(({ ofId: _, isMain: __, ...member }) => member)]),
  );
}

const byPlace = (a: Row, b: Row): number => {
  const [one, two] = [placeOf(a), placeOf(b)];
  const at = one.findIndex((value, index) => value !== two[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (two[at] ?? 0);
};

function placeOf({ kind, part, editSec, isMain }: Row): readonly number[] {
  if (isMain === 1) return [0, 0, 0];
  if (kind === "stem") return [3, part === null ? STEM_PARTS.length : STEM_PARTS.indexOf(part), 0];
  const byKind = FAMILY_KINDS.indexOf(kind);
  return editSec === null ? [1, byKind, 0] : [2, -editSec, byKind];
}
