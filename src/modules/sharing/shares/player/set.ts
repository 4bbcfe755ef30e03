import type { Db } from "../../../../../db/client.ts";
import { familyOf } from "../../../library/families/service.ts";
import { type FamilyMember, kindWords } from "../../../library/families/shapes.ts";
import { findTrack, type Opened, type SharedTrackRow } from "../page-queries.ts";
import { selectSet } from "../set-queries.ts";

/** A track that a page shows. `kind`: what it is in its set, such as `Instrumental, 30 s`. */
export type OpenedTrack = { row: SharedTrackRow; kind: string | undefined };

/** Returns the track of a link, or with all of its set: the main mix first. */
export function openedWith(db: Db, opened: Opened): OpenedTrack[] {
  if (opened.wholeFamily)
    return setOf(db, opened, selectSet(db, opened)).map(({ row, member }) => ({
      row,
      kind: member && kindWords(member),
    }));
  const track = findTrack(db, opened);
  return track ? [{ row: track, kind: undefined }] : [];
}

/** A row of what a link to a whole family shows, with what it is there; undefined where its track is in no family any more. */
type InSet<Row> = { id: string; row: Row; member: FamilyMember | undefined };

/**
 * Puts the rows that a link to a whole family shows in order: the main mix first. It is the link's own track where the main mix is
 * kept off links.
 */
export function setOf<Row extends { id: string } | { trackId: string }>(
  db: Db,
  { entityId, ownerId }: Opened,
  rows: readonly Row[],
): InSet<Row>[] {
  const family = familyOf(db, ownerId, entityId);
  const byId = new Map(rows.map((row) => ["trackId" in row ? row.trackId : row.id, row]));
  const inOrder = (family?.members ?? []).flatMap((member) => {
    const row = byId.get(member.trackId);
    return row === undefined ? [] : [{ id: member.trackId, row, member }];
  });
  const own = byId.get(entityId);
  if (inOrder.length === 0) return own === undefined ? [] : [{ id: entityId, row: own, member: undefined }];
  if (inOrder[0]?.id === family?.mainTrackId) return inOrder;
  return [...inOrder.filter(({ id }) => id === entityId), ...inOrder.filter(({ id }) => id !== entityId)];
}

/** Returns the folder of an archive for a member: by its kind. */
export function kindFolder(place: InSet<unknown> | undefined): string {
  const { member } = place ?? {};
  if (!member) return "";
  const name = member.kind === "stem" ? "Stems" : kindWords({ kind: member.kind, part: null, editSec: null });
  return `${name}/`;
}
