import { transact } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, type ErrorCode } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { isSameBytes, sha256 } from "../../../kernel/secrets.ts";
import { requireText } from "../../../kernel/text.ts";
import { addPerson, type Client, hashPassword, normaliseEmail } from "../people/service.ts";
import type { SignedIn } from "../people/shapes.ts";
import { addOwner } from "../team/service.ts";
import { beginSession, getAccountByEmail } from "./operator.ts";
import * as queries from "./queries.ts";
import type { SetupCode } from "./setup-code.ts";
import type { Register } from "./shapes.ts";

export {
  beginSession,
  changeCredits,
  deleteAccountRow,
  findOperator,
  findOperatorSeat,
  getAccountByEmail,
  isAccount,
  isActiveAccount,
  listAccounts,
  type Named,
  setActive,
} from "./operator.ts";
export {
  beginOperatorSession,
  endSessions,
  findOperatingPerson,
  getPersonByEmail,
  listPeople,
  listSessionsOf,
  makeResetLink,
  nameOperator,
  setPassword,
  setPersonActive,
  shutOut,
} from "./persons.ts";
export { type AccountRow, findAccount, selectCredits, takeCredit, updateAccount } from "./queries.ts";
export { createSetupCode, type SetupCode } from "./setup-code.ts";

/** Returns true until the first account exists; until then the set-up code works. */
export function isUnclaimed({ db }: Pick<Deps, "db">): boolean {
  return queries.isUnclaimed(db);
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
    const id = newId("usr");
    const at = now();
    const operator = queries.isUnclaimed(tx);
    const person = addPerson(tx, {
      id: id as PersonId, // whoever founds a library has its id, as accounts always had
      email: normaliseEmail(email),
      name: shownName,
      passwordHash,
      createdAt: at,
      operator,
    });
    audit(tx, { actor: id, action: "account.create", subject: id }, at);
    queries.insertAccount(tx, {
      id,
      name: shownName,
      credits: settings.searchCreditsDefault,
      createdAt: at,
      ...(cameByBriefId && { acquisitionSource: "file_request", acquisitionBriefId: cameByBriefId }),
    });
    addOwner(tx, id, person.id, at);
    return getAccountByEmail({ db: tx }, person.email);
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
  { setupCode, attempts }: { setupCode: SetupCode; attempts: Attempts },
): Promise<SignedIn> {
  const mayCreate = () => {
    if (deps.settings.registrationOpen && !isUnclaimed(deps)) return;
    if (!isUnclaimed(deps))
      throw new DomainError(
        "registration_closed",
        "Registration is closed on this server: ask its operator for an account",
      );
    const code = setupCode();
    if (code !== undefined && isSameBytes(sha256(codeOf(input.setupCode ?? "")), sha256(codeOf(code))))
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
