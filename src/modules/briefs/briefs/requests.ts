import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { SessionActor } from "../../../kernel/actor.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import { cutPage, type Page, type PageRequest, type Place } from "../../../kernel/paging.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { DAY_MS, SECOND_MS, toIso } from "../../../kernel/time.ts";
import {
  openSending,
  readMailState,
  readMessage,
  type Sending,
  sendByHand,
} from "../../mail/outbox/service.ts";
import { normaliseEmail } from "../../people/people/service.ts";
import type { BriefRequest, CreateRequest } from "./app-shapes.ts";
import { askingLetter } from "./asking-views.ts";
import { isActive } from "./lifecycle.ts";
import { submitLink } from "./links.ts";
import { getRow } from "./manage.ts";
import * as queries from "./queries.ts";
import { ASKED_AGAIN_DAYS } from "./shapes.ts";

/**
 * Returns a page of the people who were asked to submit to an account's brief, newest first.
 *
 * @throws DomainError `brief_not_found`.
 */
export function listRequests(
  { db, settings }: Pick<Deps, "db" | "settings">,
  ownerId: LibraryId,
  briefId: string,
  query: PageRequest,
): Page<BriefRequest> {
  getRow(db, ownerId, briefId);
  const select = (after: Place, limit: number) => queries.listRequests(db, briefId, after, limit);
  const { items, paging } = cutPage(query, `requests ${briefId}`, select, (row) => row.createdAt);
  return { items: items.map((row) => toRequest(settings, row)), paging };
}

type RequestDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

/**
 * Creates a personal submission link for a person, and sends it to them if the input says so. The link works while the brief is open,
 * whether its public page is on or not.
 *
 * @throws DomainError `brief_not_found`; `validation_failed` without a name and an address, or to send without an address. To send:
 *   `brief_not_open`; `mail_limit` when the address was asked for this brief in the last seven days, or the library has sent what it
 *   may; `mail_off`, `mail_stopped`, `insufficient_scope`.
 */
export async function createRequest(
  deps: RequestDeps,
  actor: SessionActor,
  briefId: string,
  { name, email, message, mail = false }: CreateRequest,
): Promise<BriefRequest> {
  const { accountId } = actor;
  const person = { name: name?.trim() || null, email: normaliseEmail(email ?? "") };
  if (person.name === null && person.email === "")
    throw invalidField("name", "required", "must be given, or an e-mail address");
  if (mail && person.email === "") throw invalidField("email", "required", "must be given to send a mail");
  getRow(deps.db, accountId, briefId);
  const asked = { kind: "brief", to: [person.email], field: "email" } as const;
  const sending = mail ? await openSending(deps, actor, asked) : undefined;
  return transact(deps.db, (tx) => {
    const brief = getRow(tx, accountId, briefId);
    const row = {
      id: newId("req"),
      briefId,
      ...person,
      message: mail ? readMessage(message, "message") : message?.trim() || null,
      token: newToken(16),
      createdAt: deps.now(),
    };
    queries.insertRequest(tx, row);
    if (sending) sendRequest(within(deps, tx), sending, brief, row);
    return toRequest(deps.settings, queries.getRequest(tx, row.id));
  });
}

type NewRequest = Pick<queries.RequestRow, "id" | "name" | "email" | "message" | "token">;

function sendRequest(
  deps: RequestDeps,
  sending: Sending,
  brief: queries.BriefRow,
  request: NewRequest,
): void {
  if (!isActive(brief, deps.now()))
    throw new DomainError("brief_not_open", "Open the brief first: a mail leads to a page that takes music");
  const { id, name, email, message, token } = request;
  requireNotAskedLately(deps, brief.id, email);
  const words = askingLetter({
    library: sending.look.library,
    by: sending.by,
    name: brief.name,
    description: brief.description,
    deadline: brief.deadline,
    href: submitLink(deps.settings, token),
    message,
  });
  sendByHand(deps, sending, {
    kind: "brief",
    dedupe: `brief ${id}`,
    to: { email, name },
    requestId: id,
    words,
  });
}

/** @throws DomainError `mail_limit` when somebody was asked for a brief a few days ago. */
function requireNotAskedLately({ db, now }: Pick<Deps, "db" | "now">, briefId: string, email: string): void {
  const last = queries.lastAskedByMail(db, briefId, email);
  const free = (last ?? Number.NEGATIVE_INFINITY) + ASKED_AGAIN_DAYS * DAY_MS;
  if (last === undefined || free <= now()) return;
  throw new DomainError(
    "mail_limit",
    `This address was asked for this brief on ${dayText(last)}, and may be asked again from ${dayText(free)} on`,
    { headers: { "retry-after": String(Math.ceil((free - now()) / SECOND_MS)) } },
  );
}

const dayText = (at: number) => toIso(at).slice(0, "YYYY-MM-DD".length);

function toRequest(settings: Settings, row: queries.RequestRow): BriefRequest {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    message: row.message,
    link: submitLink(settings, row.token),
    createdAt: toIso(row.createdAt),
    submissionCount: row.submissionCount,
    ...((settings.mail || row.mail !== null) && { mail: readMailState(row.mail) }),
  };
}

/** Returns what a mail would say that asks for music for a brief. @throws DomainError `brief_not_found`. */
export function askingLetterOf(
  { db, settings }: Pick<Deps, "db" | "settings">,
  accountId: LibraryId,
  briefId: string,
) {
  const { name, description, deadline } = getRow(db, accountId, briefId);
  const href = submitLink(settings, "made-when-sent");
  return (from: { library: string; by: string; message: string | null }) =>
    askingLetter({ ...from, name, description, deadline, href });
}
