import type { Db } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import type { PersonActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { ProviderSettings } from "../../../kernel/settings.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { findPerson, maySignInByPassword } from "../people/service.ts";
import * as queries from "./queries.ts";
import type { ProviderSignIn, SignInState } from "./shapes.ts";

type WaysDeps = Pick<Deps, "db" | "settings">;

/** Returns how a person may sign in on this server as it is set up. Recovery codes are for emergencies and do not count. */
function waysOf({ db, settings }: WaysDeps, personId: PersonId) {
  const person = findPerson(db, personId);
  const { provider, passkeys } = settings;
  return {
    password: person?.passwordHash != null && maySignInByPassword(settings, person),
    passkey: passkeys && queries.listPasskeys(db, personId).length > 0,
    provider: provider !== undefined && queries.findIdentityOf(db, provider.issuer, personId) !== undefined,
  };
}

/** Returns how a person may sign in. */
export function getSignIn({ db, settings }: WaysDeps, { personId }: PersonActor): SignInState {
  const person = findPerson(db, personId);
  const mayHavePassword = person !== undefined && maySignInByPassword(settings, person);
  return {
    mayHavePassword,
    hasPassword: mayHavePassword && person.passwordHash !== null,
    provider: settings.provider ? providerSignIn(db, settings.provider, personId) : null,
  };
}

function providerSignIn(db: Db, { issuer, name }: ProviderSettings, personId: PersonId): ProviderSignIn {
  const row = queries.findIdentityOf(db, issuer, personId);
  if (!row) return { name, connected: null };
  const { email, createdAt, lastUsedAt } = row;
  return { name, connected: { email, createdAt: toIso(createdAt), lastUsedAt: toIsoOrNull(lastUsedAt) } };
}

/** Keeps a person from removing their last way in. Call it after the removal, in its transaction. @throws DomainError `invalid_transition`. */
export function requireWayIn(deps: WaysDeps, personId: PersonId): void {
  const { password, passkey, provider } = waysOf(deps, personId);
  if (!password && !passkey && !provider)
    throw new DomainError("invalid_transition", "This is your only way to sign in: add another one first");
}
