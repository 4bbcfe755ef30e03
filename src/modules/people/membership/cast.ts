import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { findPerson, findPersonByEmail, normaliseEmail } from "../people/service.ts";
import {
  addToRoom,
  type CastRow,
  findMember,
  findMembership,
  findRoomName,
  listCast,
  listRoomInvitations,
  listRoomsOf,
  type MemberRow,
  makeInvitation,
  putIntoRoom,
  readEnd,
  requireActing,
  settleGuest,
  takeOutOfRoom,
  toInvitation,
  withdrawTo,
} from "../team/service.ts";
import type { AddedToCast, AddToCast, Cast, CastMember, ChangeInCast } from "./cast-shapes.ts";
import { endGuest, endOver } from "./ending.ts";
import { mailInvitation, openInviting, withMails } from "./invite.ts";

type CastDeps = Pick<Deps, "db" | "now">;

/** Returns the guests of a room, and who is invited. @throws DomainError `playlist_not_found`. */
export function getCast(
  deps: CastDeps & Pick<Deps, "settings">,
  actor: SessionActor,
  playlistId: string,
): Cast {
  const { db, now } = deps;
  requireRoom(db, actor.accountId, playlistId);
  return {
    members: listCast(db, playlistId, now()).map(toCastMember),
    invitations: withMails(
      deps,
      listRoomInvitations(db, playlistId).map((row) => toInvitation(db, row)),
    ),
  };
}

/**
 * Lets somebody into a room: a guest of the library at once, anybody else by an invitation, which is sent if the input says so.
 * Audited.
 *
 * @throws DomainError `playlist_not_found`; `duplicate_email` for somebody who sees the whole library, or is in the room already;
 *   `team_full`; `validation_failed` for an end in the past; `not_a_member`, `insufficient_scope`; to send: `mail_off`, `mail_limit`.
 */
export async function addToCast(
  deps: CastDeps & Pick<Deps, "settings" | "secrets">,
  actor: SessionActor,
  playlistId: string,
  { email: given, until = null, mail = false, ...place }: AddToCast,
): Promise<AddedToCast> {
  const { accountId, personId } = actor;
  const sending = mail ? await openInviting(deps, actor, given) : undefined;
  return transact(deps.db, (tx) => {
    const at = deps.now();
    requireActing(tx, actor, "manage:team", at);
    const room = requireRoom(tx, accountId, playlistId);
    const email = normaliseEmail(given);
    const terms = { ...place, email, playlistId, memberUntil: readEnd(until, at) };
    const guest = findGuest(tx, accountId, email, at);
    if (!guest) {
      const inTx = within(deps, tx);
      const made = makeInvitation(inTx, actor, terms, at);
      return { member: null, invitation: mailInvitation(inTx, sending, made, room) };
    }
    if (listRoomsOf(tx, guest.id).some((each) => each.playlistId === playlistId))
      throw taken("This person is in the room already");
    withdrawTo(tx, { accountId, email, playlistId }, at);
    addToRoom(tx, guest, { ...terms, addedBy: personId }, at);
    const detail = { name: nameOf(tx, guest), room, role: place.role };
    audit(tx, { actor: personId, action: "room.add", subject: guest.id, detail }, at);
    return { member: getCastMember(tx, playlistId, guest.id, at), invitation: null };
  });
}

/**
 * Changes what a guest is in a room, or until when they are one. It counts from their next request on. Audited.
 *
 * @throws DomainError `playlist_not_found`, `member_not_found`, `validation_failed`, `not_a_member`, `insufficient_scope`.
 */
export function changeInCast(
  { db, now }: CastDeps,
  actor: SessionActor,
  { playlistId, memberId }: Named,
  { until, ...change }: ChangeInCast,
): CastMember {
  return transact(db, (tx) => {
    const at = now();
    requireActing(tx, actor, "manage:team", at);
    const { room, guest } = getGuest(tx, actor.accountId, { playlistId, memberId });
    const before = listRoomsOf(tx, memberId).find((each) => each.playlistId === playlistId);
    if (!before) throw noSuchGuest();
    putIntoRoom(tx, { ...before, ...change });
    settleGuest(tx, { ...guest, ...(until !== undefined && { endsAt: readEnd(until, at) }) });
    const detail = { name: nameOf(tx, guest), room };
    audit(tx, { actor: actor.personId, action: "room.change", subject: memberId, detail }, at);
    return getCastMember(tx, playlistId, memberId, at);
  });
}

/**
 * Takes a guest out of a room, and out of the library with the last one. Audited.
 *
 * @throws DomainError `playlist_not_found`, `member_not_found`, `not_a_member`, `insufficient_scope`.
 */
export function removeFromCast({ db, now }: CastDeps, actor: SessionActor, named: Named): void {
  transact(db, (tx) => {
    const at = now();
    requireActing(tx, actor, "manage:team", at);
    const { room, guest } = getGuest(tx, actor.accountId, named);
    if (!takeOutOfRoom(tx, named.playlistId, guest.id)) throw noSuchGuest();
    const detail = { name: nameOf(tx, guest), room };
    audit(tx, { actor: actor.personId, action: "room.remove", subject: guest.id, detail }, at);
    if (listRoomsOf(tx, guest.id).length > 0) settleGuest(tx, guest);
    else endGuest(tx, guest, at);
  });
}

type Named = { playlistId: string; memberId: string };

function requireRoom(db: Db, accountId: LibraryId, playlistId: string): string {
  const name = findRoomName(db, accountId, playlistId);
  if (name !== undefined) return name;
  throw new DomainError("playlist_not_found", "There is no such playlist");
}

function getGuest(
  tx: Db,
  accountId: LibraryId,
  { playlistId, memberId }: Named,
): { room: string; guest: MemberRow } {
  const room = requireRoom(tx, accountId, playlistId);
  const guest = findMember(tx, accountId, memberId);
  if (guest?.reach !== "rooms") throw noSuchGuest();
  return { room, guest };
}

const noSuchGuest = () => new DomainError("member_not_found", "There is no such guest in this room");
const taken = (message: string) => new DomainError("duplicate_email", message, { isConflict: true });

/**
 * Returns the guest of a library who has an address; undefined: nobody in it has.
 *
 * @throws DomainError `duplicate_email` when it is somebody who sees the whole library.
 */
function findGuest(tx: Db, accountId: LibraryId, email: string, at: number): MemberRow | undefined {
  const person = findPersonByEmail(tx, email);
  const member = person && findMembership(tx, accountId, person.id);
  if (!member) return undefined;
  if (member.endsAt !== null && member.endsAt <= at) {
    // What was theirs does not come back with them.
    endOver(tx, member, at);
    return undefined;
  }
  if (member.reach === "rooms") return member;
  throw taken("A member of this library has this address, and sees every playlist");
}

function getCastMember(db: Db, playlistId: string, memberId: string, at: number): CastMember {
  const row = listCast(db, playlistId, at).find((each) => each.memberId === memberId);
  if (!row) throw noSuchGuest();
  return toCastMember(row);
}

function toCastMember(row: CastRow): CastMember {
  const { memberId: id, personId, name, email, role, seesSplits, seesListening } = row;
  return {
    id,
    person: { id: personId, name, email },
    ...{ role, seesSplits, seesListening },
    addedAt: toIso(row.addedAt),
    until: toIsoOrNull(row.endsAt),
    lastSeenAt: toIsoOrNull(row.lastSeenAt),
  };
}

const nameOf = (db: Db, { personId }: MemberRow) => findPerson(db, personId)?.name ?? "Somebody";
