import { type Db, transact } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { toIsoOrNull } from "../../../kernel/time.ts";
import { countUploadsOf, endUploadsOf } from "../../library/uploads/service.ts";
import { withdrawDevicesOf } from "../../pocket/devices/service.ts";
import { countPlayersOf, endPlayersOf } from "../../pocket/players/service.ts";
import { endKeysOf, type Keeper, listKeysOf, mayKeep } from "../keys/service.ts";
import { countGrantsOf, endGrantsOf } from "../oauth/service.ts";
import { deleteSessions, deleteSessionsIn, findPerson } from "../people/service.ts";
import {
  auditedAs,
  countOpenBy,
  deleteMember,
  findMember,
  findMembership,
  getChangeable,
  isInAny,
  listEnded,
  listMemberships,
  listRoomless,
  type MemberRow,
  pruneInvitations,
  requireActing,
  type TeamActor,
  withdrawOf,
} from "../team/service.ts";
import type { Ended, MemberAccess, RemoveMember } from "./shapes.ts";

type EndingDeps = Pick<Deps, "db" | "now">;

/**
 * Returns what a removal of this member would end.
 *
 * @throws DomainError as {@link removeMember}.
 */
export function getAccess({ db, now }: EndingDeps, actor: SessionActor, id: string): MemberAccess {
  const at = now();
  const acting = requireActing(db, actor, "manage:team", at);
  const { accountId, personId } = getChangeable(db, acting, id);
  const maker = { accountId, personId };
  return {
    keys: listKeysOf(db, maker, at).map((key) => ({
      id: key.id,
      name: key.name,
      lastUsedAt: toIsoOrNull(key.lastUsedAt),
      canKeep: mayKeep(key, acting),
    })),
    programs: countGrantsOf(db, maker, at),
    players: countPlayersOf(db, maker),
    uploads: countUploadsOf(db, maker, at),
    invitations: countOpenBy(db, accountId, personId, at),
  };
}

/**
 * Takes a member out of the library, with everything that works in their name there. What they made stays. Audited.
 *
 * @throws DomainError `member_not_found`; `invalid_transition` for the owner; `insufficient_scope` for a manager, unless the owner
 *   asks, and for a key to keep that may more than who keeps it; `key_not_found`; `not_a_member`.
 */
export function removeMember(
  { db, now }: EndingDeps,
  actor: TeamActor,
  id: string,
  { keepKeys }: RemoveMember,
): { ended: Ended } {
  return transact(db, (tx) => {
    const at = now();
    const acting = requireActing(tx, actor, "manage:team", at);
    const member = getChangeable(tx, acting, id);
    const ended = endMembership(tx, member, at, { keep: keepKeys, keeper: acting });
    const detail = { name: nameOf(tx, member), ...ended };
    audit(tx, { ...auditedAs(actor), action: "team.remove", subject: id, detail }, at);
    return { ended };
  });
}

/**
 * Ends the membership of whoever asks, as a removal would. Audited.
 *
 * @throws DomainError `invalid_transition` for the owner, who hands the library over first; `not_a_member`.
 */
export function leave({ db, now }: EndingDeps, actor: SessionActor): void {
  transact(db, (tx) => {
    const at = now();
    const member = actor.rooms ? getOwn(tx, actor) : requireActing(tx, actor, "member", at);
    if (member.role === "owner")
      throw new DomainError("invalid_transition", "Hand the library over before you leave it");
    const ended = endMembership(tx, member, at);
    const detail = { name: nameOf(tx, member), ...ended };
    audit(tx, { actor: actor.personId, action: "team.leave", subject: member.id, detail }, at);
  });
}

/**
 * Makes removals of the memberships that have reached their end, which count for nothing before that, so that the log says so. Also
 * deletes invitations that ended some time ago.
 */
export function tidyTeam(deps: EndingDeps): void {
  const { db, now } = deps;
  pruneInvitations(deps);
  const at = now();
  for (const { id } of listEnded(db, at))
    transact(db, (tx) => {
      // It may have been prolonged meanwhile.
      const member = listEnded(tx, at).find((each) => each.id === id);
      if (member) endOver(tx, member, at);
    });
  // Their playlists were deleted for good.
  transact(db, (tx) => {
    for (const guest of listRoomless(tx)) endOver(tx, guest, at);
  });
}

/** Returns the membership of a guest. @throws DomainError `not_a_member` when it has ended since the request began. */
function getOwn(tx: Db, { accountId, memberId }: SessionActor): MemberRow {
  const member = findMember(tx, accountId, memberId);
  if (member) return member;
  throw new DomainError("not_a_member", "You are not in this library");
}

/** Removes a guest who was taken out of their last room. */
export function endGuest(tx: Db, member: MemberRow, at: number): void {
  endMembership(tx, member, at);
}

/** Takes somebody out of every library that they are in, none of which they own. Call it in a transaction. */
export function leaveAll(tx: Db, personId: PersonId, at: number): void {
  for (const { id: accountId } of listMemberships(tx, personId)) {
    const member = findMembership(tx, accountId, personId);
    if (!member) continue;
    const detail = { name: nameOf(tx, member), ...endMembership(tx, member, at) };
    audit(tx, { actor: personId, action: "team.leave", subject: member.id, detail, accountId, personId }, at);
  }
}

/** Removes somebody whose membership has reached its end. */
export function endOver(tx: Db, member: MemberRow, at: number): void {
  const { id: subject, accountId } = member;
  const detail = { name: nameOf(tx, member), ...endMembership(tx, member, at) };
  audit(tx, { actor: "team", action: "team.end", subject, detail, accountId }, at);
}

/** Ends a membership: the row, and all that acts for the person in the library. Call it in a transaction. */
function endMembership(
  tx: Db,
  { id, accountId, personId }: MemberRow,
  at: number,
  { keep, keeper }: { keep: readonly string[]; keeper?: Keeper } = { keep: [] },
): Ended {
  const maker = { accountId, personId };
  const keys = endKeysOf(tx, maker, { keep, keeper, at });
  const programs = endGrantsOf(tx, maker, at);
  const players = endPlayersOf(tx, maker, at);
  withdrawDevicesOf(tx, maker, at);
  const uploads = endUploadsOf(tx, maker, at);
  const invitations = withdrawOf(tx, accountId, personId, at);
  deleteMember(tx, id);
  return { sessions: endSessions(tx, maker), keys, programs, players, uploads, invitations };
}

/** Signs somebody out of a library that they are no longer in, and everywhere when they are in none. */
function endSessions(tx: Db, { accountId, personId }: Pick<MemberRow, "accountId" | "personId">): number {
  const here = deleteSessionsIn(tx, personId, accountId);
  const mayStay = isInAny(tx, personId) || findPerson(tx, personId)?.operator === true;
  return mayStay ? here : here + deleteSessions(tx, personId);
}

const nameOf = (db: Db, { personId }: MemberRow) => findPerson(db, personId)?.name ?? "Somebody";
