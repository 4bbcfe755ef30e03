import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { seal, unseal } from "../../../kernel/secrets.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { toIso } from "../../../kernel/time.ts";
import { normaliseEmail } from "../../people/people/service.ts";
import { readAddress } from "./addresses.ts";
import type { MailMark, MarkAddress } from "./shapes.ts";
import { stopKeyOf } from "./stop-key.ts";

/** Whose mail an address wants no more of. */
export type Stop = { email: string; accountId: LibraryId };

const CONTEXT = "stop";

/** Returns the address at which somebody says that they want no more mail. It names them to nobody but this server. */
export function stopUrl(deps: Pick<Deps, "db" | "secrets" | "settings">, stop: Stop): string {
  const token = seal(stopKeyOf(deps), JSON.stringify(stop), CONTEXT).toString("base64url");
  return `${publicUrlOf(deps.settings)}/mail/stop/${token}`;
}

/** Reads what {@link stopUrl} wrote. @throws DomainError `invalid_link` for anything else. */
export function readStop(deps: Pick<Deps, "db" | "secrets">, token: string): Stop {
  try {
    return JSON.parse(unseal(stopKeyOf(deps), Buffer.from(token, "base64url"), CONTEXT));
  } catch {
    throw new DomainError("invalid_link", "This link is not one of this server's");
  }
}

/**
 * Writes that an address wants no more mail, of one library or of the whole server. What waits for it is cancelled when it is due.
 * Doing it again changes nothing, a mark of the library becomes the recipient's own word, and a library that is no longer there needs no
 * stop. Audited, without the address.
 */
export function stopMail(
  { db, now }: Pick<Deps, "db" | "now">,
  { email, accountId }: Stop,
  isAll: boolean,
): void {
  transact(db, (tx) => {
    const { changes } = tx.$client
      .query<void, [string, string | null, number]>(
        `INSERT INTO mail_stops (email, account_id, at, source)
         SELECT ?1, ?2, ?3, 'link' WHERE ?2 IS NULL OR ?2 IN (SELECT id FROM accounts)
         ON CONFLICT DO UPDATE SET at = ?3, source = 'link' WHERE source = 'owner'`,
      )
      .run(normaliseEmail(email), isAll ? null : accountId, now());
    if (changes > 0)
      audit(tx, { actor: "mail", action: "mail.stopped", subject: isAll ? "server" : accountId }, now());
  });
}

/** True when an address wants no mail of a library, or of this server at all. */
export function isStopped(db: Db, { email, accountId }: Stop): boolean {
  return (
    db.$client
      .query("SELECT 1 FROM mail_stops WHERE email = ? AND (account_id IS NULL OR account_id = ?)")
      .get(normaliseEmail(email), accountId) !== null
  );
}

/**
 * Marks an address at which no mails of a library arrive, or takes that back. Who asked not to be written to stays so.
 *
 * @throws DomainError `validation_failed` for what is no single address.
 */
export function markAddress(
  { db, now }: Pick<Deps, "db" | "now">,
  { accountId, personId }: Pick<SessionActor, "accountId" | "personId">,
  { email, doesNotArrive }: MarkAddress,
): MarkAddress {
  const address = readAddress("email", email);
  return transact(db, (tx) => {
    const { changes } = tx.$client
      .query<void, { email: string; accountId: string; at: number }>(
        doesNotArrive
          ? `INSERT INTO mail_stops (email, account_id, at, source) VALUES ($email, $accountId, $at, 'owner') ON CONFLICT DO NOTHING`
          : `DELETE FROM mail_stops WHERE email = $email AND account_id = $accountId AND source = 'owner' AND $at`,
      )
      .run({ email: address, accountId, at: now() });
    const action = doesNotArrive ? "mail.marked" : "mail.unmarked";
    if (changes > 0) audit(tx, { actor: personId, action, subject: accountId }, now());
    return { email: address, doesNotArrive };
  });
}

/** Returns the addresses that a library has marked, the newest first. */
export const listMarks = ({ db }: Pick<Deps, "db">, accountId: LibraryId): MailMark[] =>
  db.$client
    .query<{ email: string; at: number }, [string]>(
      "SELECT email, at FROM mail_stops WHERE account_id = ? AND source = 'owner' ORDER BY at DESC, email",
    )
    .all(accountId)
    .map(({ email, at }) => ({ email, markedAt: toIso(at) }));
