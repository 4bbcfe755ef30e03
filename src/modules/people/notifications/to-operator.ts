import type { Db } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { toIso } from "../../../kernel/time.ts";
import * as queries from "./queries.ts";

/** The operator, and the library in which they are told. */
type Operator = { accountId: LibraryId; personId: PersonId };
type TellDeps = Pick<Deps, "db" | "now">;

/** Tells the operator that a scheduled backup failed, at most once a day. @param detail Why, one sentence. */
export function tellBackupFailed(deps: TellDeps, operator: Operator, detail: string): void {
  const day = dayOf(deps);
  const title = `The backup of ${day} failed: ${detail}`;
  tell(deps, operator, { id: `ntf_backup_${day}`, kind: "library.backup_failed", title });
}

/** Tells the operator that the database's replica is not what it should be, at most once a day. @param detail Why. */
export function tellReplicaFailed(deps: TellDeps, operator: Operator, detail: string): void {
  const day = dayOf(deps);
  const title = `The replica did not pass its check on ${day}: ${detail}`;
  tell(deps, operator, { id: `ntf_replica_${day}`, kind: "library.replica_failed", title });
}

const MAIL_REFUSED = "library.mail_refused";
const MAILS_WAIT = "Mails wait: ";

/**
 * Tells the operator that the relay takes no mails: once a day, with what it said last.
 *
 * @param detail Why, in words. It must hold no recipient's address.
 */
export function tellMailTrouble(deps: TellDeps, operator: Operator, detail: string): void {
  const id = `ntf_mail_${dayOf(deps)}`;
  const title = `${MAILS_WAIT}${detail}`;
  tell(deps, operator, { id, kind: MAIL_REFUSED, title });
  queries.updateNotification(deps.db, id, { title, createdAt: deps.now() });
}

/** Returns when the relay last took no mails, as far as the operator was told, and why. */
export function findMailTrouble(db: Db): { at: number; words: string } | undefined {
  const last = queries.findLastOfKind(db, MAIL_REFUSED);
  return last && { at: last.createdAt, words: last.title.slice(MAILS_WAIT.length) };
}

const dayOf = ({ now }: Pick<Deps, "now">) => toIso(now()).slice(0, 10);

/** Writes a notification about the library, unless there is one with its id. */
function tell(
  { db, now }: TellDeps,
  operator: Operator,
  notification: { id: string; kind: string; title: string },
): void {
  const about = { entityKey: "library", entityId: "library" };
  queries.insertNotification(db, { ...notification, ...operator, ...about, createdAt: now() });
}
