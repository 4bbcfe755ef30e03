import type { Db } from "../../../../db/client.ts";
import type { FamilyKind, LibraryId, StemPart } from "../../../../db/schema.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { findOwnerId, findTrackRow, getOwnedTrack } from "../catalog/service.ts";
import * as queries from "./queries.ts";
import { MAX_FAMILY_MEMBERS, MAX_STEMS } from "./shapes.ts";
import { requestSum } from "./sum.ts";

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

/** What a change of a track's place in families replaced and wrote, for {@link undoPlace}. */
export type ReplacedPlace = {
  before: FormerPlace | null;
  /** Null: in no family. */
  after: queries.MemberRow | null;
  /** The main mix that it took the place of. */
  mainBefore: { trackId: string; kind: FamilyKind } | null;
};
/** Where a track was in its family. */
export type FormerPlace = {
  place: queries.MemberRow;
  family: queries.FamilyRow;
  /** The other one of two: without the track it is in no family either. */
  partner: queries.MemberRow | null;
};

/**
 * Puts a track into the family of another one, which becomes the main mix of a new family when it has none. A member of that
 * family changes its kind; one of another family moves. A whole song of kind `main` becomes the main mix. Call it inside a
 * transaction. Returns what it replaced; undefined when nothing is different.
 *
 * @throws DomainError `track_not_found`; `validation_failed` for one track twice, or a part of what is no stem; `family_full`.
 */
export function join(tx: Db, joining: Joining): ReplacedPlace | undefined {
  const { ownerId, trackId, withId, kind, part = null, editSec = null, joinedBy, at } = joining;
  check(tx, joining);
  const there = queries.findMember(tx, withId)?.familyId;
  // Before anything is written: one of many tracks may be refused, and the others are not.
  if (there !== undefined) requireRoom(tx, there, joining);
  const before = formerPlace(tx, trackId);
  const familyId = there ?? begin(tx, ownerId, withId, at);
  const former = before?.place;
  const stays = former?.familyId === familyId;
  const after = {
    trackId,
    familyId,
    kind,
    part,
    editSec,
    joinedBy: stays ? former.joinedBy : joinedBy,
    hiddenFromLinks: joining.hiddenFromLinks ?? former?.hiddenFromLinks ?? false,
    joinedAt: stays ? former.joinedAt : at,
  };
  queries.putMember(tx, after);
  const mainBefore = kind === "main" && editSec === null ? makeMain(tx, familyId, trackId) : null;
  queries.noteJoined(tx, { trackId, familyId, at });
  for (const id of new Set([familyId, former?.familyId ?? familyId])) requestSum(tx, id, at);
  if (former && isSame(former, after) && !mainBefore) return undefined;
  return { before: before ?? null, after, mainBefore };
}

/** Makes a member the main mix. Returns the one before it, which is another mix from now on; null when it was that. */
function makeMain(tx: Db, familyId: string, trackId: string): ReplacedPlace["mainBefore"] {
  const former = queries.findFamily(tx, familyId)?.mainTrackId;
  const place = former === undefined || former === trackId ? undefined : queries.findMember(tx, former);
  if (!place) return null;
  if (place.kind === "main" && place.editSec === null) queries.setKind(tx, place.trackId, "other");
  queries.setMain(tx, familyId, trackId);
  return { trackId: place.trackId, kind: place.kind };
}

function formerPlace(tx: Db, trackId: string): FormerPlace | undefined {
  const place = queries.findMember(tx, trackId);
  const family = place && queries.findFamily(tx, place.familyId);
  if (!family) return undefined;
  const others = queries.listPlaces(tx, family.id).filter((other) => other.trackId !== trackId);
  return { place, family, partner: others.length === 1 ? (others[0] ?? null) : null };
}

const SAID = ["familyId", "kind", "part", "editSec", "hiddenFromLinks"] as const;
const isSame = (one: queries.MemberRow, other: queries.MemberRow) =>
  SAID.every((field) => one[field] === other[field]);

function check(tx: Db, { ownerId, trackId, withId, kind, part = null }: Joining): void {
  for (const id of [trackId, withId]) getOwnedTrack(tx, ownerId, id);
  if (trackId === withId) throw invalidField("with", "same", "must be another track");
  if (part !== null && kind !== "stem") throw invalidField("part", "not_a_stem", "is said of stems only");
  for (const id of [trackId, withId])
    if (findTrackRow(tx, id)?.inInbox === true)
      throw invalidField("with", "in_inbox", "must not be in the Inbox any more");
}

/** Makes a family with a track as its main mix. It has one member until another one joins in the same transaction. */
function begin(tx: Db, ownerId: LibraryId, trackId: string, at: number): string {
  const familyId = newId("fam");
  queries.insertFamily(tx, { id: familyId, ownerId, mainTrackId: trackId, createdAt: at });
  const place = { trackId, familyId, kind: "main", part: null, editSec: null } as const;
  queries.putMember(tx, { ...place, joinedBy: "owner", hiddenFromLinks: false, joinedAt: at });
  return familyId;
}

function requireRoom(tx: Db, familyId: string, { trackId, kind }: Joining): void {
  const others = queries.listPlaces(tx, familyId).filter((place) => place.trackId !== trackId);
  if (others.length >= MAX_FAMILY_MEMBERS)
    throw new DomainError("family_full", `A set has at most ${MAX_FAMILY_MEMBERS} tracks`);
  if (kind === "stem" && others.filter((place) => place.kind === "stem").length >= MAX_STEMS)
    throw new DomainError("family_full", `A set has at most ${MAX_STEMS} stems`);
}

/**
 * Takes a track out of its family and remembers that it does not belong there: nobody proposes it again. Call it inside a
 * transaction. Returns what it replaced; undefined without a family.
 *
 * @throws DomainError `track_not_found`.
 */
export function leave(tx: Db, ownerId: LibraryId, trackId: string, at: number): ReplacedPlace | undefined {
  getOwnedTrack(tx, ownerId, trackId);
  const before = formerPlace(tx, trackId);
  if (before === undefined) return undefined;
  queries.noteRefused(tx, { trackId, familyId: before.family.id, at });
  queries.deleteMember(tx, trackId);
  requestSum(tx, before.family.id, at);
  return { before, after: null, mainBefore: null };
}

/**
 * Puts a track back where it was before a change, unless its place was changed since. Call it inside a transaction. Returns true
 * when it did.
 */
export function undoPlace(
  tx: Db,
  { ownerId, trackId, at }: Pick<Joining, "ownerId" | "trackId" | "at">,
  { before, after, mainBefore }: ReplacedPlace,
): boolean {
  if (!isAs(queries.findMember(tx, trackId) ?? null, after)) return false;
  if (after && mainBefore) giveMainBack(tx, after.familyId, trackId, mainBefore);
  if (before && (before.family.id === after?.familyId || isThere(tx, ownerId, before))) {
    queries.putMember(tx, before.place);
    if (before.family.mainTrackId === trackId) queries.setMain(tx, before.family.id, trackId);
    queries.noteJoined(tx, { trackId, familyId: before.family.id, at });
    requestSum(tx, before.family.id, at);
    return true;
  }
  if (after) queries.noteOpen(tx, { trackId, familyId: after.familyId });
  queries.deleteMember(tx, trackId);
  return true;
}

const isAs = (place: queries.MemberRow | null, after: queries.MemberRow | null) =>
  place === null || after === null ? place === after : isSame(place, after);

function giveMainBack(
  tx: Db,
  familyId: string,
  trackId: string,
  former: NonNullable<ReplacedPlace["mainBefore"]>,
): void {
  const isMain = queries.findFamily(tx, familyId)?.mainTrackId === trackId;
  if (!isMain || queries.findMember(tx, former.trackId)?.familyId !== familyId) return;
  queries.setKind(tx, former.trackId, former.kind);
  queries.setMain(tx, familyId, former.trackId);
}

/** Makes a family of two again where only one is left. Returns false when the other one is gone or elsewhere. */
function isThere(tx: Db, ownerId: LibraryId, { family, partner, place }: FormerPlace): boolean {
  if (queries.findFamily(tx, family.id)) return true;
  if (!partner || findOwnerId(tx, partner.trackId) !== ownerId || queries.findMember(tx, partner.trackId))
    return false;
  queries.deleteMember(tx, place.trackId);
  queries.insertFamily(tx, { ...family, ownerId });
  queries.putMember(tx, partner);
  return true;
}

/**
 * Gives a track the place of one whose versions it took, unless it has a place of its own. Call it inside a transaction. Returns
 * the place; undefined when it got none.
 */
export function takePlace(tx: Db, { from, to }: { from: string; to: string }): FormerPlace | undefined {
  const former = formerPlace(tx, from);
  if (!former || queries.findMember(tx, to)) return undefined;
  swapPlace(tx, former, { from, to });
  return former;
}

/** Undoes {@link takePlace}, unless the place was changed since. Call it inside a transaction. */
export function givePlaceBack(tx: Db, former: FormerPlace, { from, to }: { from: string; to: string }): void {
  const current = queries.findMember(tx, to);
  if (current?.familyId === former.family.id && !queries.findMember(tx, from))
    swapPlace(tx, { ...former, place: current }, { from: to, to: from });
}

/** The family keeps its size meanwhile: one of two does not end. */
function swapPlace(tx: Db, { place, family }: FormerPlace, { from, to }: { from: string; to: string }): void {
  queries.putMember(tx, { ...place, trackId: to });
  if (queries.findFamily(tx, family.id)?.mainTrackId === from) queries.setMain(tx, family.id, to);
  queries.deleteMember(tx, from);
}
