import type { Db } from "../../../../db/client.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { DAY_MS, toIso } from "../../../kernel/time.ts";
import * as queries from "./queries.ts";
import { SESSION_IDLE_DAYS, SESSION_LONGEST_DAYS, type SessionRow, type SignedIn } from "./shapes.ts";

const SESSION_SLIDING_MS = SESSION_IDLE_DAYS * DAY_MS;
const SESSION_ABSOLUTE_MS = SESSION_LONGEST_DAYS * DAY_MS;

/** The client that started a session. */
export type Client = { ip: string; userAgent: string | null };

/** Starts a session for an account whose owner has proved their identity, or that the operator chose. */
export function beginSession(
  { db, now }: Pick<Deps, "db" | "now">,
  account: queries.AccountRow,
  { ip, userAgent }: Client,
): SignedIn {
  const token = newToken(32);
  const at = now();
  queries.insertSession(db, {
    id: newId("ses"),
    accountId: account.id,
    tokenHash: sha256(token),
    userAgent: userAgent?.slice(0, 300) ?? null,
    ip,
    createdAt: at,
    lastUsedAt: at,
    absoluteExpiresAt: at + SESSION_ABSOLUTE_MS,
  });
  return { token, expiresAt: toIso(at + SESSION_SLIDING_MS), user: toUser(account) };
}

/**
 * Returns the session that a token opens.
 *
 * @throws DomainError `missing_session_token`, `invalid_session_token`, `expired_session_token`.
 */
export function authenticateSession(
  { db, now }: Pick<Deps, "db" | "now">,
  token: string | undefined,
): SessionActor {
  if (token === undefined)
    throw new DomainError("missing_session_token", "Sign in and send the session token");
  const found = queries.findSessionByToken(db, sha256(token));
  if (!found?.account.active)
    throw new DomainError("invalid_session_token", "This session token is not valid");
  if (expiryOf(found.session) <= now())
    throw new DomainError("expired_session_token", "This session has ended: sign in again");
  return { sessionId: found.session.id, accountId: found.account.id };
}

/** Returns those of the sessions that do not open anything any more. */
export function endedSessions({ db, now }: Pick<Deps, "db" | "now">, ids: readonly string[]): Set<string> {
  const ended = new Set(ids);
  for (const session of queries.findActiveSessions(db, ids))
    if (expiryOf(session) > now()) ended.delete(session.id);
  return ended;
}

/** Returns the signed-in account, and when its session ends if it goes unused. */
export function getSession({ db }: Pick<Deps, "db">, actor: SessionActor) {
  const session = queries.listSessions(db, actor.accountId).find(({ id }) => id === actor.sessionId);
  const account = queries.findAccount(db, actor.accountId);
  if (!session || !account) throw new DomainError("invalid_session_token", "This session token is not valid");
  return { id: session.id, expiresAt: toIso(expiryOf(session)), user: toUser(account) };
}

/** Returns an account's live sessions, newest first. */
export function listSessions(deps: Pick<Deps, "db" | "now">, actor: SessionActor): SessionRow[] {
  return listLiveSessions(deps, actor.accountId).map(({ id, ...row }) => ({
    id,
    current: id === actor.sessionId,
    ...row,
  }));
}

/** Like {@link listSessions}, for a reader who uses none of the sessions. */
export function listLiveSessions(
  { db, now }: Pick<Deps, "db" | "now">,
  accountId: string,
): Omit<SessionRow, "current">[] {
  return queries
    .listSessions(db, accountId)
    .filter((session) => expiryOf(session) > now())
    .map((session) => ({
      id: session.id,
      userAgent: session.userAgent,
      ip: session.ip,
      createdAt: toIso(session.createdAt),
      lastUsedAt: toIso(session.lastUsedAt),
      expiresAt: toIso(expiryOf(session)),
    }));
}

/**
 * Ends one session of the account, or all but the current one; returns how many ended.
 *
 * @throws DomainError `session_not_found`.
 */
export function revokeSessions(
  { db }: Pick<Deps, "db">,
  actor: SessionActor,
  id: string | undefined,
): number {
  if (id === undefined) return queries.deleteOtherSessions(db, actor.accountId, actor.sessionId);
  deleteSessionOf(db, actor.accountId, id);
  return 1;
}

/** Ends one session of an account. @throws DomainError `session_not_found`. */
export function deleteSessionOf(db: Db, accountId: string, id: string): void {
  if (!queries.deleteSession(db, accountId, id))
    throw new DomainError("session_not_found", "There is no such session");
}

/** Records when a session was last used, which moves its end. */
export function touchSession(tx: Db, sessionId: string, at: number): void {
  queries.updateSessionLastUsed(tx, sessionId, at);
}

/** Ends the session in use. */
export function logout({ db }: Pick<Deps, "db">, actor: SessionActor): void {
  queries.deleteSession(db, actor.accountId, actor.sessionId);
}

function expiryOf(session: queries.SessionDbRow): number {
  return Math.min(session.lastUsedAt + SESSION_SLIDING_MS, session.absoluteExpiresAt);
}

function toUser({ id, email, name }: queries.AccountRow) {
  return { id, email, name };
}
