import type { Db } from "../../../../db/client.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { findVersion, type OwnedTrack, type VersionRow } from "../../library/catalog/service.ts";
import * as queries from "./queries.ts";
import { type Comment, MIN_RANGE_SEC, type UpdateComment } from "./shapes.ts";

/** Returns a version of a track: the one that is named, or the active one. @throws DomainError `version_not_found`. */
export function versionOf(tx: Db, track: OwnedTrack, versionId = track.activeVersionId): VersionRow {
  const version = findVersion(tx, versionId);
  if (version?.trackId === track.id) return version;
  throw new DomainError("version_not_found", "The track has no such version");
}

/** Returns the version that was heard, or the active one when the track does not have that any more. */
export function heardOrActive(tx: Db, track: OwnedTrack, versionId: string | undefined): VersionRow {
  const heard = versionId === undefined ? undefined : findVersion(tx, versionId);
  return heard?.trackId === track.id ? heard : versionOf(tx, track);
}

/** Returns what a version is called. */
export const labelOf = ({ label, versionOrder }: Pick<VersionRow, "label" | "versionOrder">): string =>
  label ?? (versionOrder === 0 ? "Original" : `Version ${versionOrder + 1}`);

/** Returns the length of a version in seconds, or null while it is not known. */
export function lengthOf(tx: Db, track: OwnedTrack, { id }: Pick<VersionRow, "id">): number | null {
  // Until the track's first analysis, its length is what its only file says.
  const said = track.analysisVersionId === null && id === track.activeVersionId ? track.durationSec : null;
  return queries.findLength(tx, id) ?? said;
}

/** A moment or a range of a version; null: the whole of it. */
export type Span = { positionSec: number | null; endSec: number | null };

/**
 * Passes for a moment, or a range of at least {@link MIN_RANGE_SEC}, within a version. @param lengthSec Null: not known yet.
 *
 * @throws DomainError `validation_failed`.
 */
export function checkSpan({ positionSec, endSec }: Span, lengthSec: number | null, below = ""): void {
  const last = lengthSec ?? Number.POSITIVE_INFINITY;
  if (positionSec !== null && !(positionSec >= 0 && positionSec <= last))
    throw invalidField(`${below}positionSec`, "maximum", "must be within the track");
  if (endSec === null) return;
  if (positionSec === null)
    throw invalidField(`${below}endSec`, "no_start", "needs `positionSec`, where the range begins");
  if (endSec > last) throw invalidField(`${below}endSec`, "maximum", "must be within the track");
  if (!isRange(positionSec, endSec))
    throw invalidField(
      `${below}endSec`,
      "minimum",
      `must be at least ${MIN_RANGE_SEC} s after \`positionSec\``,
    );
}

/** In whole milliseconds: 0.3 less 0.2 is a little less than 0.1. */
const isRange = (start: number, end: number) =>
  Math.round((end - start) * 1000) >= Math.round(MIN_RANGE_SEC * 1000);

/** The version whose places are asked for, and its length if it is known. */
export type PlacedIn = { versionId: string; lengthSec: number | null };

/**
 * Returns where a note is in a version. While nothing is written of it, as before the version is analysed, it is at about the same
 * second, or at the end of a shorter version. Undefined for what has no place of its own.
 */
export function placeOf(
  row: queries.CommentRow,
  { versionId, lengthSec }: PlacedIn,
): Comment["place"] | undefined {
  const { positionSec, endSec, parentId, deletedAt, place } = row;
  if (positionSec === null || parentId !== null || deletedAt !== null) return undefined;
  if (place) return { positionSec: place.atSec, endSec: place.endSec, how: place.how };
  if (row.versionId === versionId) return { positionSec, endSec, how: "heard" };
  return { ...cutSpan({ positionSec, endSec }, lengthSec), how: "about" };
}

/** Returns the part of a moment or range that is within a version. A range of which less than the shortest is left is a moment. */
export function cutSpan({ positionSec, endSec }: Span, lengthSec: number | null): Span {
  if (positionSec === null) return { positionSec, endSec };
  const last = lengthSec ?? Number.POSITIVE_INFINITY;
  const start = Math.min(positionSec, last);
  const end = endSec === null ? null : Math.min(endSec, last);
  return { positionSec: start, endSec: end !== null && isRange(start, end) ? end : null };
}

/**
 * Puts a note by hand where it belongs in a version other than the one that was heard. Unless the end of a range is given, the note
 * is as long there as it was.
 *
 * @throws DomainError `version_not_found`; `validation_failed` for a note that has no position, in the version that was heard, and
 *   outside the version.
 */
export function placeNote(
  tx: Db,
  track: OwnedTrack,
  note: queries.CommentRow,
  { versionId, positionSec, endSec }: NonNullable<UpdateComment["place"]>,
): PlacedIn {
  const version = versionOf(tx, track, versionId);
  if (note.positionSec === null)
    throw invalidField("place", "no_position", "is of notes with a position: this one is on the whole track");
  // Where it was heard it is already, unless that version is only what plays in the place of one that is gone.
  if (note.versionId === version.id && !queries.findPlace(tx, note.id, version.id))
    throw invalidField("place.versionId", "heard", "must be another version: in this one the note was heard");
  const lengthSec = lengthOf(tx, track, version);
  checkSpan({ positionSec, endSec: endSec ?? null }, lengthSec, "place.");
  const ownEnd = note.endSec === null ? null : positionSec + (note.endSec - note.positionSec);
  const span = cutSpan({ positionSec, endSec: endSec === undefined ? ownEnd : endSec }, lengthSec);
  const place = { atSec: span.positionSec, endSec: span.endSec, how: "placed" as const };
  queries.putPlace(tx, { commentId: note.id, versionId: version.id, ...place });
  return { versionId: version.id, lengthSec };
}
