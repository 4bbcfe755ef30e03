import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId, Role, SessionMethod } from "../../../../db/schema.ts";
import type { PersonActor, SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import { allowedInRooms, allowedTo, roleInRooms } from "../../../kernel/roles.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { DAY_MS, MINUTE_MS, toIso } from "../../../kernel/time.ts";
import { roomsOf } from "../rooms/service.ts";
import { deviceName, placeOf } from "./device.ts";
import * as queries from "./queries.ts";
import {
  PROOF_MINUTES,
  SESSION_IDLE_DAYS,
  SESSION_LONGEST_DAYS,
  type SessionRow,
  type SignedIn,
} from "./shapes.ts";

const SESSION_SLIDING_MS = SESSION_IDLE_DAYS * DAY_MS;
const SESSION_ABSOLUTE_MS = SESSION_LONGEST_DAYS * DAY_MS;
const PROOF_MS = PROOF_MINUTES * MINUTE_MS;

/** The client that started a session. */
export type Client = { ip: string; userAgent: string | null };

/** How a session begins. */
export type Beginning = {
  /** Left out: by a password. */
  method?: SessionMethod;
  /** The library it is in. Null: the one joined first. */
  accountId?: LibraryId | null;
  /** How long it lasts at most, where that is less than usual. */
  lastsMs?: number;
  /** When the person proved who they are. Left out: now, or, where the operator began it, never. */
  provedAt?: number;
};

/** Starts a session for a person who has proved their identity, or that the operator chose. */
export function beginSession(
  { db, now }: Pick<Deps, "db" | "now">,
  person: Pick<queries.PersonRow, "id" | "email" | "name">,
  { ip, userAgent }: Client,
  { method = "password", accountId = null, lastsMs = SESSION_ABSOLUTE_MS, ...beginning }: Beginning = {},
): SignedIn {
  const token = newToken(32);
  const at = now();
  const absoluteExpiresAt = at + Math.min(lastsMs, SESSION_ABSOLUTE_MS);
  queries.insertSession(db, {
    id: newId("ses"),
    personId: person.id,
    accountId,
    tokenHash: sha256(token),
    userAgent: userAgent?.slice(0, 300) ?? null,
    ip,
    method,
    createdAt: at,
    lastUsedAt: at,
    absoluteExpiresAt,
    provedAt: beginning.provedAt ?? (method === "operator" ? 0 : at),
  });
  const expiresAt = toIso(expiryOf({ lastUsedAt: at, absoluteExpiresAt }));
  return { token, expiresAt, user: toUser(person) };
}

/**
 * Returns who a session token stands for: a person, and the member of the library that the request names, if they are one.
 *
 * @param library What the request names; null: the library chosen last, or joined first.
 * @throws DomainError `missing_session_token`, `invalid_session_token`, `expired_session_token`.
 */
export function authenticateSession(
  { db, now }: Pick<Deps, "db" | "now">,
  token: string | undefined,
  library: string | null = null,
): PersonActor | SessionActor {
  const { person, isOperator } = identify({ db, now }, token, library);
  if ("memberId" in person) return person;
  if (queries.findEntry(db, { id: person.personId, operator: isOperator }, now())) return person;
  throw invalidToken();
}

/** As {@link authenticateSession}, but returns somebody who is in no library any more, too: a page tells them so. */
export function identifyVisitor(
  { db, now }: Pick<Deps, "db" | "now">,
  token: string,
  library: string | null,
): PersonActor | SessionActor {
  const { person } = identify({ db, now }, token, library);
  if ("memberId" in person || queries.isInNone(db, person.personId, now())) return person;
  return authenticateSession({ db, now }, token, library);
}

function identify(
  { db, now }: Pick<Deps, "db" | "now">,
  token: string | undefined,
  library: string | null,
): { person: PersonActor | SessionActor; isOperator: boolean } {
  if (token === undefined)
    throw new DomainError("missing_session_token", "Sign in and send the session token");
  const at = now();
  const found = queries.findSessionProof(db, sha256(token), library, at);
  if (!found?.isPersonActive) throw invalidToken();
  if (expiryOf(found) <= at)
    throw new DomainError("expired_session_token", "This session has ended: sign in again");
  const { sessionId, personId } = found;
  const isOperator = found.isOperator === 1;
  const isIn = found.isLibraryActive === 1 && (found.endsAt ?? at + 1) > at;
  if (!isIn || found.memberId === null || found.accountId === null)
    return { person: { sessionId, personId }, isOperator };
  const { accountId, memberId } = found;
  if (found.reach !== "library") {
    return { person: { sessionId, personId, accountId, memberId, ...guestOf(db, memberId) }, isOperator };
  }
  const role = found.role as Role; // the table holds no other
  const allowed = allowedTo(role, found.seesSplits === 1, found.seesListening === 1);
  return { person: { sessionId, personId, accountId, memberId, role, allowed }, isOperator };
}

const invalidToken = () => new DomainError("invalid_session_token", "This session token is not valid");

/** A session, in one of the libraries of its person. */
type Stream = Pick<SessionActor, "sessionId" | "accountId" | "memberId" | "allowed" | "rooms">;

/**
 * Returns those that are not what they were any more: their session is over, or the membership, or it allows something else now.
 * `nextEndAt` is when the next of the others ends by itself.
 */
export function endedSessions<Each extends Stream>(
  { db, now }: Pick<Deps, "db" | "now">,
  streams: readonly Each[],
): { ended: Each[]; nextEndAt: number } {
  const at = now();
  const open = new Map(
    queries
      .findActiveSessions(db, streams, at)
      .map((row) => ({ ...row, expiresAt: Math.min(expiryOf(row), row.endsAt ?? Number.POSITIVE_INFINITY) }))
      .filter(({ expiresAt }) => expiresAt > at)
      .map((row) => [`${row.id} ${row.memberId}`, row]),
  );
  const ended = streams.filter((stream) => {
    const row = open.get(`${stream.sessionId} ${stream.memberId}`);
    return (
      !row ||
      !isAsBefore(stream, row.reach === "library" ? { allowed: allowedOf(row) } : guestOf(db, row.memberId))
    );
  });
  return { ended, nextEndAt: Math.min(...[...open.values()].map(({ expiresAt }) => expiresAt)) };
}

type Permitted = Pick<SessionActor, "allowed" | "rooms">;

/** What a role allows is worked out once, so the same is the same object. */
const isAsBefore = (before: Permitted, now: Permitted) =>
  before.allowed === now.allowed && JSON.stringify(before.rooms) === JSON.stringify(now.rooms);

const allowedOf = ({ role, seesSplits, seesListening }: queries.ActiveSession) =>
  allowedTo(role, seesSplits, seesListening);

function guestOf(db: Db, memberId: string) {
  const rooms = roomsOf(db, memberId);
  return { allowed: allowedInRooms(rooms), role: roleInRooms(rooms), rooms };
}

/** Returns the signed-in person, and when the session ends if it goes unused. */
export function getSession({ db }: Pick<Deps, "db">, { personId, sessionId }: PersonActor) {
  const session = queries.findSession(db, personId, sessionId);
  const person = queries.findPerson(db, personId);
  if (!session || !person) throw invalidToken();
  return { id: session.id, expiresAt: toIso(expiryOf(session)), user: toUser(person) };
}

/** Returns a person's live sessions, newest first. */
export function listSessions(deps: Pick<Deps, "db" | "now">, actor: PersonActor): SessionRow[] {
  return listLiveSessions(deps, actor.personId).map(({ id, ...row }) => ({
    id,
    current: id === actor.sessionId,
    ...row,
  }));
}

/** Like {@link listSessions}, for a reader who uses none of the sessions. */
export function listLiveSessions(
  { db, now }: Pick<Deps, "db" | "now">,
  personId: PersonId,
): Omit<SessionRow, "current">[] {
  return queries
    .listSessions(db, personId, now())
    .filter(({ session }) => expiryOf(session) > now())
    .map(({ session, library }) => ({
      id: session.id,
      userAgent: session.userAgent,
      ip: session.ip,
      createdAt: toIso(session.createdAt),
      lastUsedAt: toIso(session.lastUsedAt),
      expiresAt: toIso(expiryOf(session)),
      method: session.method,
      device: deviceName(session.userAgent),
      place: placeOf(session.ip),
      library,
    }));
}

/**
 * Ends one session of the person, or all but the current one; returns how many ended.
 *
 * @throws DomainError `session_not_found`.
 */
export function revokeSessions(
  { db }: Pick<Deps, "db">,
  { personId, sessionId }: PersonActor,
  id: string | undefined,
): number {
  if (id === undefined) return queries.deleteOtherSessions(db, personId, sessionId);
  deleteSessionOf(db, personId, id);
  return 1;
}

/** Ends one session of a person. @throws DomainError `session_not_found`. */
export function deleteSessionOf(db: Db, personId: PersonId, id: string): void {
  if (!queries.deleteSession(db, personId, id))
    throw new DomainError("session_not_found", "There is no such session");
}

/** Records when a session was last used, which moves its end. */
export function touchSession(tx: Db, sessionId: string, at: number): void {
  queries.updateSessionLastUsed(tx, sessionId, at);
}

/** Makes a library the one that a session is in where a request names none. The person must be in it. Null: the one joined first. */
export function setLibraryOfSession(
  tx: Db,
  { sessionId }: Pick<PersonActor, "sessionId">,
  accountId: LibraryId | null,
): void {
  queries.updateSessionLibrary(tx, sessionId, accountId);
}

/**
 * Passes when the person has proved who they are in the last {@link PROOF_MINUTES}, in this session.
 *
 * @throws DomainError `proof_needed`.
 */
export function requireProof(
  { db, now }: Pick<Deps, "db" | "now">,
  { personId, sessionId }: PersonActor,
): void {
  const provedAt = queries.findSession(db, personId, sessionId)?.provedAt ?? 0;
  if (provedAt <= now() - PROOF_MS)
    throw new DomainError("proof_needed", "Prove that it is you, as you do to sign in");
}

/** Records that the person has proved who they are. */
export function markProved(tx: Db, { sessionId }: PersonActor, at: number): void {
  queries.updateSessionProvedAt(tx, sessionId, at);
}

/** Ends the session in use. */
export function logout({ db }: Pick<Deps, "db">, { personId, sessionId }: PersonActor): void {
  queries.deleteSession(db, personId, sessionId);
}

function expiryOf({
  lastUsedAt,
  absoluteExpiresAt,
}: Pick<queries.SessionDbRow, "lastUsedAt" | "absoluteExpiresAt">) {
  return Math.min(lastUsedAt + SESSION_SLIDING_MS, absoluteExpiresAt);
}

function toUser({ id, email, name }: Pick<queries.PersonRow, "id" | "email" | "name">) {
  return { id, email, name };
}
