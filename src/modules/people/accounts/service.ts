import { type Db, transact } from "../../../../db/client.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, type ErrorCode } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { isSameBytes, sha256 } from "../../../kernel/secrets.ts";
import { requireText } from "../../../kernel/text.ts";
import { normaliseEmail } from "./email.ts";
import { hashPassword, provePassword } from "./passwords.ts";
import * as queries from "./queries.ts";
import { beginSession, type Client } from "./sessions.ts";
import type { SetupCode } from "./setup-code.ts";
import type { Login, Register, SignedIn } from "./shapes.ts";

export { createAccountLimits } from "./attempts.ts";
export { normaliseEmail } from "./email.ts";
export {
  beginOperatorSession,
  changeCredits,
  deleteAccountRow,
  endSessions,
  findOperator,
  getAccountByEmail,
  isAccount,
  isActiveAccount,
  listAccounts,
  listSessionsOf,
  nameOperator,
  setActive,
  setPassword,
} from "./operator.ts";
export { hashPassword, provePassword } from "./passwords.ts";
export { type AccountRow, findAccount, selectCredits, takeCredit, updateAccount } from "./queries.ts";
export { makeResetLink } from "./resets.ts";
export {
  authenticateSession,
  beginSession,
  endedSessions,
  getSession,
  listSessions,
  logout,
  revokeSessions,
  touchSession,
} from "./sessions.ts";
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
      operator: queries.isUnclaimed(tx),
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
  const account = findLogin(deps.db, input);
  const isRight = await provePassword(input.password, account?.passwordHash, attempts);
  return transact(deps.db, (tx) => {
    // The operator may have changed the password or disabled the account during the check.
    const current = findLogin(tx, input);
    if (!isRight || !current || current.passwordHash !== account?.passwordHash)
      throw new DomainError("invalid_credentials", "The e-mail address or the password is wrong");
    return beginSession({ ...deps, db: tx }, current, client);
  });
}

function findLogin(db: Db, { email }: Login): queries.AccountRow | undefined {
  const account = queries.findAccountByEmail(db, normaliseEmail(email));
  return account?.active ? account : undefined;
}
