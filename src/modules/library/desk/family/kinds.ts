import type { LibraryId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { findTrackRow, getOwnedTrack, titleOf } from "../../catalog/service.ts";
import type { NamedKind } from "../../families/shapes.ts";
import { readKind, readName } from "../../uploads/service.ts";

/**
 * Returns what tracks are of their song by their names, for somebody to correct: `main` where a name says nothing.
 *
 * @throws DomainError `track_not_found`.
 */
export function namedKinds(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  trackIds: readonly string[],
): NamedKind[] {
  return trackIds.map((trackId) => {
    const { name } = getOwnedTrack(db, ownerId, trackId);
    const title = findTrackRow(db, trackId)?.title ?? null;
    const readings = [name, ...(title === null ? [] : [title])].map((each) => readKind(readName(each).song));
    const said = readings.find(({ kind, isEdit }) => kind !== null || isEdit);
    const kind = said?.kind ?? "main";
    const part = kind === "stem" ? (said?.part ?? "other") : null;
    return { trackId, title: titleOf({ name, title }), kind, part, editSec: said?.editSec ?? null };
  });
}
