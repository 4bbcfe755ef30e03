import type { Db } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { addToRoom } from "./cast.ts";
import { takeOutOfRooms } from "./cast-queries.ts";
import * as invitations from "./invitation-queries.ts";
import { requirePlace } from "./invitations.ts";
import * as queries from "./queries.ts";
import { MAX_LIBRARIES } from "./shapes.ts";

/**
 * Makes a person a member by an open invitation, which it uses up, with others to them into the same: of the whole library, or a
 * guest of a room. A guest goes on as the member that they are. Call it in a transaction, for somebody who is not in the library yet.
 *
 * @throws DomainError `team_full`.
 */
export function acceptInvitation(
  tx: Db,
  invitation: invitations.InvitationRow,
  personId: PersonId,
  at: number,
): queries.MemberRow {
  const { id, accountId, role, seesSplits, seesListening, memberUntil: endsAt, madeBy: addedBy } = invitation;
  invitations.updateInvitation(tx, id, { acceptedAt: at, acceptedBy: personId });
  invitations.withdrawTo(tx, invitation, at);
  const earlier = queries.findMembership(tx, accountId, personId);
  if (invitation.playlistId !== null)
    return addToRoom(tx, earlier ?? newGuest(tx, invitation, personId, at), { ...invitation, addedBy }, at);
  const terms = { role, reach: "library" as const, seesSplits, seesListening, endsAt };
  if (earlier) {
    takeOutOfRooms(tx, earlier.id);
    queries.updateMember(tx, earlier.id, terms);
    return { ...earlier, ...terms };
  }
  requirePlace(tx, accountId, at);
  return queries.insertMember(tx, { id: newId("mem"), accountId, personId, ...terms, addedBy, joinedAt: at });
}

function newGuest(
  tx: Db,
  { accountId, memberUntil: endsAt, madeBy: addedBy }: invitations.InvitationRow,
  personId: PersonId,
  at: number,
): queries.MemberRow {
  requirePlace(tx, accountId, at);
  return queries.insertMember(tx, {
    ...{ id: newId("mem"), accountId, personId, role: "listener", reach: "rooms" },
    ...{ endsAt, addedBy, joinedAt: at },
  });
}

/** @throws DomainError `team_full` when a person is in {@link MAX_LIBRARIES}. */
export function requireLibraryPlace(db: Db, personId: PersonId): void {
  if (queries.countLibraries(db, personId) < MAX_LIBRARIES) return;
  throw new DomainError("team_full", `You are in ${MAX_LIBRARIES} libraries: leave one first`);
}
