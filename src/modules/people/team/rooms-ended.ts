import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { invitations, members, roomMembers } from "../../../../db/schema.ts";

/** Ends the rooms of a library whose playlists go to another one: its members stay, and its guests see nothing of the other. */
export function endRooms(tx: Db, from: string): void {
  const own = tx.select({ id: members.id }).from(members).where(eq(members.accountId, from));
  tx.delete(roomMembers).where(inArray(roomMembers.memberId, own)).run();
  tx.delete(invitations)
    .where(and(eq(invitations.accountId, from), isNotNull(invitations.playlistId)))
    .run();
}
