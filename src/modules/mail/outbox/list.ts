import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { mayDo, type SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page, type Place } from "../../../kernel/paging.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { peopleIn } from "../../people/people/service.ts";
import type { Mail, MailsQuery } from "./shapes.ts";

/** A mail of a library, without what it says. */
type MailRow = {
  id: string;
  seq: number;
  kind: Mail["kind"];
  state: Mail["state"];
  toEmail: string;
  toName: string | null;
  subject: string;
  shareId: string | null;
  requestId: string | null;
  code: number | null;
  answer: string | null;
  createdAt: number;
  dueAt: number | null;
  endedAt: number | null;
  madeBy: PersonId | null;
  stop: "link" | "owner" | null;
  hasBody: 0 | 1;
};

/** Digests are their reader's own. Who is invited to the library is for those who invite. */
const KINDS = ["brief", "link", "pack", "reminder", "submitted", "answered"] as const;

const COLUMNS = `m.id, m.seq, m.kind, m.state, m.to_email AS toEmail, m.to_name AS toName, m.subject, m.share_id AS shareId,
  m.request_id AS requestId, m.code, m.answer, m.created_at AS createdAt, m.due_at AS dueAt, m.ended_at AS endedAt,
  m.made_by AS madeBy, m.body IS NOT NULL AS hasBody,
  (SELECT min(s.source) FROM mail_stops s WHERE s.email = m.to_email AND (s.account_id IS NULL OR s.account_id = m.account_id)) AS stop`;

type Asked = {
  accountId: string;
  kinds: string;
  state: string | null;
  shareId: string | null;
  requestId: string | null;
  at: number;
  seq: number;
  limit: number;
};

const page = prepared((db) =>
  db.$client.prepare<MailRow, Asked>(
    `SELECT ${COLUMNS} FROM mails m INDEXED BY mails_by_account
     WHERE m.account_id = $accountId AND (m.created_at, m.seq) < ($at, $seq)
       AND m.kind IN (SELECT value FROM json_each($kinds)) AND ($state IS NULL OR m.state = $state)
       AND ($shareId IS NULL OR m.share_id = $shareId) AND ($requestId IS NULL OR m.request_id = $requestId)
     ORDER BY m.created_at DESC, m.seq DESC LIMIT $limit`,
  ),
);

const one = prepared((db) =>
  db.$client.prepare<MailRow, { accountId: string; kinds: string; id: string }>(
    `SELECT ${COLUMNS} FROM mails m WHERE m.id = $id AND m.account_id = $accountId
       AND m.kind IN (SELECT value FROM json_each($kinds))`,
  ),
);

type Reader = Pick<SessionActor, "accountId" | "allowed">;

const kindsFor = (reader: Reader): string =>
  JSON.stringify([
    ...KINDS,
    ...(mayDo(reader, "manage:team") ? ["invitation"] : []),
    ...(mayDo(reader, "read:composer") ? ["supply"] : []),
  ]);

/**
 * Returns a page of a library's mails to people, newest first, and what became of each.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listMails(
  deps: Pick<Deps, "db" | "now">,
  reader: Reader,
  { state, shareId, requestId, ...asked }: MailsQuery,
): Page<Mail> {
  const { accountId } = reader;
  const filter = {
    accountId,
    kinds: kindsFor(reader),
    state: state ?? null,
    shareId: shareId ?? null,
    requestId: requestId ?? null,
  };
  const select = ({ key, id }: Place, limit: number) =>
    page(deps.db)
      .all({ ...filter, at: Number(key), seq: Number(id || 0), limit })
      .map((row) => ({ ...row, id: String(row.seq), mailId: row.id }));
  const { items, paging } = cutPage(asked, JSON.stringify(["mails", filter]), select, (row) => row.createdAt);
  return {
    items: toMails(
      deps,
      accountId,
      items.map(({ mailId, ...row }) => ({ ...row, id: mailId })),
    ),
    paging,
  };
}

/** Returns one of a library's mails to people. @throws DomainError `mail_not_found`. */
export function getMail(deps: Pick<Deps, "db" | "now">, reader: Reader, id: string): Mail {
  const [mail] = toMails(deps, reader.accountId, [getMailRow(deps.db, reader, id)]);
  if (!mail) throw new RangeError("A row is a mail");
  return mail;
}

/** Returns one of a library's mails as stored. @throws DomainError `mail_not_found`. */
export function getMailRow(db: Db, reader: Reader, id: string): MailRow {
  const row = one(db).get({ accountId: reader.accountId, kinds: kindsFor(reader), id });
  if (row) return row;
  throw new DomainError("mail_not_found", "There is no such mail");
}

function toMails(deps: Pick<Deps, "db" | "now">, accountId: LibraryId, rows: readonly MailRow[]): Mail[] {
  const by = peopleIn(
    deps,
    accountId,
    rows.map(({ madeBy }) => madeBy),
  );
  return rows.map(({ seq: _, hasBody, createdAt, dueAt, endedAt, madeBy, stop, ...row }) => ({
    ...row,
    createdAt: toIso(createdAt),
    dueAt: toIsoOrNull(dueAt),
    endedAt: toIsoOrNull(endedAt),
    madeBy: by(madeBy),
    stopped: stop === null ? null : stop === "link" ? "recipient" : "library",
    mayGoAgain: hasBody === 1 && (row.state === "refused" || row.state === "unsure"),
  }));
}
