import { and, asc, desc, eq, getTableColumns, gt, isNull, notExists, or, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import {
  invitations,
  type LibraryId,
  members,
  type PersonId,
  people,
  playlists,
  roomMembers,
} from "../../../../db/schema.ts";
import { isPending, type ListedInvitation } from "./invitation-queries.ts";

export type RoomMemberRow = typeof roomMembers.$inferSelect;

/** A guest in a room as lists show them. */
export type CastRow = RoomMemberRow & {
  personId: PersonId;
  name: string;
  email: string;
  endsAt: number | null;
  lastSeenAt: number | null;
};

/** Returns the name of a library's playlist; undefined when there is none, or it is in the bin. */
export function findRoomName(db: Db, accountId: LibraryId, playlistId: string): string | undefined {
  const own = and(eq(playlists.id, playlistId), eq(playlists.ownerId, accountId));
  return db
    .select({ name: playlists.name })
    .from(playlists)
    .where(and(own, isNull(playlists.deletedAt)))
    .get()?.name;
}

/** Returns the guests of a room at `at`, by when they came. */
export function listCast(db: Db, playlistId: string, at: number): CastRow[] {
  const lastSeenAt = sql<number | null>`(SELECT max(s.last_used_at) FROM sessions s
    WHERE s.person_id = ${members.personId} AND s.account_id = ${members.accountId})`;
  const { name, email } = people;
  return db
    .select({
      ...getTableColumns(roomMembers),
      personId: members.personId,
      endsAt: members.endsAt,
      name,
      email,
      lastSeenAt,
    })
    .from(roomMembers)
    .innerJoin(members, eq(members.id, roomMembers.memberId))
    .innerJoin(people, eq(people.id, members.personId))
    .where(and(eq(roomMembers.playlistId, playlistId), or(isNull(members.endsAt), gt(members.endsAt, at))))
    .orderBy(asc(roomMembers.addedAt), asc(roomMembers.memberId))
    .all();
}

/** Returns the pending invitations into a room, the newest first. Served by index `invitations_by_playlist`. */
export function listRoomInvitations(db: Db, playlistId: string): ListedInvitation[] {
  return db
    .select({ ...getTableColumns(invitations), makerName: people.name })
    .from(invitations)
    .leftJoin(people, eq(people.id, invitations.madeBy))
    .where(and(eq(invitations.playlistId, playlistId), isPending))
    .orderBy(desc(invitations.createdAt), asc(invitations.id))
    .all();
}

/** Returns every place of a guest. */
export function listRoomsOf(db: Db, memberId: string): RoomMemberRow[] {
  return db.select().from(roomMembers).where(eq(roomMembers.memberId, memberId)).all();
}

/** Adds a guest to a room, or gives them another place in it. */
export function putIntoRoom(tx: Db, row: typeof roomMembers.$inferInsert): void {
  const { role, seesSplits, seesListening } = row;
  tx.insert(roomMembers)
    .values(row)
    .onConflictDoUpdate({
      target: [roomMembers.playlistId, roomMembers.memberId],
      set: { role, seesSplits, seesListening },
    })
    .run();
}

/** Takes a guest out of a room; false when they were not in it. */
export function takeOutOfRoom(tx: Db, playlistId: string, memberId: string): boolean {
  const own = and(eq(roomMembers.playlistId, playlistId), eq(roomMembers.memberId, memberId));
  const { memberId: id } = roomMembers;
  return tx.delete(roomMembers).where(own).returning({ id }).all().length > 0;
}

/** Takes somebody out of all rooms, as a member of the whole library needs none. */
export function takeOutOfRooms(tx: Db, memberId: string): void {
  tx.delete(roomMembers).where(eq(roomMembers.memberId, memberId)).run();
}

/** Returns the guests who are in no room any more, because its playlist is deleted for good. */
export function listRoomless(db: Db): (typeof members.$inferSelect)[] {
  const rooms = db
    .select({ id: roomMembers.memberId })
    .from(roomMembers)
    .where(eq(roomMembers.memberId, members.id));
  return db
    .select()
    .from(members)
    .where(and(eq(members.reach, "rooms"), notExists(rooms)))
    .all();
}
