import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { type Member, requireNeed } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { DAY_MS, SECOND_MS } from "../../../kernel/time.ts";
import { getBrand } from "../../people/brand/service.ts";
import { findPerson } from "../../people/people/service.ts";
import type { Words } from "../letters/service.ts";
import { readAddress, readWords } from "./addresses.ts";
import { composeLetter, loadLook, type MailLook } from "./compose.ts";
import { requireMail } from "./on.ts";
import { type MailKind, type NewMail, STOPPABLE, writeMail } from "./outbox.ts";
import { FIRST_DAYS, MAILS_A_DAY_AT_FIRST, MAX_MAIL_RECIPIENTS, type MailPreview } from "./shapes.ts";
import { isStopped } from "./stops.ts";

type SendingDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

/** Somebody of a library who may send mails, and how these look. */
export type Sending = {
  accountId: LibraryId;
  personId: PersonId;
  /** The sender's name, for the letter. */
  by: string;
  look: MailLook;
  /** Where answers to the mails go; null: to `MAIL_FROM`. */
  replyTo: string | null;
};

/** What a person sends to one address. */
export type MailByHand = Pick<
  NewMail,
  "kind" | "dedupe" | "to" | "shareId" | "requestId" | "invitationId" | "dueAt" | "expiresAt"
> & {
  words: Words;
};

/**
 * Passes when this server sends mails and the actor may: a person who is signed in, and whose role allows it.
 *
 * @throws DomainError `mail_off`, `insufficient_scope`.
 */
export function requireSender({ settings }: Pick<Deps, "settings">, actor: Member): PersonId {
  requireNeed(actor, "send:mail");
  if (actor.sessionId === undefined || actor.personId === undefined)
    throw new DomainError("insufficient_scope", "Only people send mails: sign in", {
      data: { required: "send:mail" },
    });
  if (!settings.mail) throw new DomainError("mail_off", "This server sends no mails");
  return actor.personId;
}

/**
 * The one door for mails that a person sends: checks who sends and to whom, before anything is done. Each mail is then written with
 * {@link sendByHand} in the transaction of the deed.
 *
 * @param to Every address of the deed, as it was typed.
 * @param field Where addresses stand in the request.
 * @throws DomainError `mail_off`, `insufficient_scope`; `validation_failed` for what is no single address, or for more than 50;
 *   `mail_stopped` when one of them wants no mail, with those in `data.emails`; `mail_limit`.
 */
export async function openSending(
  deps: SendingDeps,
  actor: Member,
  asked: { kind: MailKind; to: readonly string[]; replyTo?: boolean | undefined; field?: string },
): Promise<Sending> {
  const { accountId } = actor;
  const personId = requireSender(deps, actor);
  requireRecipients(deps.db, accountId, asked);
  requireLeft(deps, accountId, asked.to.length);
  return loadSending(deps, { accountId, personId, replyTo: asked.replyTo ?? false });
}

async function loadSending(
  deps: SendingDeps,
  { accountId, personId, replyTo }: { accountId: LibraryId; personId: PersonId; replyTo: boolean },
): Promise<Sending> {
  const person = findPerson(deps.db, personId);
  return {
    accountId,
    personId,
    by: person?.name ?? "",
    look: await loadLook(deps, accountId),
    replyTo: replyTo ? (person?.email ?? null) : null,
  };
}

type Recipients = { kind: MailKind; to: readonly string[]; field?: string };

/**
 * Passes when mails may go to every address.
 *
 * @throws DomainError `validation_failed`, `mail_stopped`.
 */
export function requireRecipients(db: Db, accountId: LibraryId, asked: Recipients): void {
  const { kind, to, field = "recipientEmail" } = asked;
  if (to.length > MAX_MAIL_RECIPIENTS)
    throw invalidField("recipients", "too_many", `must be at most ${MAX_MAIL_RECIPIENTS} people at a time`);
  const emails = [...new Set(to.map((email) => readAddress(field, email)))];
  const stopped = STOPPABLE.has(kind) ? emails.filter((email) => isStopped(db, { email, accountId })) : [];
  if (stopped.length > 0)
    throw new DomainError("mail_stopped", `Asked not to be written to: ${stopped.join(", ")}`, {
      data: { emails: stopped },
    });
}

/**
 * Writes a mail that a person sends into the outbox. Call it in the transaction of the deed, with what {@link openSending} returned.
 *
 * @returns The mail's id; undefined when the same was sent before.
 * @throws DomainError `mail_limit` when the library has sent what it may in a day; nothing of the deed is kept then.
 */
export function sendByHand(deps: SendingDeps, sending: Sending, mail: MailByHand): string | undefined {
  const { accountId, personId, look, replyTo } = sending;
  const { words, to, ...about } = mail;
  const email = readAddress("recipientEmail", to.email);
  const name = to.name === null ? null : readWords("recipient", to.name);
  requireLeft(deps, accountId, 1);
  return writeMail(deps, {
    ...about,
    accountId,
    madeBy: personId,
    to: { email, name },
    ...composeLetter(deps, look, { ...words, accountId, kind: mail.kind, to: { email, name }, replyTo }),
  });
}

const sentByHand = prepared((db) =>
  db.$client.prepare<{ count: number; oldest: number | null; founded: number }, [string, number]>(
    `SELECT count(m.seq) AS count, min(m.created_at) AS oldest, a.created_at AS founded
     FROM accounts a LEFT JOIN mails m INDEXED BY mails_by_account
       ON m.account_id = a.id AND m.created_at > ?2 AND m.made_by IS NOT NULL AND m.state <> 'cancelled'
     WHERE a.id = ?1`,
  ),
);

/** Passes while a library may send so many more mails. @throws DomainError `mail_limit`. */
export function requireLeft({ db, now, settings }: SendingDeps, accountId: LibraryId, more: number): void {
  const at = now();
  const { count = 0, oldest = null, founded = at } = sentByHand(db).get(accountId, at - DAY_MS) ?? {};
  const isFirstWeek = settings.registrationOpen && founded > at - FIRST_DAYS * DAY_MS;
  const perDay = settings.mail?.perDay ?? 0;
  const most = isFirstWeek ? Math.min(perDay, MAILS_A_DAY_AT_FIRST) : perDay;
  if (count + more <= most) return;
  const waitMs = (oldest ?? at) + DAY_MS - at;
  throw new DomainError("mail_limit", `This library sends at most ${most} mails in 24 hours`, {
    headers: { "retry-after": String(Math.ceil(waitMs / SECOND_MS)) },
    data: { perDay: most, sent: count },
  });
}

/**
 * Returns what a mail by hand would be, to the first of its recipients, and sends nothing. Its links lead nowhere yet.
 *
 * @throws DomainError `mail_off`, `insufficient_scope`; `validation_failed` for what is no single address.
 */
export async function previewByHand(
  deps: SendingDeps,
  actor: Member,
  { kind, to, replyTo, words }: PreviewedMail,
): Promise<MailPreview> {
  const { accountId } = actor;
  const personId = requireSender(deps, actor);
  const mail = requireMail(deps.settings);
  const recipients = to.map(({ name, email }) => {
    const address = readAddress("recipients", email);
    const isOut = STOPPABLE.has(kind) && isStopped(deps.db, { email: address, accountId });
    return { name: name === null ? null : readWords("recipients", name), email: address, takesMail: !isOut };
  });
  const sending = await loadSending(deps, { accountId, personId, replyTo });
  const { subject, content } = composeLetter(deps, sending.look, {
    ...words(sending),
    accountId,
    kind,
    to: { email: recipients[0]?.email ?? "", name: null },
    replyTo: sending.replyTo,
    isPreview: true,
  });
  const { logoUrl } = getBrand(deps, accountId);
  return {
    from: `${content.fromName} <${mail.from.address}>`,
    replyTo: content.replyTo,
    subject,
    recipients,
    html: logoUrl === null ? content.html : content.html.replaceAll("cid:logo", logoUrl),
    text: content.text,
  };
}

type PreviewedMail = {
  kind: MailKind;
  to: readonly { name: string | null; email: string }[];
  replyTo: boolean;
  words: (sending: Sending) => Words;
};
