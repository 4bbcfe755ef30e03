import { transact } from "../../../../db/client.ts";
import type { Attempts } from "../../../kernel/attempt-limit.ts";
import { audit } from "../../../kernel/audit.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newToken } from "../../../kernel/ids.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import { addressLetter, addressTakenLetter, addressToldLetter } from "../../mail/letters/service.ts";
import { composeForServer, readAddress, writeMail } from "../../mail/outbox/service.ts";
import * as people from "../people/service.ts";
import { ADDRESS_LINK_HOURS, ADDRESS_TOLD_HOURS } from "./shapes.ts";

type AddressDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

const LIFETIME_MS = ADDRESS_LINK_HOURS * HOUR_MS;
const TOLD_WITHIN_MS = ADDRESS_TOLD_HOURS * HOUR_MS;

/**
 * Prepares what a person's wish for another address writes, where mails are sent: the address they have stays until whoever reads
 * the new one's mail confirms it. An address that has a sign-in here is treated alike, and gets a mail that says so: the answer
 * and its time tell nobody whose address it is.
 *
 * @param attempts Of the new address and of the client; every wish counts.
 * @returns What to call in the transaction of the change.
 * @throws DomainError `rate_limit_exceeded`; `validation_failed` for what no mail can go to.
 */
export function prepareAddress(
  deps: AddressDeps,
  person: Pick<people.PersonRow, "id" | "name" | "email">,
  email: string,
  attempts: readonly Attempts[],
): (inTx: AddressDeps) => void {
  readAddress("email", email);
  for (const each of attempts) each.check();
  for (const each of attempts) each.count();
  const [token, root] = [newToken(32), publicUrlOf(deps.settings)];
  const toConfirm = addressLetter({ href: `${root}/confirm-address?token=${token}` });
  const taken = addressTakenLetter({ href: `${root}/signin` });
  const told = addressToldLetter({ hint: hintOf(email), href: `${root}/library/settings/security` });
  const contents = {
    toConfirm: composeForServer(toConfirm),
    taken: composeForServer(taken),
    told: composeForServer(told),
  };
  return (inTx) => {
    const at = inTx.now();
    const isTaken = people.findPersonByEmail(inTx.db, email) !== undefined;
    const tokenHash = sha256(token);
    people.placeAddressChange(inTx.db, {
      personId: person.id,
      email,
      tokenHash,
      expiresAt: at + LIFETIME_MS,
    });
    const own = { accountId: null, madeBy: person.id };
    writeMail(inTx, {
      ...own,
      kind: "address",
      dedupe: `address ${tokenHash.toString("hex")}`,
      to: { email, name: null },
      subject: isTaken ? taken.subject : toConfirm.subject,
      content: isTaken ? contents.taken : contents.toConfirm,
      expiresAt: at + LIFETIME_MS,
    });
    writeMail(inTx, {
      ...own,
      kind: "address-told",
      dedupe: `address-told ${tokenHash.toString("hex")}`,
      to: { email: person.email, name: person.name },
      subject: told.subject,
      content: contents.told,
      expiresAt: at + TOLD_WITHIN_MS,
    });
  };
}

/** Forgets the wishes for other addresses that nobody confirmed in time. */
export const pruneAddresses = ({ db, now }: Pick<Deps, "db" | "now">): void =>
  people.pruneAddressChanges(db, now());

/** Enough of an address for whoever knows it: `n…@example.com`. */
function hintOf(email: string): string {
  const at = email.lastIndexOf("@");
  return `${[...email.slice(0, at)][0] ?? ""}…${email.slice(at)}`;
}

/**
 * Returns the address that a link confirms. A link that does not work counts as an attempt.
 *
 * @throws DomainError `invalid_link` when it was used or replaced, has expired, or never existed; `rate_limit_exceeded`.
 */
export function getAddressChange(
  { db, now }: Pick<Deps, "db" | "now">,
  token: string,
  attempts: Attempts,
): { person: people.PersonRow; email: string } {
  attempts.check();
  const change = people.findAddressChange(db, sha256(token), now());
  if (change) return change;
  attempts.count();
  throw new DomainError("invalid_link", "This link has been used or has expired. Change your address again");
}

/**
 * Gives a person the address that a link confirms: they sign in with it from now on. The link ends, and so does one for a new
 * password, which the old address got. Audited.
 *
 * @throws DomainError as {@link getAddressChange}; `duplicate_email` when somebody else has the address by now.
 */
export function confirmAddress(
  deps: Pick<Deps, "db" | "now">,
  token: string,
  attempts: Attempts,
): { email: string } {
  return transact(deps.db, (tx) => {
    const { person, email } = getAddressChange(within(deps, tx), token, attempts);
    people.requireFreeEmail(tx, email, person.id);
    people.updatePerson(tx, person.id, { email });
    people.forgetLinks(tx, person.id);
    const detail = { changed: ["email"] };
    audit(tx, { actor: person.id, action: "account.change", subject: person.id, detail }, deps.now());
    return { email };
  });
}
