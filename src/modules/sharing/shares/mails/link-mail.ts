import type { Member } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../../kernel/errors.ts";
import {
  cancelWaiting,
  countOfShare,
  moveWaiting,
  openSending,
  readMessage,
  readWords,
  type Sending,
  sendByHand,
} from "../../../mail/outbox/service.ts";
import type { ShareRow } from "../queries.ts";
import type { ShareMail } from "../shapes.ts";
import { nameOf } from "./recipient.ts";
import { wordsOfLink } from "./words.ts";

type MailDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

/** The mail of a link that is about to be made or changed. */
export type LinkMail = {
  sending: Sending;
  kind: "link" | "pack";
  message: string | null;
  when: "now" | "open";
};

type Addressed = { recipient?: string | null; recipientEmail?: string | null };

/**
 * Checks that the mail of links can be sent, before they are made. Undefined where none is asked for.
 *
 * @param to Whom the links are for.
 * @throws DomainError `mail_off`, `insufficient_scope`, `mail_stopped`, `mail_limit`; `validation_failed` for a link without an address, and
 *   for names and words that would begin another header.
 */
export async function openLinkMail(
  deps: MailDeps,
  actor: Member,
  mail: ShareMail | undefined,
  { kind, to }: { kind: LinkMail["kind"]; to: readonly Addressed[] },
): Promise<LinkMail | undefined> {
  if (!mail) return undefined;
  const { message, when = "now", replyTo } = mail;
  const emails = to.flatMap(({ recipientEmail }) => recipientEmail ?? []);
  const sending = await openSending(deps, actor, { kind, to: emails, replyTo });
  if (emails.length < to.length)
    throw invalidField("recipientEmail", "required", "is needed for a mail: where should it go?");
  for (const { recipient } of to) readWords("recipient", recipient ?? "");
  return { sending, kind, when, message: readMessage(message) };
}

/**
 * Writes the mail that brings a link to its recipient. Call it in the transaction that makes or changes the link.
 *
 * @throws DomainError `mail_limit`; `invalid_transition` when it has gone to this address, or waits.
 */
export function mailLink(deps: MailDeps, { sending, kind, message, when }: LinkMail, link: ShareRow): void {
  const { id: shareId, recipient, recipientEmail, notBefore } = link;
  if (recipientEmail === null) return;
  const earlier = countOfShare(deps.db, { shareId, email: recipientEmail });
  if (earlier.live > 0)
    throw new DomainError("invalid_transition", "This link was sent to this address already, or waits to be");
  const at = deps.now();
  const dueAt = when === "open" ? Math.max(at, notBefore ?? at) : at;
  sendByHand(deps, sending, {
    kind,
    shareId,
    dedupe: `${kind} ${shareId} ${earlier.all}`,
    to: { email: recipientEmail, name: nameOf(recipient) || null },
    words: wordsOfLink(deps, link, { library: sending.look.library, by: sending.by, message }, dueAt),
    dueAt,
  });
}

/** Keeps the mails that wait for a link true to it: they go when it opens, and not to an address that is its recipient's no more. */
export function followLink(deps: Pick<Deps, "db" | "now">, before: ShareRow, after: ShareRow): void {
  const { id: shareId } = before;
  if (before.notBefore !== after.notBefore)
    moveWaiting(deps, { shareId, from: before.notBefore, to: after.notBefore });
  if (before.recipientEmail !== after.recipientEmail)
    cancelWaiting(deps, { shareId, exceptTo: after.recipientEmail, words: "The address was changed" });
}

/** Cancels the mails that wait for a link that is revoked. */
export const endMails = (deps: Pick<Deps, "db" | "now">, shareId: string): void =>
  cancelWaiting(deps, { shareId, exceptTo: null, words: "The link has ended" });
