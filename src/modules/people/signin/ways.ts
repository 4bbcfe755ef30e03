import type { PersonId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { findPerson, maySignInByPassword } from "../people/service.ts";
import * as queries from "./queries.ts";

type WaysDeps = Pick<Deps, "db" | "settings">;

/** Returns how a person may sign in on this server as it is set up. Recovery codes are for emergencies and do not count. */
export function waysOf({ db, settings }: WaysDeps, personId: PersonId) {
  const person = findPerson(db, personId);
  const { provider, passkeys } = settings;
  return {
    password: person?.passwordHash != null && maySignInByPassword(settings, person),
    passkey: passkeys && queries.listPasskeys(db, personId).length > 0,
    provider: provider !== undefined && queries.findIdentityOf(db, provider.issuer, personId) !== undefined,
  };
}

/** Keeps a person from removing their last way in. Call it after the removal, in its transaction. @throws DomainError `invalid_transition`. */
export function requireWayIn(deps: WaysDeps, personId: PersonId): void {
  const { password, passkey, provider } = waysOf(deps, personId);
  if (!password && !passkey && !provider)
    throw new DomainError("invalid_transition", "This is your only way to sign in: add another one first");
}
