import type { LibraryId } from "../../../../db/schema.ts";
import { admitMember, type SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page, type Place } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import { peopleIn } from "../../people/people/service.ts";
import * as queries from "./queries.ts";
import type { Credits, SearchDetail, SearchEntry, SearchesQuery } from "./shapes.ts";

type HistoryDeps = Pick<Deps, "db" | "now">;

/**
 * Returns a page of the searches of a person, or of everybody in the library, newest first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing; `insufficient_scope` when somebody but the owner asks for
 *   everybody's.
 */
export function listSearches(
  deps: HistoryDeps,
  actor: SessionActor,
  { who, ...page }: SearchesQuery,
): Page<SearchEntry> {
  if (who === "everyone") admitMember(actor, "own:library");
  const whose = searchersFor(actor, who);
  const list = `searches ${whose.accountId} ${whose.personId ?? ""}`.trim();
  const select = (after: Place, limit: number) => queries.listSearches(deps.db, whose, after, limit);
  const { items, paging } = cutPage(page, list, select, (row) => row.at);
  return { items: toEntries(deps, actor.accountId, items), paging };
}

/** The owner has everybody's searches, other members their own. */
function searchersFor(
  { accountId, personId, allowed }: SessionActor,
  who?: "me" | "everyone",
): queries.Searchers {
  const hasAll = who !== "me" && allowed.needs.has("own:library");
  return hasAll ? { accountId } : { accountId, personId };
}

/**
 * Returns a search with its request, how it was read, and those of its tracks that still exist.
 *
 * @throws DomainError `search_not_found`.
 */
export function getSearch(deps: HistoryDeps, actor: SessionActor, id: string): SearchDetail {
  const { db } = deps;
  const { accountId } = actor;
  const row = queries.findSearch(db, searchersFor(actor), id);
  const [entry] = row ? toEntries(deps, accountId, [row]) : [];
  if (!row || !entry) throw new DomainError("search_not_found", "There is no such search");
  const found = new Map(queries.listFound(db, accountId, row.resultIds).map((track) => [track.id, track]));
  return {
    ...entry,
    // The search that returned them also stored both.
    request: row.request as SearchDetail["request"],
    interpretation: row.interpretation as SearchDetail["interpretation"],
    results: row.resultIds.flatMap((trackId) => found.get(trackId) ?? []),
  };
}

/** Returns the search credits that an account has left and has spent. */
export function getCredits({ db }: Pick<Deps, "db">, accountId: LibraryId): Credits {
  const balance = queries.selectBalance(db, accountId);
  if (!balance) throw new Error(`There is no account ${accountId}`);
  return { ...balance, unlimited: balance.credits === null };
}

function toEntries(
  deps: HistoryDeps,
  accountId: LibraryId,
  rows: readonly queries.ListedSearch[],
): SearchEntry[] {
  const by = peopleIn(
    deps,
    accountId,
    rows.map(({ personId }) => personId),
  );
  return rows.map((row) => ({
    id: row.id,
    query: row.query,
    resultCount: row.resultCount,
    creditsCharged: row.creditsCharged,
    keyId: row.keyId,
    createdAt: toIso(row.at),
    madeBy: by(row.personId),
    ...(row.hasFile === 1 && { hasFile: true as const }),
  }));
}
