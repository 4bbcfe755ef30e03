import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId, Role } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import * as people from "../people/service.ts";
import type { SessionRow, SignedIn } from "../people/shapes.ts";
import { listMemberships } from "../team/service.ts";

type PersonDeps = Pick<Deps, "db" | "now">;
type PersonRow = people.PersonRow;

/** A person, as the operator sees them: never what they keep, only where they are. */
export type KnownPerson = Pick<PersonRow, "id" | "email" | "name" | "active" | "operator" | "createdAt"> & {
  lastSeenAt: number | null;
  libraries: { id: LibraryId; name: string; role: Role; active: boolean }[];
};

/** Returns everybody on the server, in the order in which they came. */
export function listPeople({ db }: Pick<Deps, "db">): KnownPerson[] {
  const librariesOf = Map.groupBy(listMemberships(db), ({ personId }) => personId);
  return people.listPeople(db).map(({ passwordHash, ...person }) => ({
    ...person,
    libraries: (librariesOf.get(person.id) ?? []).map(({ personId, ...library }) => library),
  }));
}

/** Returns the person with an address. @throws DomainError `not_found`. */
export function getPersonByEmail({ db }: Pick<Deps, "db">, email: string): PersonRow {
  const address = people.normaliseEmail(email);
  const person = people.findPersonByEmail(db, address);
  if (person) return person;
  throw new DomainError("not_found", `There is no account with the e-mail address ${address}`);
}

/** Returns the operator. Undefined when they are blocked or deleted: nobody takes their place by themselves. */
export function findOperatingPerson({ db }: Pick<Deps, "db">): PersonRow | undefined {
  const operator = people.findOperator(db);
  return operator?.active ? operator : undefined;
}

/** Makes a person the operator, in place of the one who was. Audited. @throws DomainError `not_found`. */
export function nameOperator({ db, now }: PersonDeps, email: string): { email: string; operator: true } {
  return transact(db, (tx) => {
    const person = getPersonByEmail({ db: tx }, email);
    people.clearOperator(tx);
    people.updatePerson(tx, person.id, { operator: true });
    audit(tx, { actor: "operator", action: "account.operator", subject: person.id }, now());
    return { email: person.email, operator: true };
  });
}

/** Sets a person's password and ends all their sessions. Returns how many ended. Audited. */
export async function setPassword(
  { db, now }: PersonDeps,
  email: string,
  password: string,
): Promise<{ email: string; sessionsEnded: number }> {
  getPersonByEmail({ db }, email); // before the costly hash
  const passwordHash = await people.hashPassword(password);
  return transact(db, (tx) => {
    const person = getPersonByEmail({ db: tx }, email);
    const sessionsEnded = people.replacePassword(tx, person.id, passwordHash);
    const detail = { sessionsEnded };
    audit(tx, { actor: "operator", action: "account.password", subject: person.id, detail }, now());
    return { email: person.email, sessionsEnded };
  });
}

/** Signs a person in for the operator, without a password. Audited. @throws DomainError `not_found`, `invalid_transition`. */
export function beginOperatorSession({ db, now }: PersonDeps, email: string): SignedIn {
  return transact(db, (tx) => {
    const person = getPersonByEmail({ db: tx }, email);
    audit(tx, { actor: "operator", action: "session.create", subject: person.id }, now());
    const session = people.signInAs({ db: tx, now }, person.id, OPERATOR, { method: "operator" });
    if (!session) throw new DomainError("invalid_transition", shutOut({ db: tx, now }, person) ?? "");
    return session;
  });
}

const OPERATOR: people.Client = { ip: "operator", userAgent: null };

/** Returns the live sessions of a person for the operator, newest first. */
export function listSessionsOf(deps: PersonDeps, email: string): Omit<SessionRow, "current">[] {
  return people.listLiveSessions(deps, getPersonByEmail(deps, email).id);
}

/**
 * Ends one session of a person, or all of them. Returns how many ended. Audited.
 *
 * @throws DomainError `not_found`, `session_not_found`.
 */
export function endSessions({ db, now }: PersonDeps, email: string, id: string | undefined): number {
  return transact(db, (tx) => {
    const person = getPersonByEmail({ db: tx }, email);
    if (id !== undefined) people.deleteSessionOf(tx, person.id, id);
    const revoked = id === undefined ? people.deleteSessions(tx, person.id) : 1;
    const detail = { session: id ?? "every", revoked };
    audit(tx, { actor: "operator", action: "session.revoke", subject: person.id, detail }, now());
    return revoked;
  });
}

/** Returns why a person could not use a sign-in that is made for them; undefined when they can. */
export function shutOut({ db, now }: PersonDeps, person: PersonRow): string | undefined {
  if (!person.active) return `${person.email} is blocked: run person unblock first`;
  if (people.findEntry(db, person, now())) return undefined;
  const [library] = listMemberships(db, person.id);
  return library === undefined || library.active
    ? `${person.email} is in no library: invite them with team invite`
    : `The account ${person.email} is disabled: run account enable first`;
}

/**
 * Blocks a person, so that no sign-in, key or program of theirs opens anything, or lets them in again. Their sessions end; what they
 * made stays. Audited when it changes anything.
 *
 * @throws DomainError `not_found`; `invalid_transition` for the operator.
 */
export function setPersonActive({ db, now }: PersonDeps, id: PersonId, active: boolean): void {
  transact(db, (tx) => {
    const person = getPerson(tx, id);
    if (!active) people.refuseOperator(person, "blocked");
    if (person.active === active) return;
    people.updatePerson(tx, id, { active });
    const sessionsEnded = active ? 0 : people.deleteSessions(tx, id);
    const action = active ? "person.unblock" : "person.block";
    audit(tx, { actor: "operator", action, subject: id, detail: { sessionsEnded } }, now());
  });
}

function getPerson(tx: Db, id: PersonId): PersonRow {
  const person = people.findPerson(tx, id);
  if (person) return person;
  throw new DomainError("not_found", "There is no such person");
}

/** Makes a link with which a person, or the owner of an account, sets a new password. Audited. */
export function makeResetLink(
  deps: PersonDeps & Pick<Deps, "settings">,
  { ownerId, email }: { ownerId: PersonId; email: string },
): ReturnType<typeof people.makeResetLink> {
  return people.makeResetLink(deps, { id: ownerId, email });
}
