import { type Db, prepared, transact } from "../../../../db/client.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import {
  MAIL_STATE,
  openSending,
  readMailState,
  type Sending,
  sendByHand,
} from "../../mail/outbox/service.ts";
import { findPendingInvitation, invite, listInvitations, renewInvitation } from "../team/service.ts";
import type { Invitation, MadeInvitation } from "../team/shapes.ts";
import type { InviteByMail, MadeSentInvitation, RenewQuery, SentInvitation } from "./invite-shapes.ts";
import { invitingLetter } from "./invite-views.ts";

type InviteDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

/** Returns the invitations into the library that nobody has accepted, the newest first, with what has become of their mails. */
export function listSentInvitations(
  deps: Pick<Deps, "db" | "settings">,
  actor: SessionActor,
): SentInvitation[] {
  return withMails(deps, listInvitations(deps, actor));
}

/**
 * Invites an address into the library, and sends the link if the input says so.
 *
 * @throws DomainError as `invite`; to send: `mail_off`, `mail_limit`, `insufficient_scope`.
 */
export async function inviteMember(
  deps: InviteDeps,
  actor: SessionActor,
  { mail = false, ...wanted }: InviteByMail,
): Promise<MadeSentInvitation> {
  const sending = mail ? await openInviting(deps, actor, wanted.email) : undefined;
  return transact(deps.db, (tx) => {
    const inTx = within(deps, tx);
    return mailInvitation(inTx, sending, invite(inTx, actor, wanted));
  });
}

/**
 * Gives an invitation a new link, and sends it if the query says so. What waits with the old link is cancelled.
 *
 * @throws DomainError as `renewInvitation`; to send: as {@link inviteMember}.
 */
export async function renewMember(
  deps: InviteDeps,
  actor: SessionActor,
  id: string,
  { mail = false }: RenewQuery,
): Promise<MadeSentInvitation> {
  const pending = mail ? findPendingInvitation(deps.db, actor.accountId, id) : undefined;
  const sending = pending && (await openInviting(deps, actor, pending.email));
  return transact(deps.db, (tx) => {
    const inTx = within(deps, tx);
    return mailInvitation(inTx, sending, renewInvitation(inTx, actor, id));
  });
}

/** Passes when an actor may send an invitation to an address. Call it before the transaction that makes the invitation. */
export function openInviting(deps: InviteDeps, actor: SessionActor, email: string): Promise<Sending> {
  return openSending(deps, actor, { kind: "invitation", to: [email], field: "email" });
}

/** Sends an invitation that was just made, if `sending` is given. Call it in the transaction that made it. */
export function mailInvitation(
  deps: InviteDeps,
  sending: Sending | undefined,
  made: MadeInvitation,
  room: string | null = null,
): MadeSentInvitation {
  if (sending && made.expiresAt !== null) {
    const { id, email, role, url: href } = made;
    const expiresAt = Date.parse(made.expiresAt);
    const { by, look } = sending;
    const words = invitingLetter({ library: look.library, by, role, room, href, until: expiresAt });
    const about = { kind: "invitation", dedupe: `invitation ${id} ${expiresAt}`, invitationId: id } as const;
    sendByHand(deps, sending, { ...about, to: { email, name: null }, expiresAt, words });
  }
  const [sent] = withMails(deps, [made]);
  return { ...made, ...sent };
}

const lastMails = prepared((db) =>
  db.$client.prepare<{ id: string; state: string }, [string]>(
    `SELECT m.invitation_id AS id, ${MAIL_STATE} AS state FROM mails m
     WHERE m.seq IN (SELECT max(seq) FROM mails WHERE invitation_id IN (SELECT value FROM json_each(?)) GROUP BY invitation_id)`,
  ),
);

/** Adds to invitations what has become of their last mail, where the server sends mails. */
export function withMails<Some extends Invitation>(
  { db, settings }: { db: Db } & Pick<Deps, "settings">,
  some: readonly Some[],
): (Some & SentInvitation)[] {
  if (!settings.mail) return [...some];
  const rows = lastMails(db).all(JSON.stringify(some.map(({ id }) => id)));
  const states = new Map(rows.map(({ id, state }) => [id, readMailState(state)]));
  return some.map((each) => ({ ...each, mail: states.get(each.id) ?? null }));
}
