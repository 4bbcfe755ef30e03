import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { DAY_MS, parseBound, toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { findPerson, findPersonByEmail, normaliseEmail } from "../people/service.ts";
import {
  type Acting,
  auditedAs,
  findActing,
  needFor,
  requireActing,
  requireNeed,
  type TeamActor,
} from "./acting.ts";
import { findRoomName } from "./cast-queries.ts";
import * as invitations from "./invitation-queries.ts";
import * as queries from "./queries.ts";
import {
  INVITATION_DAYS,
  INVITATION_KEPT_DAYS,
  type Invitation,
  type Invite,
  MAX_INVITATIONS,
  MAX_MEMBERS,
  type MadeInvitation,
} from "./shapes.ts";

type InvitingDeps = Pick<Deps, "db" | "now" | "settings">;

/**
 * Invites an address into the library of a member. It replaces an earlier invitation of that address. Audited.
 *
 * @throws DomainError `validation_failed` when a manager invites a manager, or for an end in the past; `duplicate_email` when a
 *   member has the address; `team_full`; `not_a_member`; `insufficient_scope`.
 */
export function invite(deps: InvitingDeps, actor: TeamActor, wanted: Invite): MadeInvitation {
  const { role, seesSplits, seesListening = role === "producer", until = null } = wanted;
  return transact(deps.db, (tx) => {
    const at = deps.now();
    requireAppointing(requireActing(tx, actor, "manage:team", at), role);
    const terms = { role, seesSplits, seesListening, memberUntil: readEnd(until, at), playlistId: null };
    return makeInvitation({ ...deps, db: tx }, actor, { ...terms, email: normaliseEmail(wanted.email) }, at);
  });
}

/** Into what somebody is invited. `playlistId`: into this room only. */
export type Terms = Pick<
  invitations.InvitationRow,
  "email" | "role" | "playlistId" | "seesSplits" | "seesListening" | "memberUntil"
>;

/**
 * Makes an invitation, and its link. Call it in a transaction, for somebody who may; `personId` null: for the operator.
 *
 * @throws DomainError `duplicate_email`, `team_full`.
 */
export function makeInvitation(
  { db: tx, settings }: Pick<InvitingDeps, "db" | "settings">,
  { accountId, personId }: { accountId: LibraryId; personId: PersonId | null },
  terms: Terms,
  at: number,
): MadeInvitation {
  requireNoMember(tx, accountId, terms, at);
  requirePlace(tx, accountId, at);
  invitations.withdrawTo(tx, { accountId, ...terms }, at);
  if (invitations.countOpen(tx, accountId, at) >= MAX_INVITATIONS)
    throw new DomainError(
      "team_full",
      `A library may have ${MAX_INVITATIONS} open invitations: withdraw one first`,
    );
  const token = newToken(32);
  const row = invitations.insertInvitation(tx, {
    ...terms,
    id: newId("inv"),
    accountId,
    madeBy: personId,
    tokenHash: sha256(token),
    createdAt: at,
    expiresAt: at + INVITATION_DAYS * DAY_MS,
  });
  const { email, role, playlistId } = terms;
  const room = playlistId === null ? undefined : findRoomName(tx, accountId, playlistId);
  const doer = personId === null ? { actor: "operator", accountId } : { actor: personId };
  const detail = { email, role, ...(room !== undefined && { room }) };
  audit(tx, { ...doer, action: "team.invite", subject: row.id, detail }, at);
  return { ...toInvitation(tx, row), url: linkOf({ settings }, token) };
}

/** Returns the invitations into the library that nobody has accepted, the newest first, also those whose link has ended. */
export function listInvitations(
  { db }: Pick<Deps, "db">,
  { accountId }: Pick<TeamActor, "accountId">,
): Invitation[] {
  return invitations.listPending(db, accountId).map((row) => toInvitation(db, row));
}

/**
 * Gives an invitation a new link in the place of the old one, or the first one to an open seat. It is the invitation of whoever
 * does so from then on. Audited.
 *
 * @throws DomainError `invitation_not_found`; `insufficient_scope` when it is for a manager and the member is not the owner;
 *   `duplicate_email`, `team_full`; `validation_failed` when the membership would have ended.
 */
export function renewInvitation(deps: InvitingDeps, actor: SessionActor, id: string): MadeInvitation {
  const { accountId, personId } = actor;
  return transact(deps.db, (tx) => {
    const at = deps.now();
    const row = getPending(tx, accountId, id);
    requireNeed(requireActing(tx, actor, "manage:team", at), needFor(row.role));
    requireNoMember(tx, accountId, row, at);
    requirePlace(tx, accountId, at);
    if (row.memberUntil !== null && row.memberUntil <= at) throw past();
    const token = newToken(32);
    const change = { tokenHash: sha256(token), expiresAt: at + INVITATION_DAYS * DAY_MS, madeBy: personId };
    invitations.updateInvitation(tx, id, change);
    const { email, role } = row;
    audit(tx, { actor: personId, action: "team.invite_again", subject: id, detail: { email, role } }, at);
    return { ...toInvitation(tx, { ...row, ...change }), url: linkOf(deps, token) };
  });
}

/** Withdraws an invitation: its link does not work any more. Audited. @throws DomainError `invitation_not_found`. */
export function withdrawInvitation({ db, now }: Pick<Deps, "db" | "now">, actor: TeamActor, id: string) {
  transact(db, (tx) => {
    const at = now();
    requireActing(tx, actor, "manage:team", at);
    const { email, role } = getPending(tx, actor.accountId, id);
    invitations.updateInvitation(tx, id, { withdrawnAt: at });
    const detail = { email, role };
    audit(tx, { ...auditedAs(actor), action: "team.withdraw", subject: id, detail }, at);
  });
}

/** Deletes the invitations that ended some time ago. */
export function pruneInvitations({ db, now }: Pick<Deps, "db" | "now">): void {
  transact(db, (tx) => invitations.deleteOver(tx, now() - INVITATION_KEPT_DAYS * DAY_MS));
}

/** What has become of an invitation. */
export type InvitationState = "open" | "accepted" | "over";

/** What a link invites to. */
export type ReadInvitation = invitations.FoundInvitation & { state: InvitationState };

/** Returns what a link invites to, and whether it still does; undefined when there was never such a link. */
export function readInvitation(
  { db, now }: Pick<Deps, "db" | "now">,
  token: string,
): ReadInvitation | undefined {
  const found = invitations.findByToken(db, sha256(token));
  return found && { ...found, state: stateOf(db, found, now()) };
}

/**
 * Returns the open invitation that somebody means whose address is certain: the one with the id, if it is theirs; without one, the
 * oldest to their address. Undefined when there is none.
 */
export function findInvitationTo(
  { db, now }: Pick<Deps, "db" | "now">,
  email: string,
  id: string | null,
): ReadInvitation | undefined {
  const ids = id === null ? invitations.listOpenTo(db, email, now()) : [id];
  for (const each of ids) {
    const found = invitations.findById(db, each);
    const state = found && stateOf(db, found, now());
    if (found?.email === email && state === "open") return { ...found, state };
  }
  return undefined;
}

function stateOf(db: Db, found: invitations.FoundInvitation, at: number): InvitationState {
  if (found.acceptedAt !== null) return "accepted";
  const isOver =
    found.withdrawnAt !== null ||
    found.expiresAt <= at ||
    (found.memberUntil !== null && found.memberUntil <= at) ||
    !found.isLibraryActive ||
    (found.playlistId !== null && findRoomName(db, found.accountId, found.playlistId) === undefined) ||
    !couldMakerMake(db, found, at);
  return isOver ? "over" : "open";
}

/** An invitation is worth what its maker may now. The operator and an import made those without one. */
function couldMakerMake(db: Db, { accountId, madeBy, role }: invitations.InvitationRow, at: number): boolean {
  if (madeBy === null) return true;
  const maker = findActing(db, accountId, madeBy, at);
  return maker?.allowed.needs.has("manage:team") === true && maker.allowed.needs.has(needFor(role));
}

/** @throws DomainError `validation_failed` when a manager would make a manager. */
export function requireAppointing({ allowed }: Acting, role: Invite["role"]): void {
  if (allowed.needs.has(needFor(role))) return;
  throw invalidField("role", "not_allowed", "must not be manager: only the owner appoints managers");
}

/** @throws DomainError `duplicate_email` when somebody with the address is in the library already. */
function requireNoMember(tx: Db, accountId: LibraryId, { email, playlistId }: Terms, at: number): void {
  const person = findPersonByEmail(tx, email);
  const member = person && queries.findMembership(tx, accountId, person.id);
  const isOver = member?.endsAt != null && member.endsAt <= at;
  // Whoever sees only rooms may be invited into all of it, and into another room.
  if (!member || isOver || member.reach === "rooms") return;
  const where = playlistId === null ? "" : ", and sees every playlist";
  throw new DomainError("duplicate_email", `A member of this library has this address${where}`, {
    isConflict: true,
  });
}

/** @throws DomainError `team_full` when the library has {@link MAX_MEMBERS}. */
export function requirePlace(tx: Db, accountId: LibraryId, at: number): void {
  if (queries.countMembers(tx, accountId, at) < MAX_MEMBERS) return;
  throw new DomainError("team_full", `A library may have ${MAX_MEMBERS} members: remove somebody first`);
}

function getPending(tx: Db, accountId: LibraryId, id: string): invitations.InvitationRow {
  const row = invitations.findPending(tx, accountId, id);
  if (row) return row;
  throw new DomainError("invitation_not_found", "There is no such invitation");
}

/** Returns when a membership ends; null: never. @throws DomainError `validation_failed`. */
export function readEnd(until: string | null, at: number): number | null {
  if (until === null) return null;
  const end = parseBound(until, "last");
  if (end === undefined)
    throw invalidField("until", "invalid_date", "must be an ISO 8601 time or a day, YYYY-MM-DD");
  if (end <= at) throw past();
  return end;
}

const past = () => invalidField("until", "past", "must be in the future");

const linkOf = ({ settings }: Pick<Deps, "settings">, token: string) =>
  `${publicUrlOf(settings)}/join?token=${token}`;

/** Returns an invitation as clients see it. */
export function toInvitation(
  db: Db,
  row: invitations.InvitationRow & Partial<Pick<invitations.ListedInvitation, "makerName">>,
): Invitation {
  const { madeBy } = row;
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    seesSplits: row.seesSplits,
    seesListening: row.seesListening,
    until: toIsoOrNull(row.memberUntil),
    by: madeBy === null ? null : { id: madeBy, name: row.makerName ?? findPerson(db, madeBy)?.name ?? "" },
    createdAt: toIso(row.createdAt),
    expiresAt: row.tokenHash === null ? null : toIso(row.expiresAt),
  };
}
