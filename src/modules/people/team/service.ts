import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId, Role } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";
import * as queries from "./queries.ts";

export { acceptInvitation, requireLibraryPlace } from "./accepting.ts";
export {
  auditedAs,
  findActing,
  findActingMember,
  operatorIn,
  requireActing,
  type TeamActor,
} from "./acting.ts";
export { addToRoom, settleGuest } from "./cast.ts";
export {
  type CastRow,
  findRoomName,
  listCast,
  listRoomInvitations,
  listRoomless,
  listRoomsOf,
  putIntoRoom,
  takeOutOfRoom,
} from "./cast-queries.ts";
export {
  countOpenBy,
  findPending as findPendingInvitation,
  withdrawOf,
  withdrawTo,
} from "./invitation-queries.ts";
export {
  findInvitationTo,
  invite,
  listInvitations,
  makeInvitation,
  pruneInvitations,
  type ReadInvitation,
  readEnd,
  readInvitation,
  renewInvitation,
  requirePlace,
  toInvitation,
  withdrawInvitation,
} from "./invitations.ts";
export { allowedToMaker, cutToMaker, joinMaker, type Maker, makerColumns, onBehalfOf } from "./maker.ts";
export { changeMember, getChangeable } from "./members.ts";
export {
  countMembersByLibrary,
  deleteMember,
  findLibraryName,
  findMember,
  findMembership,
  isInAny,
  isMember,
  listEnded,
  listMemberships,
  listPeopleOf,
  type MemberRow,
  touchMember,
} from "./queries.ts";
export { endRooms } from "./rooms-ended.ts";
export { getTeam, listTeam } from "./team.ts";

/** Makes a person the owner of a library that has none. Call it in the transaction that founds the library. */
export function addOwner(tx: Db, accountId: LibraryId, personId: PersonId, at: number): void {
  queries.insertMember(tx, {
    id: newId("mem"),
    accountId,
    personId,
    role: "owner",
    seesSplits: true,
    seesListening: true,
    joinedAt: at,
  });
}

/** Returns the person who owns a library; undefined when there is no such library. */
export function ownerOf(db: Db, accountId: LibraryId): PersonId | undefined {
  return queries.findOwner(db, accountId)?.personId;
}

/** Makes somebody who has a sign-in here a member of a library, or a guest a member of all of it; returns the membership. Call it in a transaction. */
export function addMember(
  tx: Db,
  { accountId, personId, role }: Pick<queries.MemberRow, "accountId" | "personId" | "role">,
  at: number,
): queries.MemberRow {
  const known = queries.findMembership(tx, accountId, personId);
  if (known) queries.updateMember(tx, known.id, { reach: "library" });
  return known ?? queries.insertMember(tx, { id: newId("mem"), accountId, personId, role, joinedAt: at });
}

/** Returns the libraries that a person can enter now, the one joined first first. */
export function listLibraries({ db, now }: Pick<Deps, "db" | "now">, personId: PersonId) {
  return queries.listLibraries(db, personId, now());
}

/** Makes a member the owner in the place of the owner, who goes on as manager. Call it in a transaction. */
export function setOwner(tx: Db, { from, to }: { from: string; to: string }): void {
  queries.updateMember(tx, from, { role: "manager" });
  queries.updateMember(tx, to, { role: "owner", seesSplits: true, seesListening: true, endsAt: null });
}

/** Returns the role of the member with this id; undefined once they have left. Somebody who joins again is another member. */
export function findPresentRole({ db, now }: Pick<Deps, "db" | "now">, memberId: string): Role | undefined {
  return queries.findPresentRole(db, memberId, now());
}
