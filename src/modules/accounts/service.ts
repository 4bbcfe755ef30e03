import { type Db, transact } from "../../../db/client.ts";
import type { SessionActor } from "../../kernel/actor.ts";
import type { Attempts } from "../../kernel/attempt-limit.ts";
import { audit } from "../../kernel/audit.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError, type ErrorCode } from "../../kernel/errors.ts";
import { newId, newToken } from "../../kernel/ids.ts";
import { isSameBytes, sha256 } from "../../kernel/secrets.ts";
import { requireText } from "../../kernel/text.ts";
import { DAY_MS, toIso } from "../../kernel/time.ts";
import type { Login, Register, SessionRow, SignedIn } from "./model.ts";
import { hashPassword, provePassword } from "./passwords.ts";
import * as queries from "./queries.ts";

export { createAccountLimits } from "./limits.ts";
export { hashPassword, provePassword } from "./passwords.ts";
export { selectCredits, takeCredit } from "./queries.ts";

const SESSION_SLIDING_MS = 30 * DAY_MS;
const SESSION_ABSOLUTE_MS = 90 * DAY_MS;

/** The client that started a session. */
export type Client = { ip: string; userAgent: string | null };

/** Returns an e-mail address as it is stored and compared. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Returns true until the first account exists; until then the set-up code works. */
export function isUnclaimed({ db }: Pick<Deps, "db">): boolean {
  return queries.countAccounts(db) === 0;
}

/** `cameByBriefId` is the brief whose public submission page led to this account (decision 2.23). */
type NewAccount = { email: string; name: string; password: string; cameByBriefId?: string };

/**
 * Creates an account, for the operator or for {@link register}. Its credits come from the setting.
 *
 * @throws DomainError `duplicate_email`; `validation_failed` when the name is blank.
 */
export async function createAccount(
  { db, now, settings }: Pick<Deps, "db" | "now" | "settings">,
  { email, name, password, cameByBriefId }: NewAccount,
  mayCreate: () => void = () => undefined,
): Promise<queries.AccountRow> {
  const shownName = requireText("name", name);
  const passwordHash = await hashPassword(password);
  return transact(db, (tx) => {
    mayCreate();
    const normalised = normaliseEmail(email);
    if (queries.findAccountByEmail(tx, normalised))
      throw new DomainError("duplicate_email", "An account with this e-mail address already exists");
    const id = newId("usr");
    const at = now();
    audit(tx, { actor: id, action: "account.create", subject: id }, at);
    const credits = settings.searchCreditsDefault;
    return queries.insertAccount(tx, {
      id,
      email: normalised,
      name: shownName,
      passwordHash,
      credits,
      createdAt: at,
      ...(cameByBriefId && { acquisitionSource: "file_request", acquisitionBriefId: cameByBriefId }),
    });
  });
}

/** Refused registrations that count as attempts: each tells a guesser something. */
const GUESSES: ReadonlySet<ErrorCode> = new Set(["invalid_setup_code", "duplicate_email"]);

/**
 * Registers an account over HTTP and signs it in (decision 5.15). The first account needs the set-up code; later ones
 * need open registration. Wrong guesses and created accounts both count as attempts: one address has ten per quarter
 * of an hour.
 *
 * @throws DomainError `invalid_setup_code`, `registration_closed`, `duplicate_email`, `rate_limit_exceeded`.
 */
export async function register(
  deps: Pick<Deps, "db" | "now" | "settings">,
  input: Register & { cameByBriefId?: string },
  client: Client,
  { setupCode, attempts }: { setupCode: string | undefined; attempts: Attempts },
): Promise<SignedIn> {
  const mayCreate = () => {
    if (deps.settings.registrationOpen && !isUnclaimed(deps)) return;
    if (!isUnclaimed(deps))
      throw new DomainError(
        "registration_closed",
        "Registration is closed on this server: ask its operator for an account",
      );
    if (
      setupCode !== undefined &&
      isSameBytes(sha256(codeOf(input.setupCode ?? "")), sha256(codeOf(setupCode)))
    )
      return;
    throw new DomainError(
      "invalid_setup_code",
      "The first account needs the set-up code printed at the first start",
    );
  };
  attempts.check();
  const takeBack = attempts.count();
  try {
    mayCreate(); // before the costly hash; checked again in the transaction, in case two requests arrive at once
    const account = await createAccount(deps, input, mayCreate);
    return beginSession(deps, account, client);
  } catch (error) {
    if (!(error instanceof DomainError && GUESSES.has(error.code))) takeBack();
    throw error;
  }
}

const codeOf = (text: string) => text.replace(/[^0-9a-z]/gi, "").toUpperCase();

/**
 * Signs an account in with its password. Only failures count against the limit, and a success clears them.
 *
 * @throws DomainError `invalid_credentials`, with the same message and the same cost for an unknown address;
 *   `rate_limit_exceeded` after too many failures, or when too many clients sign in at once.
 */
export async function login(
  deps: Pick<Deps, "db" | "now">,
  input: Login,
  client: Client,
  attempts: Attempts,
): Promise<SignedIn> {
  const account = queries.findAccountByEmail(deps.db, normaliseEmail(input.email));
  const hash = account?.active ? account.passwordHash : undefined;
  if (!(await provePassword(input.password, hash, attempts)) || !account)
    throw new DomainError("invalid_credentials", "The e-mail address or the password is wrong");
  return beginSession(deps, account, client);
}

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

/** Returns the signed-in account, and when its session ends if it goes unused. */
export function getSession({ db }: Pick<Deps, "db">, actor: SessionActor) {
  const session = queries.listSessions(db, actor.accountId).find(({ id }) => id === actor.sessionId);
  const account = queries.findAccount(db, actor.accountId);
  if (!session || !account) throw new DomainError("invalid_session_token", "This session token is not valid");
  return { id: session.id, expiresAt: toIso(expiryOf(session)), user: toUser(account) };
}

/** Returns an account's live sessions, newest first. */
export function listSessions({ db, now }: Pick<Deps, "db" | "now">, actor: SessionActor): SessionRow[] {
  return queries
    .listSessions(db, actor.accountId)
    .filter((session) => expiryOf(session) > now())
    .map((session) => ({
      id: session.id,
      current: session.id === actor.sessionId,
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
  if (queries.deleteSession(db, actor.accountId, id)) return 1;
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

/**
 * Returns an account for the operator.
 *
 * @throws DomainError `not_found`.
 */
export function getAccountByEmail({ db }: Pick<Deps, "db">, email: string): queries.AccountRow {
  const account = queries.findAccountByEmail(db, normaliseEmail(email));
  if (account) return account;
  throw new DomainError("not_found", `There is no account with the e-mail address ${normaliseEmail(email)}`);
}

/** Returns every account, oldest first. */
export function listAccounts({ db }: Pick<Deps, "db">): queries.AccountRow[] {
  return queries.listAccounts(db);
}

/** Returns true when `id` is an active account. */
export function isActiveAccount({ db }: Pick<Deps, "db">, id: string): boolean {
  return queries.findAccount(db, id)?.active ?? false;
}

/** Sets an account's search credits (null: unlimited) or adds to them; returns the new balance. Audited. */
export function changeCredits(
  { db, now }: Pick<Deps, "db" | "now">,
  email: string,
  change: { set: number | null } | { add: number },
): number | null {
  return transact(db, (tx) => {
    const { id } = getAccountByEmail({ db: tx }, email);
    audit(tx, { actor: "operator", action: "credits.change", subject: id, detail: change }, now());
    const account =
      "set" in change ? queries.updateCredits(tx, id, change.set) : queries.addToCredits(tx, id, change.add);
    return account?.credits ?? null;
  });
}

function expiryOf(session: queries.SessionDbRow): number {
  return Math.min(session.lastUsedAt + SESSION_SLIDING_MS, session.absoluteExpiresAt);
}

function toUser({ id, email, name }: queries.AccountRow) {
  return { id, email, name };
}
