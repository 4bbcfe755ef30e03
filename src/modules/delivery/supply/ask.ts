import { transact } from "../../../../db/client.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { dayOf } from "../../../kernel/dates.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { toIso } from "../../../kernel/time.ts";
import { askComposer, getAppComposer } from "../../library/composers/service.ts";
import { supplyLetter } from "../../mail/letters/service.ts";
import { openSending, sendByHand } from "../../mail/outbox/service.ts";
import type { AskComposer, AskedComposer } from "./shapes.ts";

type AskDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

/**
 * Makes a link by which a composer checks and completes their own details, and sends it if the input says so.
 *
 * @throws DomainError `composer_not_found`, `track_not_found`; to send: `validation_failed` for a composer without an address,
 *   `mail_off`, `mail_limit`, `mail_stopped`, `insufficient_scope`. No link is made then.
 */
export async function ask(
  deps: AskDeps,
  actor: SessionActor,
  composerId: string,
  { trackIds = [], mail = false, message = null }: AskComposer,
): Promise<AskedComposer> {
  const { accountId: ownerId, personId: madeBy } = actor;
  const { email, fullName } = getAppComposer(deps, ownerId, composerId);
  if (mail && email === null) throw invalidField("mail", "no_address", "needs a composer with an address");
  const to = mail && email !== null ? email : undefined;
  const sending = to === undefined ? undefined : await openSending(deps, actor, { kind: "supply", to: [to] });
  return transact(deps.db, (tx) => {
    const { id, token, expiresAt } = askComposer(tx, { ownerId, composerId, trackIds, madeBy }, deps.now());
    const url = `${publicUrlOf(deps.settings)}/supply/${token}`;
    if (sending && to !== undefined) {
      const { library } = sending.look;
      const until = dayOf(expiresAt);
      const words = supplyLetter({
        library,
        by: sending.by,
        href: url,
        message: message?.trim() || null,
        until,
      });
      const about = { kind: "supply", dedupe: `supply ${id}` } as const;
      sendByHand(within(deps, tx), sending, {
        ...about,
        to: { email: to, name: fullName },
        expiresAt,
        words,
      });
    }
    return { requestId: id, url, expiresAt: toIso(expiresAt), mailed: sending !== undefined };
  });
}
