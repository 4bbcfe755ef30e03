import { transact } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { SessionActor } from "../../../../kernel/actor.ts";
import { type Deps, within } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { DAY_MS, toIso } from "../../../../kernel/time.ts";
import { listUnusedShares } from "../../../library/analytics/service.ts";
import { listMailedBefore, openSending, readMessage, sendByHand } from "../../../mail/outbox/service.ts";
import type { ShareRow } from "../queries.ts";
import * as queries from "../queries.ts";
import {
  LEAST_REMIND_DAYS,
  MAX_UNOPENED,
  type Remind,
  type RemindableLink,
  type Reminded,
} from "../shapes.ts";
import { isLive, toShares } from "../wire.ts";
import { nameOf } from "./recipient.ts";
import { wordsOfReminder } from "./words.ts";

type RemindDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;
type Unopened = { row: ShareRow; link: RemindableLink };

/**
 * Returns the links that went out by mail and that nobody has opened since, the one that waits longest first: those that may be reminded
 * of, once.
 *
 * @param days So long ago at least they went out, and opened.
 */
export const listUnopened = (deps: RemindDeps, ownerId: LibraryId, days: number): RemindableLink[] =>
  unopenedOf(deps, ownerId, days).map(({ link }) => link);

/** @param among Only these links; left out: all, and at most as many as are listed. */
function unopenedOf(
  deps: RemindDeps,
  ownerId: LibraryId,
  days: number,
  among?: ReadonlySet<string>,
): Unopened[] {
  const { db, now } = deps;
  const at = now();
  const before = at - days * DAY_MS;
  const mailed = listMailedBefore(db, { accountId: ownerId, before }).filter(
    ({ shareId }) => among?.has(shareId) ?? true,
  );
  const unused = new Set(
    listUnusedShares(
      db,
      mailed.map(({ shareId }) => shareId),
    ),
  );
  const found: { row: ShareRow; sentAt: number }[] = [];
  for (const { shareId, sentAt } of mailed) {
    if (found.length === MAX_UNOPENED) break;
    const row = unused.has(shareId) ? queries.findShare(db, ownerId, shareId) : undefined;
    const isOpen = row && isLive(row, at) && (row.notBefore === null || row.notBefore <= before);
    if (isOpen && row.recipientEmail !== null) found.push({ row, sentAt });
  }
  const rows = found.map(({ row }) => row);
  const names = queries.selectEntityNames(
    db,
    rows.map(({ entityId }) => entityId),
  );
  const shares = toShares(deps, rows, names);
  return found.flatMap(({ row, sentAt }, place) => {
    const share = shares[place];
    // What is in the bin has no name, and opens nothing. An answer is as good as a visit.
    return share && !share.opened && share.name !== null
      ? [{ row, link: { ...share, sentAt: toIso(sentAt) } }]
      : [];
  });
}

/**
 * Reminds the recipients of links that nobody has opened: all of them, or none. A link is reminded of once.
 *
 * @throws DomainError `share_not_found`; `invalid_transition` when one was opened, has ended, was reminded of, or went out less than
 *   three days ago; `mail_off`, `mail_limit`, `mail_stopped`.
 */
export async function remind(
  deps: RemindDeps,
  actor: SessionActor,
  { shareIds, message, replyTo = false }: Remind,
): Promise<Reminded> {
  const { accountId } = actor;
  const ids = [...new Set(shareIds)];
  const to = ids.flatMap((id) => getShare(deps, accountId, id).recipientEmail ?? []);
  const sending = await openSending(deps, actor, { kind: "reminder", to, replyTo });
  const from = { library: sending.look.library, by: sending.by, message: readMessage(message, "message") };
  return transact(deps.db, (tx) => {
    const inTx = within(deps, tx);
    const ready = new Map(
      unopenedOf(inTx, accountId, LEAST_REMIND_DAYS, new Set(ids)).map(({ row }) => [row.id, row] as const),
    );
    const others = ids.filter((id) => !ready.has(id));
    if (others.length > 0)
      throw new DomainError("invalid_transition", "Some of these links cannot be reminded of", {
        data: { shareIds: others },
      });
    for (const row of ready.values()) {
      if (row.recipientEmail === null) continue;
      sendByHand(inTx, sending, {
        kind: "reminder",
        shareId: row.id,
        dedupe: `reminder ${row.id}`,
        to: { email: row.recipientEmail, name: nameOf(row.recipient) || null },
        words: wordsOfReminder(inTx, row, from),
      });
    }
    return { sent: ids.length };
  });
}

function getShare({ db }: RemindDeps, ownerId: LibraryId, id: string): ShareRow {
  const row = queries.findShare(db, ownerId, id);
  if (row) return row;
  throw new DomainError("share_not_found", "There is no such link");
}

/** Returns what the reminder of a link would say, and to whom it goes. @throws DomainError `share_not_found`. */
export function reminderOf(deps: RemindDeps, ownerId: LibraryId, shareId: string) {
  const row = getShare(deps, ownerId, shareId);
  return {
    to: { name: nameOf(row.recipient) || null, email: row.recipientEmail },
    words: (from: Parameters<typeof wordsOfReminder>[2]) => wordsOfReminder(deps, row, from),
  };
}
