import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { createOwnWrites } from "../../../../db/writes.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";
import { seal, unseal } from "../../../kernel/secrets.ts";
import { resealStopKey } from "./stop-key.ts";

/** What a mail is about. */
export const MAIL_KINDS = [
  "brief",
  "link",
  "pack",
  "reminder",
  "submitted",
  "digest",
  "answered",
  "password",
  "address",
  "address-told",
  "invitation",
  "supply",
  "test",
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Mails that somebody may refuse. Those about one's own sign-in or place in a library reach everybody. */
export const STOPPABLE: ReadonlySet<MailKind> = new Set<MailKind>([
  "brief",
  "link",
  "pack",
  "reminder",
  "submitted",
  "digest",
  "answered",
  "supply",
]);

/** Mails that people send. What a refused one said is kept, so that it can go again. */
export const BY_HAND: ReadonlySet<MailKind> = new Set<MailKind>([
  "brief",
  "link",
  "pack",
  "reminder",
  "invitation",
  "supply",
]);

/** What a mail says. All of it is sealed in the database: new passwords are asked for with what stands here. */
export type MailContent = {
  /** Beside the address of `MAIL_FROM`; null: its own name. */
  fromName: string | null;
  replyTo: string | null;
  text: string;
  html: string;
  /** Beyond the usual ones. */
  headers: Readonly<Record<string, string>>;
  /** The logo, to which the HTML points as `cid:logo`. */
  logo: { type: string; base64: string } | null;
};

/** A mail to be sent. */
export type NewMail = {
  /** Null: the server's own. */
  accountId: LibraryId | null;
  kind: MailKind;
  /** What it is about, so that it is sent once: `brief req_…`. */
  dedupe: string;
  to: { email: string; name: string | null };
  subject: string;
  content: MailContent;
  shareId?: string;
  requestId?: string;
  invitationId?: string;
  madeBy?: PersonId;
  /** Epoch milliseconds. Left out: now. */
  dueAt?: number;
  /** Epoch milliseconds: afterwards it is of no use. */
  expiresAt?: number;
};

const INSERT = `
  INSERT INTO mails (id, account_id, kind, dedupe, to_email, to_name, share_id, request_id, invitation_id, subject, body, made_by, state,
                     due_at, expires_at, created_at)
  VALUES ($id, $accountId, $kind, $dedupe, $email, $name, $shareId, $requestId, $invitationId, $subject, $body, $madeBy, 'waiting',
          $dueAt, $expiresAt, $at)
  ON CONFLICT (dedupe) DO NOTHING`;

// Wakes the sender on the same connection.
const written = createOwnWrites();

/**
 * Writes a mail into the outbox. Call it inside the transaction of the deed: either both are there after a crash, or neither.
 *
 * @returns Its id; undefined when the same mail was written before.
 */
export function writeMail(
  { db, now, secrets }: Pick<Deps, "db" | "now" | "secrets">,
  mail: NewMail,
): string | undefined {
  const id = newId("mail");
  const at = now();
  const { changes } = db.$client.query<void, Record<string, string | number | null | Buffer>>(INSERT).run({
    id,
    accountId: mail.accountId,
    kind: mail.kind,
    dedupe: mail.dedupe,
    email: mail.to.email,
    name: mail.to.name,
    shareId: mail.shareId ?? null,
    requestId: mail.requestId ?? null,
    invitationId: mail.invitationId ?? null,
    subject: mail.subject,
    body: seal(secrets("mails"), JSON.stringify(mail.content), id),
    madeBy: mail.madeBy ?? null,
    dueAt: mail.dueAt ?? at,
    expiresAt: mail.expiresAt ?? null,
    at,
  });
  if (changes === 0) return undefined;
  written.report(db);
  return id;
}

const recent = prepared((db) =>
  db.$client.prepare<{ total: number }, { requestId: string; kind: string; since: number }>(
    "SELECT count(*) AS total FROM mails WHERE request_id = $requestId AND kind = $kind AND created_at > $since",
  ),
);

/** Returns how many mails of a kind about a request were written since a time. */
export function countRecent(db: Db, about: { requestId: string; kind: MailKind; since: number }): number {
  return recent(db).get(about)?.total ?? 0;
}

/** Wakes the sender: a mail is due earlier, or again. */
export const reportMail = written.report;

const lastOf = prepared((db) =>
  db.$client.prepare<{ at: number | null }, [string, string]>(
    "SELECT max(created_at) AS at FROM mails WHERE share_id = ? AND kind = ?",
  ),
);

/** Returns when the last mail of a kind about a link was written; undefined when there was none. */
export function lastAbout(db: Db, shareId: string, kind: MailKind): number | undefined {
  return lastOf(db).get(shareId, kind)?.at ?? undefined;
}

/** Calls `listener` at every {@link writeMail} on this connection, see `OwnWrites`. */
export const onMail = written.listen;

/** Returns what a mail says. @throws Error when it was sealed under another master secret. */
export function contentOf(
  { secrets }: Pick<Deps, "secrets">,
  { id, body }: { id: string; body: Uint8Array },
): MailContent {
  return JSON.parse(unseal(secrets("mails"), body, id));
}

/**
 * Seals the waiting mails, and the key of the links that stop mail, for a new master secret. A mail that does not open stays as it is.
 * Returns how many mails it sealed.
 */
export function resealMails(tx: Db, from: Deps["secrets"], to: Deps["secrets"]): number {
  const rows = tx.$client
    .query<{ id: string; body: Uint8Array }, []>("SELECT id, body FROM mails WHERE body IS NOT NULL")
    .all();
  resealStopKey(tx, from, to);
  const write = tx.$client.query<void, [Buffer, string]>("UPDATE mails SET body = ? WHERE id = ?");
  let sealed = 0;
  for (const { id, body } of rows) {
    const text = opened(from, id, body);
    if (text === undefined) continue;
    write.run(seal(to("mails"), text, id), id);
    sealed++;
  }
  return sealed;
}

function opened(secrets: Deps["secrets"], id: string, body: Uint8Array): string | undefined {
  try {
    return unseal(secrets("mails"), body, id);
  } catch {
    return undefined;
  }
}
