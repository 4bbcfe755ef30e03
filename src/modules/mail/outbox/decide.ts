import { transact } from "../../../../db/client.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { requireLeft, requireRecipients, requireSender } from "./by-hand.ts";
import { getMail, getMailRow } from "./list.ts";
import { reportMail } from "./outbox.ts";
import type { Mail } from "./shapes.ts";

type DecideDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

/**
 * Cancels a mail that waits. Doing it again changes nothing, and the same may be sent anew.
 *
 * @throws DomainError `mail_not_found`; `invalid_transition` when it has gone, or is about to.
 */
export function cancelMail(deps: DecideDeps, actor: SessionActor, id: string): Mail {
  return transact(deps.db, (tx) => {
    const { state } = getMailRow(tx, actor, id);
    if (state !== "waiting" && state !== "cancelled")
      throw new DomainError("invalid_transition", "This mail does not wait any more");
    // A mail under way is cancelled too, as long as its end has not been handed over: see `markEnding`.
    tx.$client
      .query<void, { id: string; at: number }>(
        `UPDATE mails SET state = 'cancelled', answer = 'Cancelled', code = NULL, body = NULL, due_at = NULL, ended_at = $at,
           dedupe = dedupe || ' ' || id
         WHERE id = $id AND state = 'waiting'`,
      )
      .run({ id, at: deps.now() });
    return getMail(within(deps, tx), actor, id);
  });
}

/**
 * Sends a mail once more that was refused, or that may have arrived: the same bytes, so that two copies are one mail.
 *
 * @throws DomainError `mail_not_found`; `invalid_transition` for any other mail, and when what it said is gone; `mail_off`,
 *   `mail_stopped`, `mail_limit`.
 */
export function sendAgain(deps: DecideDeps, actor: SessionActor, id: string): Mail {
  requireSender(deps, actor);
  const { accountId } = actor;
  return transact(deps.db, (tx) => {
    const inTx = within(deps, tx);
    const { kind, toEmail, state, hasBody } = getMailRow(tx, actor, id);
    if (state !== "refused" && state !== "unsure")
      throw new DomainError(
        "invalid_transition",
        "Only mails go again that were refused or may have arrived",
      );
    if (hasBody === 0)
      throw new DomainError("invalid_transition", "What this mail said is gone: write a new one");
    requireRecipients(tx, accountId, { kind, to: [toEmail] });
    requireLeft(inTx, accountId, 1);
    tx.$client
      .query<void, { id: string; at: number }>(
        `UPDATE mails SET state = 'waiting', due_at = $at, tries = 0, code = NULL, answer = NULL, ended_at = NULL WHERE id = $id`,
      )
      .run({ id, at: deps.now() });
    reportMail(tx);
    return getMail(inTx, actor, id);
  });
}
