import { transact } from "../../../../db/client.ts";
import { mayDo, type SessionActor, type Viewer } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { Need } from "../../../kernel/roles.ts";
import { isStopped, requireMail } from "../../mail/outbox/service.ts";
import { findPerson } from "../../people/people/service.ts";
import * as queries from "./queries.ts";
import { type ChangeMailWishes, type MailWishes, WISH_KINDS, type WishKind } from "./shapes.ts";

type WishDeps = Pick<Deps, "db" | "now" | "settings">;

/** What it takes to hear of each kind. Notifications ask for more, by what each is about. */
const NEEDED: Readonly<Record<WishKind, Need>> = {
  submissions: "read:briefs",
  answers: "read:shares",
  notes: "read:comments",
  listens: "read:analytics",
};

/** Returns what somebody may hear of. A guest sees who listened in some rooms at most, and hears of nobody. */
export function offeredTo(actor: Viewer & Pick<SessionActor, "rooms">): WishKind[] {
  const isOpen = (kind: WishKind) => actor.rooms === undefined || kind === "notes";
  return WISH_KINDS.filter((kind) => isOpen(kind) && mayDo(actor, NEEDED[kind]));
}

/** Returns what a member hears of a library by mail: at first nothing. */
export function getWishes({ db, settings }: WishDeps, actor: SessionActor): MailWishes {
  const { accountId } = actor;
  const email = findPerson(db, actor.personId)?.email ?? "";
  const offered = offeredTo(actor);
  const wish = queries.findWish(db, actor);
  return {
    sendsMail: settings.mail !== undefined,
    email,
    isStopped: isStopped(db, { email, accountId }),
    every: wish?.every ?? "off",
    kinds: WISH_KINDS.filter((kind) => wish?.kinds.includes(kind) ?? offered.includes(kind)),
    offered,
  };
}

/**
 * Changes what a member hears of a library by mail. Switched on, it begins with what happens from then on.
 *
 * @throws DomainError `mail_off`; `mail_stopped` when the address wants no mail of this library or this server.
 */
export function changeWishes(deps: WishDeps, actor: SessionActor, change: ChangeMailWishes): MailWishes {
  requireMail(deps.settings);
  return transact(deps.db, (tx) => {
    const before = getWishes(within(deps, tx), actor);
    const { every = before.every, kinds = before.kinds } = change;
    if (every !== "off" && before.isStopped)
      throw new DomainError("mail_stopped", `${before.email} has asked for no more mail from here`);
    const at = deps.now();
    const isOn = before.every !== "off" && every !== "off";
    const sentUntil = isOn ? (queries.findWish(tx, actor)?.sentUntil ?? at) : at;
    const { accountId, personId } = actor;
    queries.putWish(tx, { accountId, personId, every, kinds: [...kinds], sentUntil });
    return getWishes(within(deps, tx), actor);
  });
}
