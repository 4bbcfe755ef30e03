import type { LibraryId, PersonId } from "../../../../../db/schema.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { type NewNotification, notify } from "../../../people/notifications/service.ts";
import { membersAmong } from "../../../people/people/service.ts";

type RefusedRow = {
  accountId: LibraryId;
  madeBy: PersonId;
  toName: string | null;
  subject: string;
  answer: string | null;
  entity: "track" | "playlist" | null;
  entityId: string | null;
  briefId: string | null;
};

/**
 * Tells whoever sent a mail that the relay refused it; the whole library, when they are no longer in it. Call it in the transaction that
 * records that.
 */
export function tellRefused({ db, now }: Pick<Deps, "db" | "now">, mailId: string): void {
  const row = db.$client
    .query<RefusedRow, [string]>(
      `SELECT m.account_id AS accountId, m.made_by AS madeBy, m.to_name AS toName, m.subject, m.answer, s.entity,
         s.entity_id AS entityId, r.brief_id AS briefId
       FROM mails m LEFT JOIN shares s ON s.id = m.share_id LEFT JOIN brief_requests r ON r.id = m.request_id
       WHERE m.id = ? AND m.account_id IS NOT NULL AND m.made_by IS NOT NULL`,
    )
    .get(mailId);
  if (!row) return;
  const { accountId, madeBy, toName, subject, answer } = row;
  const who = toName === null ? `“${subject}”` : `to ${toName}`;
  const title = `The mail ${who} was refused: ${withoutAddresses(answer ?? "the relay did not say why")}`;
  const personId = membersAmong({ db, now }, accountId, [madeBy]).has(madeBy) ? madeBy : null;
  notify(db, { accountId, personId, madeBy: null, kind: "mail.refused", title, ...aboutOf(row) }, now());
}

function aboutOf({ entity, entityId, briefId }: RefusedRow): Pick<NewNotification, "entityKey" | "entityId"> {
  if (entity !== null && entityId !== null) return { entityKey: entity, entityId };
  if (briefId !== null) return { entityKey: "brief", entityId: briefId };
  return { entityKey: "library", entityId: "library" };
}

/** Relays repeat the address that they refuse; notifications have none. */
const withoutAddresses = (answer: string): string =>
  answer
    .replace(/<?[^\s<>]+@[^\s<>]+>?:?/g, "")
    .replace(/\s+/g, " ")
    .trim();
