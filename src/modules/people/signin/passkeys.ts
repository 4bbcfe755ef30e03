import { transact } from "../../../../db/client.ts";
import type { PersonActor } from "../../../kernel/actor.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { publicUrlOf, type Settings } from "../../../kernel/settings.ts";
import { requireText } from "../../../kernel/text.ts";
import { MINUTE_MS, toIso } from "../../../kernel/time.ts";
import {
  type Client,
  deviceName,
  findPerson,
  markProved,
  provePassword,
  requirePasswords,
  requireProof,
  signInAs,
} from "../people/service.ts";
import type { SignedIn } from "../people/shapes.ts";
import { beginFlow, takeFlow } from "./flows.ts";
import * as queries from "./queries.ts";
import { proveByCode } from "./recovery.ts";
import {
  CHALLENGE_MINUTES,
  MAX_PASSKEY_NAME,
  MAX_PASSKEYS,
  type MadePasskey,
  type Passkey,
  type PasskeyOptions,
  type PasskeySignIn,
  type Proof,
} from "./shapes.ts";
import { requireWayIn } from "./ways.ts";
import type { Party } from "./webauthn.ts";

type SignInDeps = Pick<Deps, "db" | "now" | "settings">;

const CHALLENGE_MS = CHALLENGE_MINUTES * MINUTE_MS;

/** Loaded when it is first needed: most servers use no passkeys. */
const library = () => import("./webauthn.ts");

/** @throws DomainError `not_found` where the operator has not switched passkeys on. */
function partyOf(settings: Settings): Party {
  if (!settings.passkeys) throw new DomainError("not_found", "This server does not use passkeys");
  const { hostname, origin } = new URL(publicUrlOf(settings));
  return { rpId: hostname, origin };
}

/**
 * Returns what a browser asks its devices for, to sign somebody in or to prove who they are. It names nobody, so nothing can
 * be probed.
 *
 * @throws DomainError `not_found` where passkeys are off.
 */
export async function beginPasskey(deps: SignInDeps): Promise<PasskeyOptions> {
  const party = partyOf(deps.settings);
  const options = await (await library()).requestOptions(party, CHALLENGE_MS);
  const { challenge } = options;
  return {
    flow: beginFlow(deps, { kind: "passkey", lastsMs: CHALLENGE_MS, challenge }),
    options: { ...options },
  };
}

/**
 * Signs the owner of a passkey in.
 *
 * @throws DomainError `invalid_credentials`, whatever is wrong; `not_found` where passkeys are off.
 */
export async function signInWithPasskey(
  deps: SignInDeps,
  answer: PasskeySignIn,
  client: Client,
): Promise<SignedIn> {
  const used = await readAnswer(deps, answer);
  return transact(deps.db, (tx) => {
    // The person may have removed it during the check, or been shut out.
    const passkey = used && queries.findPasskey(tx, used.id);
    const signedIn =
      passkey &&
      queries.usePasskey(tx, used, deps.now()) &&
      signInAs({ ...deps, db: tx }, passkey.personId, client, { method: "passkey" });
    if (!signedIn) throw new DomainError("invalid_credentials", "This passkey does not work here");
    return signedIn;
  });
}

/** Returns what a device says of a passkey that is known here; undefined when it proves nothing. */
async function readAnswer(deps: SignInDeps, { flow: token, credential }: PasskeySignIn) {
  const party = partyOf(deps.settings);
  const flow = takeFlow(deps, token, "passkey");
  const passkey = queries.findPasskey(deps.db, credential.id);
  if (!flow?.challenge || !passkey) return undefined;
  const { userHandle } = credential.response;
  if (userHandle && Buffer.from(userHandle, "base64url").toString() !== passkey.personId) return undefined;
  return (await library()).readUsed(party, flow.challenge, credential, passkey);
}

/**
 * Proves who uses a session, which then may change how the person signs in for ten minutes.
 *
 * @throws DomainError `validation_failed` when the proof is wrong; `rate_limit_exceeded` after too many wrong passwords.
 */
export async function prove(
  deps: SignInDeps,
  actor: PersonActor,
  { password, flow, credential, recoveryCode }: Proof,
  attempts: Attempts,
): Promise<void> {
  if (recoveryCode !== undefined) return proveByCode(deps, actor, recoveryCode, attempts);
  if (flow !== undefined && credential !== undefined)
    return proveByPasskey(deps, actor, { flow, credential });
  await proveByPassword(deps, actor, password ?? "", attempts);
}

async function proveByPassword(
  deps: SignInDeps,
  { personId, ...actor }: PersonActor,
  password: string,
  attempts: Attempts,
): Promise<void> {
  const person = findPerson(deps.db, personId);
  if (person) requirePasswords(deps.settings, person);
  const hash = () => findPerson(deps.db, personId)?.passwordHash ?? undefined;
  const before = hash();
  // It may have been changed elsewhere during the check.
  if (!(await provePassword(password, before, attempts)) || hash() !== before)
    throw invalidField("password", "wrong", "is not the password of this account");
  transact(deps.db, (tx) => markProved(tx, { personId, ...actor }, deps.now()));
}

async function proveByPasskey(deps: SignInDeps, actor: PersonActor, answer: PasskeySignIn): Promise<void> {
  const used = await readAnswer(deps, answer);
  transact(deps.db, (tx) => {
    const isOwn = used && queries.findPasskey(tx, used.id)?.personId === actor.personId;
    if (!isOwn || !queries.usePasskey(tx, used, deps.now()))
      throw invalidField("credential", "wrong", "is not a passkey of yours that works here");
    markProved(tx, actor, deps.now());
  });
}

/** Returns a person's passkeys, oldest first. */
export function listPasskeys({ db }: Pick<Deps, "db">, { personId }: PersonActor): Passkey[] {
  return queries.listPasskeys(db, personId).map(toPasskey);
}

/**
 * Returns what a browser makes a passkey from.
 *
 * @throws DomainError `proof_needed`; `key_limit_reached` with {@link MAX_PASSKEYS}; `not_found` where passkeys are off.
 */
export async function beginNewPasskey(deps: SignInDeps, actor: PersonActor): Promise<PasskeyOptions> {
  const party = partyOf(deps.settings);
  requireProof(deps, actor);
  const { personId } = actor;
  const person = findPerson(deps.db, personId);
  if (!person) throw new DomainError("invalid_session_token", "This session token is not valid");
  const known = queries.listPasskeys(deps.db, personId);
  if (known.length >= MAX_PASSKEYS) throw tooMany();
  const options = await (await library()).creationOptions(party, person, known, CHALLENGE_MS);
  const { challenge } = options;
  const flow = beginFlow(deps, { kind: "add_passkey", lastsMs: CHALLENGE_MS, challenge, personId });
  return { flow, options: { ...options } };
}

/**
 * Keeps a passkey that a browser has made. Audited.
 *
 * @throws DomainError `validation_failed` when it was not made here, in this session's name and just now; `proof_needed`;
 *   `key_limit_reached`; `not_found` where passkeys are off.
 */
export async function addPasskey(
  deps: SignInDeps,
  actor: PersonActor,
  { flow: token, credential, name }: MadePasskey,
  userAgent: string | null,
): Promise<Passkey> {
  const party = partyOf(deps.settings);
  const shownName = requireText("name", name ?? deviceName(userAgent).slice(0, MAX_PASSKEY_NAME));
  requireProof(deps, actor);
  const { personId } = actor;
  const flow = takeFlow(deps, token, "add_passkey");
  const isOwn = flow?.personId === personId;
  const made =
    isOwn && flow.challenge
      ? await (await library()).readCreated(party, flow.challenge, credential)
      : undefined;
  return transact(deps.db, (tx) => {
    if (queries.listPasskeys(tx, personId).length >= MAX_PASSKEYS) throw tooMany();
    const at = deps.now();
    const row = made && queries.insertPasskey(tx, { ...made, personId, name: shownName, createdAt: at });
    if (!row) throw invalidField("credential", "wrong", "is not a passkey that was made here just now");
    audit(
      tx,
      { actor: personId, action: "account.passkey_add", subject: personId, detail: { name: shownName } },
      at,
    );
    return toPasskey(row);
  });
}

/** Gives a passkey another name. @throws DomainError `not_found`; `validation_failed` for a blank name. */
export function renamePasskey({ db }: Pick<Deps, "db">, { personId }: PersonActor, id: string, name: string) {
  const row = queries.renamePasskey(db, personId, id, requireText("name", name));
  if (!row) throw noPasskey();
  return toPasskey(row);
}

/**
 * Removes a passkey. Sessions that began with it stay. Audited.
 *
 * @throws DomainError `not_found`; `proof_needed`; `invalid_transition` when the person could not sign in any more.
 */
export function removePasskey(deps: SignInDeps, actor: PersonActor, id: string): void {
  requireProof(deps, actor);
  const { personId } = actor;
  transact(deps.db, (tx) => {
    const removed = queries.deletePasskey(tx, personId, id);
    if (!removed) throw noPasskey();
    requireWayIn({ ...deps, db: tx }, personId);
    const detail = { name: removed.name };
    audit(tx, { actor: personId, action: "account.passkey_remove", subject: personId, detail }, deps.now());
  });
}

const noPasskey = () => new DomainError("not_found", "There is no such passkey");
const tooMany = () =>
  new DomainError("key_limit_reached", `You have ${MAX_PASSKEYS} passkeys: remove one first`);

function toPasskey({ id, name, createdAt, lastUsedAt, backedUp }: queries.PasskeyRow): Passkey {
  return {
    id,
    name,
    createdAt: toIso(createdAt),
    lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
    backedUp,
  };
}
