import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { emit } from "../../../../kernel/events.ts";
import { findOwnedTrack } from "../../catalog/service.ts";
import { familyOf, join, type ReplacedPlace, undoPlace } from "../../families/service.ts";
import type { KeepTogether } from "../../families/shapes.ts";

/** What a change did to a track's place in families. */
export type FamilyStep = { kind: "family"; replaced: ReplacedPlace };

/** A track, and when it is changed. */
export type Target = { ownerId: LibraryId; trackId: string; at: number };

/**
 * Puts a track into the family of the main mix, as one of many. A member stays what it is when nothing else is asked for. Call it
 * inside a transaction. Returns undefined when nothing is different.
 *
 * @throws DomainError `track_not_found`, `validation_failed`, `family_full`.
 */
export function keepTogether(
  tx: Db,
  target: Target,
  { mainTrackId, kinds = {} }: KeepTogether,
): FamilyStep | undefined {
  const { ownerId, trackId } = target;
  const isMain = trackId === mainTrackId;
  const family = familyOf(tx, ownerId, trackId);
  // The main mix begins a family with the first other one.
  if (isMain && (family === undefined || family.mainTrackId === trackId)) return undefined;
  const asked = kinds[trackId];
  const own = family?.members.find((member) => member.trackId === trackId);
  const stays = family?.members.some((member) => member.trackId === mainTrackId) ? own : undefined;
  const place = isMain
    ? ({ kind: "main" } as const)
    : typeof asked === "string"
      ? { kind: asked }
      : (asked ?? placeOf(stays) ?? ({ kind: "other" } as const));
  const withId = isMain ? (family?.mainTrackId ?? "") : mainTrackId;
  const replaced = join(tx, { ...target, ...place, withId, joinedBy: "owner" });
  if (!replaced) return undefined;
  announce(tx, target);
  return { kind: "family", replaced };
}

const placeOf = (member: NonNullable<ReturnType<typeof familyOf>>["members"][number] | undefined) =>
  member && { kind: member.kind, part: member.part, editSec: member.editSec };

/** Tells that a track is in another family, or another member of it. */
export function announce(tx: Db, { ownerId, trackId, at }: Target): void {
  const name = findOwnedTrack(tx, ownerId, trackId)?.name ?? "";
  emit(tx, ownerId, "track.updated", { trackId, name, changed: ["family"] }, at);
}

/** Puts a track back where it was, unless that was changed since. Call it inside a transaction. */
export function undoFamily(tx: Db, target: Target, { replaced }: FamilyStep): void {
  if (undoPlace(tx, target, replaced)) announce(tx, target);
}
