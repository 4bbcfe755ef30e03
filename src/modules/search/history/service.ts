import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page, type Place } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import * as queries from "./queries.ts";
import type { Credits, SearchDetail, SearchEntry, SearchesQuery } from "./shapes.ts";

type HistoryDeps = Pick<Deps, "db">;

/**
 * Returns a page of an account's searches, newest first.
 *
 * @throws DomainError `validation_failed` for a cursor that was not issued to this account.
 */
export function listSearches(
  { db }: HistoryDeps,
  accountId: LibraryId,
  query: SearchesQuery,
): Page<SearchEntry> {
  const select = (after: Place, limit: number) => queries.listSearches(db, accountId, after, limit);
  const { items, paging } = cutPage(query, `searches ${accountId}`, select, (row) => row.at);
  return { items: items.map(toEntry), paging };
}

/**
 * Returns a search with its request, how it was read, and those of its tracks that still exist.
 *
 * @throws DomainError `search_not_found`.
 */
export function getSearch({ db }: HistoryDeps, accountId: LibraryId, id: string): SearchDetail {
  const row = queries.findSearch(db, accountId, id);
  if (!row) throw new DomainError("search_not_found", "There is no such search");
  const found = new Map(queries.listFound(db, accountId, row.resultIds).map((track) => [track.id, track]));
  return {
    ...toEntry(row),
    // The search that returned them also stored both.
    request: row.request as SearchDetail["request"],
    interpretation: row.interpretation as SearchDetail["interpretation"],
    results: row.resultIds.flatMap((trackId) => found.get(trackId) ?? []),
  };
}

/** Returns the search credits that an account has left and has spent. */
export function getCredits({ db }: HistoryDeps, accountId: LibraryId): Credits {
  const balance = queries.selectBalance(db, accountId);
  if (!balance) throw new Error(`There is no account ${accountId}`);
  return { ...balance, unlimited: balance.credits === null };
}

function toEntry(row: queries.ListedSearch): SearchEntry {
  return {
    id: row.id,
    query: row.query,
    resultCount: row.resultCount,
    creditsCharged: row.creditsCharged,
    keyId: row.keyId,
    createdAt: toIso(row.at),
  };
}
