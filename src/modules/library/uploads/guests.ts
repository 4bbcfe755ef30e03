import type { OwnerActor, SessionActor } from "../../../kernel/actor.ts";
import { type Guest, roleRefusal } from "../../../kernel/actor.ts";
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
 * Passes when somebody may send a file for a track; undefined: one that becomes a track. Guests send only versions of the tracks
 * of rooms in which they are artists.
 *
 * @throws DomainError `track_not_found`, `insufficient_scope`.
 */
export function requireSending(deps: GuestDeps, sender: Sender, trackId: string | undefined): void {
  const guest = asGuest(sender);
  if (!guest) return;
  const { rooms, allowed } = trackId === undefined ? guest : inRooms(deps, guest, { trackId });
  if (trackId === undefined || !allowed.needs.has("create:tracks"))
    throw roleRefusal("create:tracks", roleInRooms(rooms));
}

/**
 * Passes when an upload is one that somebody may go on with. A guest's are their own, for a track that they still reach.
 *
 * @throws DomainError `not_found`, as for an upload that has ended.
 */
export function requireReach(deps: GuestDeps, sender: Sender, id: string): void {
  if (!asGuest(sender)) return;
  const row = queries.findUpload(deps.db, sender.accountId, id, deps.now());
  if (!row || row.forTrackId === null || row.madeBy !== sender.personId)
    throw new DomainError("not_found", "This upload has ended: choose the file again");
  requireSending(deps, sender, row.forTrackId);
}

/**
 * Returns what somebody asks to be made of an upload, as it is done. A guest's becomes a version of the track that it was announced
 * for, and the track goes on to play what it plays: what others hear is decided by those who may change tracks.
 *
 * @throws DomainError as {@link requireReach}; `track_not_found` for another track; `insufficient_scope` to make it play.
 */
export function allowedItem(deps: GuestDeps, sender: Sender, item: AllowedItem): AllowedItem {
  if (!asGuest(sender)) return item;
  requireReach(deps, sender, item.id);
  const row = queries.findUpload(deps.db, sender.accountId, item.id, deps.now());
  if (!row?.forTrackId || (item.trackId ?? row.forTrackId) !== row.forTrackId)
    throw new DomainError("track_not_found", "There is no such track");
  if (item.activate) throw roleRefusal("update:tracks", roleInRooms(sender.rooms ?? []));
  const sentBy = sender.personId;
  return { ...item, trackId: row.forTrackId, activate: false, ...(sentBy !== undefined && { sentBy }) };
}
