import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import { cutPage, type Page, type PageRequest, type Place } from "../../../kernel/paging.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { toIso } from "../../../kernel/time.ts";
import { normaliseEmail } from "../../people/people/service.ts";
import type { BriefRequest, CreateRequest } from "./app-shapes.ts";
import { submitLink } from "./links.ts";
import { getRow } from "./manage.ts";
import * as queries from "./queries.ts";

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

/**
 * Creates a personal submission link for a person; the owner sends it. The link works while the brief is open,
 * whether its public page is on or not.
 *
 * @throws DomainError `brief_not_found`; `validation_failed` without a name and an address.
 */
export function createRequest(
  { db, now, settings }: Pick<Deps, "db" | "now" | "settings">,
  ownerId: LibraryId,
  briefId: string,
  { name, email, message }: CreateRequest,
): BriefRequest {
  const person = { name: name?.trim() || null, email: normaliseEmail(email ?? "") };
  if (person.name === null && person.email === "")
    throw invalidField("name", "required", "must be given, or an e-mail address");
  return transact(db, (tx) => {
    getRow(tx, ownerId, briefId);
    const row = {
      id: newId("req"),
      briefId,
      ...person,
      message: message?.trim() || null,
      token: newToken(16),
      createdAt: now(),
    };
    queries.insertRequest(tx, row);
    return toRequest(settings, { ...row, submissionCount: 0 });
  });
}

function toRequest(settings: Settings, row: queries.RequestRow): BriefRequest {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    message: row.message,
    link: submitLink(settings, row.token),
    createdAt: toIso(row.createdAt),
    submissionCount: row.submissionCount,
  };
}
