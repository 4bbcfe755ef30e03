import type { Db } from "../../../../db/client.ts";
import type { PersonId } from "../../../../db/schema.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { removePassword } from "../people/service.ts";
import * as queries from "./queries.ts";

/** Ends the keys and connected programs that a person has, in every library; returns how many there were. */
export type EndAccess = (tx: Db, personId: PersonId, at: number) => { keys: number; programs: number };

/** What somebody's sign-in and access consisted of before it was taken away. */
export type Taken = {
  hadPassword: boolean;
  passkeys: number;
  recoveryCodes: number;
  sessions: number;
  keys: number;
  programs: number;
};

/**
 * Takes every way to sign in and every access away from a person whose address the provider confirms: somebody else may have set
 * them up under that address before its owner came. Call it in a transaction. Audited.
 */
export function takeWaysIn(
  { db, now }: Pick<Deps, "db" | "now">,
  personId: PersonId,
  endAccess: EndAccess,
): Taken {
  const taken = {
    ...removePassword(db, personId),
    passkeys: queries.deletePasskeys(db, personId),
    recoveryCodes: queries.deleteRecoveryCodes(db, personId),
    ...endAccess(db, personId, now()),
  };
  queries.deleteIdentities(db, personId);
  queries.deleteFlowsOf(db, personId);
  audit(db, { actor: personId, action: "account.ways_taken", subject: personId, detail: taken }, now());
  return taken;
}

/** Says in words what no longer works; empty when there was nothing. */
export function takenInWords(taken: Taken): string[] {
  const some = (count: number, one: string) =>
    count === 0 ? [] : [`${count} ${one}${count === 1 ? "" : "s"}`];
  return [
    ...(taken.hadPassword ? ["your password"] : []),
    ...some(taken.passkeys, "passkey"),
    ...some(taken.recoveryCodes, "recovery code"),
    ...some(taken.sessions, "session"),
    ...some(taken.keys, "API key"),
    ...some(taken.programs, "connected program"),
  ];
}
