import { type Db, transact } from "../../../../db/client.ts";
import type { PersonActor, SessionActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { isBlank, requireText } from "../../../kernel/text.ts";
import { toIso } from "../../../kernel/time.ts";
import * as people from "../people/service.ts";
import { listPeopleOf } from "../team/service.ts";
import { prepareAddress } from "./address.ts";
import * as queries from "./queries.ts";
import type { Account, ChangeAccount, ChangePassword, Thanks } from "./shapes.ts";

type ProfileDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

const OURS: Thanks = { new: null, shortlisted: null, passed: null, kept: null };

/** Returns the account of a member: the name and the address are the person's, the rest is the library's. */
export function getAccount(
  { db, now }: Pick<Deps, "db" | "now">,
  { accountId, personId, rooms }: SessionActor,
): Account {
  const account = queries.findAccount(db, accountId);
  const person = people.findPerson(db, personId);
  if (!account || !person) throw new DomainError("invalid_session_token", "This session token is not valid");
  const { name, email, operator } = person;
  // A guest has nothing to do with those who send music.
  const thanks = rooms ? OURS : { ...OURS, ...account.thanks };
  const newEmail = people.findAwaitedAddress(db, personId, now()) ?? null;
  const createdAt = toIso(account.createdAt);
  const { assistantConfirm } = account;
  return { id: accountId, name, email, newEmail, createdAt, isOperator: operator, thanks, assistantConfirm };
}

/** Wrong passwords of a person, and mails that a change of theirs sends. */
export type ChangeAttempts = { password: Attempts; mails: readonly Attempts[] };

/**
 * Changes the sentences for senders, what assistants ask before, the name, or the e-mail address, which is what the person signs in with: somebody who finds a browser open must not
 * take the account away, so a new address needs a proof. Where mails are sent, it counts once it is confirmed; the address of now takes
 * such a wish back. Audited.
 *
 * @throws DomainError `duplicate_email` where no mails are sent; `validation_failed` when the name is blank, or the password is wrong;
 *   `rate_limit_exceeded`; as {@link people.proveOwner}.
 */
export async function changeAccount(
  deps: ProfileDeps,
  actor: SessionActor,
  change: ChangeAccount,
  { password, mails }: ChangeAttempts,
): Promise<Account> {
  const { db, now, settings } = deps;
  const { personId } = actor;
  const { currentPassword, email: given, ...others } = change;
  const { name, email: before } = getAccount(deps, actor);
  const email = given === undefined ? undefined : people.normaliseEmail(given);
  const isMoved = email !== undefined && email !== before;
  const proved = isMoved ? await people.proveOwner(deps, actor, currentPassword, password) : undefined;
  const isAsked = isMoved && settings.mail !== undefined;
  const ask = isAsked ? prepareAddress(deps, { id: personId, name, email: before }, email, mails) : undefined;
  return transact(db, (tx) => {
    proved?.(tx);
    if (email !== undefined) people.deleteAddressChange(tx, personId);
    ask?.(within(deps, tx));
    const columns = columnsOf(
      { ...others, ...(email !== undefined && !isAsked && { email }) },
      getAccount(within(deps, tx), actor).thanks,
    );
    if (columns.email !== undefined) people.requireFreeEmail(tx, columns.email, personId);
    if (Object.keys(columns).length > 0) {
      writeColumns(tx, actor, columns);
      const detail = { changed: Object.keys(columns) };
      audit(tx, { actor: personId, action: "account.change", subject: actor.accountId, detail }, now());
    }
    if (isAsked) audit(tx, { actor: personId, action: "account.address", subject: personId }, now());
    return getAccount(within(deps, tx), actor);
  });
}

function writeColumns(tx: Db, actor: SessionActor, columns: ReturnType<typeof columnsOf>): void {
  const { thanks, assistantConfirm, ...own } = columns;
  if (own.name !== undefined) renameAlone(tx, actor, own.name);
  if (Object.keys(own).length > 0) people.updatePerson(tx, actor.personId, own);
  if (thanks !== undefined) queries.updateAccount(tx, actor.accountId, { thanks });
  if (assistantConfirm !== undefined) queries.updateAccount(tx, actor.accountId, { assistantConfirm });
}

/** A library that has its only member's name goes on having it. Call it before the person is renamed. */
function renameAlone(tx: Db, { accountId, personId }: SessionActor, name: string): void {
  const before = people.findPerson(tx, personId)?.name;
  if (listPeopleOf(tx, accountId).length === 1 && queries.findAccount(tx, accountId)?.name === before)
    queries.updateAccount(tx, accountId, { name });
}

/** Returns the columns that a change writes; `before` are the sentences until now. */
function columnsOf(
  { name, email, thanks, assistantConfirm }: Omit<ChangeAccount, "currentPassword">,
  before: Thanks,
) {
  return {
    ...(name !== undefined && { name: requireText("name", name) }),
    ...(email !== undefined && { email }),
    ...(thanks !== undefined && { thanks: ownOf({ ...before, ...thanks }) }),
    ...(assistantConfirm !== undefined && { assistantConfirm }),
  };
}

/** Returns the sentences that are not ours; null when all are. */
function ownOf(thanks: Thanks): Partial<Record<keyof Thanks, string>> | null {
  const own = Object.entries(thanks).flatMap(([state, text]) =>
    text === null || isBlank(text) ? [] : [[state, text.trim()]],
  );
  return own.length === 0 ? null : Object.fromEntries(own);
}

/**
 * Sets a new password and ends every other session; returns how many ended. Audited.
 *
 * @throws DomainError `validation_failed` when the current password is wrong; `password_sign_in_off` where a new one would count
 *   for nothing; as {@link people.proveOwner}.
 */
export async function changePassword(
  deps: ProfileDeps,
  actor: PersonActor,
  { currentPassword, newPassword }: ChangePassword,
  attempts: Attempts,
): Promise<number> {
  const { db, now } = deps;
  const { personId: id, sessionId } = actor;
  const person = people.findPerson(db, id);
  if (person) people.requirePasswords(deps.settings, person);
  const proved = await people.proveOwner(deps, actor, currentPassword, attempts);
  const passwordHash = await people.hashPassword(newPassword);
  return transact(db, (tx) => {
    proved(tx);
    people.updatePerson(tx, id, { passwordHash });
    people.forgetLinks(tx, id);
    const sessionsEnded = people.deleteOtherSessions(tx, id, sessionId);
    audit(tx, { actor: id, action: "account.password", subject: id, detail: { sessionsEnded } }, now());
    return sessionsEnded;
  });
}
