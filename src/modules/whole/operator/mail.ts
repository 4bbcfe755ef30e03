import type { PersonId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { toIso } from "../../../kernel/time.ts";
import { testLetter } from "../../mail/letters/service.ts";
import { composeForServer, countWaiting, nameOf, requireMail, tryMail } from "../../mail/outbox/service.ts";
import { findOperatorSeat } from "../../people/accounts/service.ts";
import { findMailTrouble, tellMailTrouble } from "../../people/notifications/service.ts";
import { findPerson } from "../../people/people/service.ts";
import type { MailServer, MailTest } from "./mail-shapes.ts";

/** Returns where mails go. @throws DomainError `mail_off`. */
export function getMailServer({ db, settings }: Pick<Deps, "db" | "settings">): MailServer {
  const relay = requireMail(settings);
  const { name, address } = relay.from;
  const trouble = findMailTrouble(db);
  return {
    server: nameOf(relay),
    sender: name === null ? address : `${name} <${address}>`,
    perDay: relay.perDay,
    waiting: countWaiting(db),
    lastRefusal: trouble ? { at: toIso(trouble.at), words: trouble.words } : null,
  };
}

/** Sends a mail to the operator, and returns what the relay said. @throws DomainError `mail_off`. */
export async function testMail(
  { db, now, settings }: Pick<Deps, "db" | "now" | "settings">,
  personId: PersonId,
): Promise<MailTest> {
  const relay = requireMail(settings);
  const { email = "", name = null } = findPerson(db, personId) ?? {};
  const letter = testLetter({ href: `${publicUrlOf(settings)}/library/settings/mail` });
  const mail = { to: { email, name }, subject: letter.subject, content: composeForServer(letter) };
  return { ...(await tryMail(relay, { ...mail, id: newId("mail"), at: now() })), email };
}

/** A relay's answer may name who a mail is for, which is for nobody's notifications. */
const ADDRESSES = /<?[^\s<>@]+@[^\s<>@]+>?/g;

/** Tells the operator that the relay takes no mails. @param words Why, as the sender of mails says it. */
export function noteMailTrouble(deps: Pick<Deps, "db" | "now" | "settings">, words: string): void {
  const operator = findOperatorSeat(deps);
  const detail = `${nameOf(requireMail(deps.settings))}: ${words.replace(ADDRESSES, "…")}`;
  if (operator) tellMailTrouble(deps, operator, detail);
}
