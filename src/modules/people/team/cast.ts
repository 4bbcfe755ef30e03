import type { Db } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import { roleInRooms } from "../../../kernel/roles.ts";
import * as cast from "./cast-queries.ts";
import type { InvitationRow } from "./invitation-queries.ts";
import * as queries from "./queries.ts";

/** What somebody is in a room, and until when they are a guest of the library. */
type Place = Pick<InvitationRow, "role" | "seesSplits" | "seesListening" | "memberUntil" | "playlistId"> & {
  addedBy: PersonId | null;
};

/**
 * Puts a guest into one more room. Of two ends of the membership the later one counts: an invitation shortens nothing. Call it in a
 * transaction.
 */
export function addToRoom(
  tx: Db,
  guest: queries.MemberRow,
  { playlistId, role, seesSplits, seesListening, memberUntil, addedBy }: Place,
  at: number,
): queries.MemberRow {
  if (playlistId === null) throw new Error("An invitation into a room names it");
  const place = { role: role === "artist" ? role : ("listener" as const), seesSplits, seesListening };
  cast.putIntoRoom(tx, { playlistId, memberId: guest.id, ...place, addedBy, addedAt: at });
  const endsAt = guest.endsAt === null || memberUntil === null ? null : Math.max(guest.endsAt, memberUntil);
  return settleGuest(tx, { ...guest, endsAt });
}

/** Notes what a guest is in the best of their rooms, which also tells their streams that something has changed. */
export function settleGuest(tx: Db, guest: queries.MemberRow): queries.MemberRow {
  const rooms = cast.listRoomsOf(tx, guest.id);
  const change = { role: roleInRooms(rooms), endsAt: guest.endsAt };
  queries.updateMember(tx, guest.id, change);
  return { ...guest, ...change };
}
