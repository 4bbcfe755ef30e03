import type { Db } from "../../../../db/client.ts";
import type { FamilyKind, LibraryId, StemPart } from "../../../../db/schema.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { getOwnedTrack } from "../catalog/service.ts";
import * as queries from "./queries.ts";
import { MAX_FAMILY_MEMBERS, MAX_STEMS } from "./shapes.ts";

/** A track that joins the family of another one, and what it is there. */
export type Joining = {
  ownerId: LibraryId;
  trackId: string;
  /** The other track: its family, or the main mix of a new one. */
  withId: string;
  kind: FamilyKind;
  /** Of a stem. */
  part?: StemPart | null;
  /** The length of an edit. */
  editSec?: number | null;
  /** Undefined: as it is. */
  hiddenFromLinks?: boolean;
  joinedBy: "owner" | "name_and_sound";
  at: number;
};

/**
 * Puts a track into the family of another one, which becomes the main mix of a new family when it has none. A member of that
 * family changes its kind; one of another family moves. A whole song of kind `main` becomes the main mix. Call it inside a
 * transaction.
 *
 * @throws DomainError `track_not_found`; `validation_failed` for one track twice, or a part of what is no stem; `family_full`.
 */
export function join(tx: Db, joining: Joining): void {
  const { ownerId, trackId, withId, kind, part = null, editSec = null, joinedBy, at } = joining;
  for (const id of [trackId, withId]) getOwnedTrack(tx, ownerId, id);
  if (trackId === withId) throw invalidField("with", "same", "must be another track");
  if (part !== null && kind !== "stem") throw invalidField("part", "not_a_stem", "is said of stems only");
  const before = queries.findMember(tx, trackId);
  const familyId = queries.findMember(tx, withId)?.familyId ?? begin(tx, ownerId, withId, at);
  const stays = before?.familyId === familyId;
  const place = {
    trackId,
    familyId,
    kind,
    part,
    editSec,
    joinedBy: stays ? before.joinedBy : joinedBy,
    hiddenFromLinks: joining.hiddenFromLinks ?? before?.hiddenFromLinks ?? false,
    joinedAt: stays ? before.joinedAt : at,
  };
  queries.putMember(tx, place);
  requireRoom(tx, familyId);
  if (kind === "main" && editSec === null) queries.setMain(tx, familyId, trackId);
  queries.noteJoined(tx, { trackId, familyId, at });
}

/** Makes a family with a track as its main mix. It has one member until another one joins in the same transaction. */
function begin(tx: Db, ownerId: LibraryId, trackId: string, at: number): string {
  const familyId = newId("fam");
  queries.insertFamily(tx, { id: familyId, ownerId, mainTrackId: trackId, createdAt: at });
  const place = { trackId, familyId, kind: "main", part: null, editSec: null } as const;
  queries.putMember(tx, { ...place, joinedBy: "owner", hiddenFromLinks: false, joinedAt: at });
  return familyId;
}

function requireRoom(tx: Db, familyId: string): void {
  const places = queries.listPlaces(tx, familyId);
  const stems = places.filter(({ kind }) => kind === "stem").length;
  if (places.length > MAX_FAMILY_MEMBERS)
    throw new DomainError("family_full", `A set has at most ${MAX_FAMILY_MEMBERS} tracks`);
  if (stems > MAX_STEMS) throw new DomainError("family_full", `A set has at most ${MAX_STEMS} stems`);
}

/**
 * Takes a track out of its family and remembers that it does not belong there: nobody proposes it again. Does nothing without a
 * family. Call it inside a transaction. Returns true when it was in one.
 *
 * @throws DomainError `track_not_found`.
 */
export function leave(tx: Db, ownerId: LibraryId, trackId: string, at: number): boolean {
  getOwnedTrack(tx, ownerId, trackId);
  const place = queries.findMember(tx, trackId);
  if (place === undefined) return false;
  queries.noteRefused(tx, { trackId, familyId: place.familyId, at });
  queries.deleteMember(tx, trackId);
  return true;
}
