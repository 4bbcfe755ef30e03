import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PackOrder } from "../../../../db/schema.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId, newToken } from "../../../kernel/ids.ts";
import { cutPage, type Page, type PageRequest, type Place } from "../../../kernel/paging.ts";
import { fold, isBlank, requireText } from "../../../kernel/text.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { cancelAsking } from "../../mail/outbox/service.ts";
import { peopleIn } from "../../people/people/service.ts";
import type { AppBrief, CreateBrief, UpdateBrief } from "./app-shapes.ts";
import { checkTransition, readDeadline } from "./lifecycle.ts";
import { submitLink } from "./links.ts";
import * as queries from "./queries.ts";
import { toBrief } from "./wire.ts";

type ManageDeps = Pick<Deps, "db" | "now" | "settings">;

/** Returns a page of an account's briefs, newest first. */
export function listAppBriefs(deps: ManageDeps, ownerId: LibraryId, query: PageRequest): Page<AppBrief> {
  const select = (after: Place, limit: number) => queries.listBriefs(deps.db, ownerId, after, limit);
  const { items, paging } = cutPage(query, `briefs ${ownerId}`, select, (row) => row.createdAt);
  return { items: toAppBriefs(deps, ownerId, items), paging };
}

/**
 * Returns a brief of the account.
 *
 * @throws DomainError `brief_not_found`.
 */
export function getBrief(deps: ManageDeps, ownerId: LibraryId, id: string): AppBrief {
  const [brief] = toAppBriefs(deps, ownerId, [getRow(deps.db, ownerId, id)]);
  if (!brief) throw new RangeError("A row is a brief");
  return brief;
}

/** Returns an account's brief as stored; throws as {@link getBrief} does. */
export function getRow(db: Db, ownerId: LibraryId, id: string): queries.BriefRow {
  const row = queries.findOwnBrief(db, ownerId, id);
  if (row) return row;
  throw new DomainError("brief_not_found", "There is no such brief");
}

/**
 * Creates a brief, as a draft unless the input opens it at once.
 *
 * @throws DomainError `validation_failed` when the name is blank or the deadline is not a date.
 */
export function createBrief(deps: ManageDeps, ownerId: LibraryId, input: CreateBrief): AppBrief {
  const name = requireText("name", input.name);
  const change = readChange(input);
  return transact(deps.db, (tx) => {
    const at = deps.now();
    const id = newId("brf");
    const status = input.status ?? "draft";
    const row = { id, ownerId, status, token: newToken(16), createdAt: at, updatedAt: at };
    queries.insertBrief(tx, { ...row, ...change, name, ...(input.publicPage && { publicSince: at }) });
    return getBrief(within(deps, tx), ownerId, id);
  });
}

/**
 * Changes the given fields of a brief, all or none. Closing it cancels the mails that ask for music and have not gone. Switching its page on for the first time makes it a file request
 * permanently.
 *
 * @throws DomainError `brief_not_found`, `invalid_transition`, `validation_failed` as in {@link createBrief}.
 */
export function updateBrief(deps: ManageDeps, ownerId: LibraryId, id: string, input: UpdateBrief): AppBrief {
  const name = input.name === undefined ? {} : { name: requireText("name", input.name) };
  const change = { ...name, ...readChange(input), ...(input.status && { status: input.status }) };
  return transact(deps.db, (tx) => {
    const at = deps.now();
    const row = getRow(tx, ownerId, id);
    if (input.status) checkTransition(row.status, input.status);
    const publicSince = row.publicSince ?? (input.publicPage ? at : null);
    if (Object.keys(change).length > 0)
      queries.updateBrief(tx, id, { ...change, publicSince, updatedAt: at });
    if (input.status && input.status !== "open")
      cancelAsking(within(deps, tx), { briefId: id, words: "The brief is closed" });
    return getBrief(within(deps, tx), ownerId, id);
  });
}

/**
 * Keeps which songs go out for a brief, and in which order.
 *
 * @throws DomainError `brief_not_found`.
 */
export function arrangeBrief(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  id: string,
  pack: PackOrder,
): void {
  transact(db, (tx) => {
    getRow(tx, ownerId, id);
    queries.updateBrief(tx, id, { pack });
  });
}

/**
 * Deletes a brief with its requests and submissions; submitted tracks stay where they are.
 *
 * @throws DomainError `brief_not_found`.
 */
export function deleteBrief(
  deps: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  id: string,
): { ok: true; id: string } {
  return transact(deps.db, (tx) => {
    getRow(tx, ownerId, id);
    cancelAsking(within(deps, tx), { briefId: id, words: "The brief was deleted" });
    queries.deleteBrief(tx, ownerId, id);
    return { ok: true as const, id };
  });
}

/** Returns the columns to change; fields missing from the input have no column. */
function readChange(input: UpdateBrief) {
  const { deadline, priority, tags, contactEmail, description, publicPage, paid } = input;
  return {
    ...(deadline !== undefined && { deadline: deadline === null ? null : readDeadline(deadline) }),
    ...(priority && { priority }),
    ...(tags && { tags: readTags(tags) }),
    ...(contactEmail !== undefined && { contactEmail: contactEmail?.trim() ?? null }),
    ...(description !== undefined && { description: description?.trim() || null }),
    ...(publicPage !== undefined && { publicPage }),
    ...(paid !== undefined && { isPaid: paid }),
  };
}

/** Trims tags, drops blank ones, and keeps one spelling of each. */
function readTags(tags: readonly string[]): string[] {
  const byFold = new Map<string, string>();
  for (const tag of tags.map((each) => each.trim()))
    if (!isBlank(tag) && !byFold.has(fold(tag))) byFold.set(fold(tag), tag);
  return [...byFold.values()];
}

function toAppBriefs(deps: ManageDeps, ownerId: LibraryId, rows: readonly queries.BriefRow[]): AppBrief[] {
  const at = deps.now();
  const by = peopleIn(
    deps,
    ownerId,
    rows.map(({ madeBy }) => madeBy),
  );
  return rows.map((row) => ({
    ...toBrief(row, at),
    description: row.description,
    publicPage: row.publicPage,
    publicSince: toIsoOrNull(row.publicSince),
    publicUrl: row.publicPage ? submitLink(deps.settings, row.token) : null,
    paid: row.isPaid,
    updatedAt: toIso(row.updatedAt),
    madeBy: by(row.madeBy),
  }));
}
