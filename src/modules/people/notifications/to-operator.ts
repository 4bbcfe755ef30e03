import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { toIso } from "../../../kernel/time.ts";
import * as queries from "./queries.ts";

/** The operator, and the library in which they are told. */
type Operator = { accountId: LibraryId; personId: PersonId };

/** Tells the operator that a scheduled backup failed, at most once a day. @param detail Why, one sentence. */
export function tellBackupFailed(
  { db, now }: Pick<Deps, "db" | "now">,
  operator: Operator,
  detail: string,
): void {
  const at = now();
  const day = toIso(at).slice(0, 10);
  const title = `The backup of ${day} failed: ${detail}`;
  queries.insertNotification(db, {
    id: `ntf_backup_${day}`,
    ...operator,
    title,
    ...aboutLibrary("library.backup_failed"),
    createdAt: at,
  });
}

/** Tells the operator that the database's replica is not what it should be, at most once a day. @param detail Why. */
export function tellReplicaFailed(
  { db, now }: Pick<Deps, "db" | "now">,
  operator: Operator,
  detail: string,
): void {
  const at = now();
  const day = toIso(at).slice(0, 10);
  const title = `The replica did not pass its check on ${day}: ${detail}`;
  const about = aboutLibrary("library.replica_failed");
  queries.insertNotification(db, { id: `ntf_replica_${day}`, ...operator, title, ...about, createdAt: at });
}

const MAIL_REFUSED = "library.mail_refused";
const MAILS_WAIT = "Mails wait: ";

/**
 * Tells the operator that the relay takes no mails: once a day, with what it said last.
 *
 * @param detail Why, in words. It must hold no recipient's address.
 */
export function tellMailTrouble(
  { db, now }: Pick<Deps, "db" | "now">,
  operator: Operator,
  detail: string,
): void {
  const at = now();
  const id = `ntf_mail_${toIso(at).slice(0, 10)}`;
  const title = `${MAILS_WAIT}${detail}`;
  queries.insertNotification(db, { id, ...operator, title, ...aboutLibrary(MAIL_REFUSED), createdAt: at });
  queries.updateNotification(db, id, { title, createdAt: at });
}

/** Returns when the relay last took no mails, as far as the operator was told, and why. */
export function findMailTrouble(db: Db): { at: number; words: string } | undefined {
  const last = queries.findLastOfKind(db, MAIL_REFUSED);
  return last && { at: last.createdAt, words: last.title.slice(MAILS_WAIT.length) };
}

const aboutLibrary = (kind: string) => ({ kind, entityKey: "library", entityId: "library" });
