import type { PersonId } from "../../../../db/schema.ts";
import {
  type Guest,
  mayDo,
  type OwnerActor,
  requireNeed,
  roleRefusal,
  type SessionActor,
} from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { roleInRooms } from "../../../kernel/roles.ts";
import { inRooms } from "../../people/rooms/service.ts";
import type { AllowedItem } from "./finish.ts";
import * as queries from "./queries.ts";

/** Whoever sends files. */
export type Sender = OwnerActor | SessionActor;

type GuestDeps = Pick<Deps, "db" | "now">;

const asGuest = (sender: Sender): Guest | undefined => {
  const { rooms, allowed } = sender;
  return rooms && allowed && { ...sender, rooms, allowed };
};

/**
 * Passes when somebody may send a file for a track; undefined: one that becomes a track. A version is for those who may change
 * tracks. Guests send only versions of the tracks of rooms in which they are artists.
 *
 * @throws DomainError `track_not_found`, `insufficient_scope`.
 */
export function requireSending(deps: GuestDeps, sender: Sender, trackId: string | undefined): void {
  const guest = asGuest(sender);
  if (!guest) {
    if (trackId !== undefined) requireNeed(sender, "update:tracks");
    return;
  }
  const { rooms, allowed } = trackId === undefined ? guest : inRooms(deps, guest, { trackId });
  if (trackId === undefined || !allowed.needs.has("create:tracks"))
    throw roleRefusal("create:tracks", roleInRooms(rooms));
}

const ENDED = "This upload has ended: choose the file again";

/** True for an upload of the person. What nobody's key began is the owner's; a key of nobody has every upload. */
export function isSentBy({ personId, ...sender }: Sender, madeBy: PersonId | null): boolean {
  if (personId === undefined || madeBy === personId) return true;
  return madeBy === null && mayDo(sender, "own:library");
}

/**
 * Passes when an upload is one that somebody may go on with: their own. A guest's are for a track that they still reach.
 *
 * @throws DomainError `not_found`, as for an upload that has ended.
 */
export function requireReach(deps: GuestDeps, sender: Sender, id: string): void {
  const row = queries.findUpload(deps.db, sender.accountId, id, deps.now());
  if (row && !isSentBy(sender, row.madeBy)) throw new DomainError("not_found", ENDED);
  if (!asGuest(sender)) return;
  if (!row || row.forTrackId === null || row.madeBy !== sender.personId)
    throw new DomainError("not_found", ENDED);
  requireSending(deps, sender, row.forTrackId);
}

/**
 * Returns what somebody asks to be made of an upload, as it is done. A guest's becomes a version of the track that it was announced
 * for, and the track goes on to play what it plays: what others hear is decided by those who may change tracks.
 *
 * @throws DomainError as {@link requireReach}; `track_not_found` for another track; `insufficient_scope` to make it play.
 */
export function allowedItem(deps: GuestDeps, sender: Sender, item: AllowedItem): AllowedItem {
  requireReach(deps, sender, item.id);
  if (!asGuest(sender)) {
    requireSending(deps, sender, item.trackId);
    return item;
  }
  const row = queries.findUpload(deps.db, sender.accountId, item.id, deps.now());
  if (!row?.forTrackId || (item.trackId ?? row.forTrackId) !== row.forTrackId)
    throw new DomainError("track_not_found", "There is no such track");
  if (item.activate) throw roleRefusal("update:tracks", roleInRooms(sender.rooms ?? []));
  const sentBy = sender.personId;
  return { ...item, trackId: row.forTrackId, activate: false, ...(sentBy !== undefined && { sentBy }) };
}
