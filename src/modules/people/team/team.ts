import type { Db } from "../../../../db/client.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import type { TeamActor } from "./acting.ts";
import * as queries from "./queries.ts";
import type { Member, Team } from "./shapes.ts";

/**
 * Returns the people in the library of a member, the owner first. Addresses are for those who manage the team, and guests see
 * only themselves.
 */
export function getTeam({ db, now }: Pick<Deps, "db" | "now">, actor: SessionActor): Team {
  const { accountId } = actor;
  const rows = queries.listMembers(db, accountId, now());
  const shown = actor.rooms ? rows.filter(({ id }) => id === actor.memberId) : rows;
  const members = shown.map((row) => toMember(row, actor));
  const me = members.find(({ isYou }) => isYou);
  // The membership may have ended since the request was admitted.
  if (!me) throw new DomainError("not_a_member", "You are not in this library");
  return { library: { id: accountId, name: queries.findLibraryName(db, accountId) }, me, members };
}

/** Returns the people in a library for those who manage its team, the owner first. */
export function listTeam({ db, now }: Pick<Deps, "db" | "now">, actor: TeamActor): Member[] {
  return queries.listMembers(db, actor.accountId, now()).map((row) => toMember(row, actor));
}

/**
 * Returns one member, as those who manage the team see them.
 *
 * @throws DomainError `member_not_found`.
 */
export function getMember(db: Db, actor: TeamActor, id: string, at: number): Member {
  const row = queries.listMembers(db, actor.accountId, at).find((each) => each.id === id);
  if (!row) throw new DomainError("member_not_found", "There is no such member");
  return toMember(row, actor);
}

function toMember(
  row: queries.ListedMember,
  { memberId, allowed }: Pick<TeamActor, "memberId" | "allowed">,
): Member {
  const isManaging = allowed.needs.has("manage:team");
  return {
    id: row.id,
    person: { id: row.personId, name: row.name, email: isManaging ? row.email : null },
    role: row.role,
    reach: row.reach,
    seesSplits: row.seesSplits,
    seesListening: row.seesListening,
    joinedAt: toIso(row.joinedAt),
    until: toIsoOrNull(row.endsAt),
    lastSeenAt: isManaging ? toIsoOrNull(row.lastSeenAt) : null,
    isYou: row.id === memberId,
  };
}
