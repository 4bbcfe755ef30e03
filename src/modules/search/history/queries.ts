import { and, desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { type LibraryId, type PersonId, searches } from "../../../../db/schema.ts";
import type { Place } from "../../../kernel/paging.ts";
import type { FoundTrack } from "./shapes.ts";

const listedColumns = {
  id: searches.id,
  query: searches.query,
  resultCount: sql<number>`json_array_length(${searches.resultIds})`,
  creditsCharged: searches.creditsCharged,
  keyId: searches.keyId,
  at: searches.at,
  personId: searches.personId,
  hasFile: sql<0 | 1>`json_type(${searches.interpretation}, '$.appliedTuning.reference') IS NOT NULL`,
};

/** Whose searches: those of one person, or of everybody in the library. */
export type Searchers = { accountId: LibraryId; personId?: PersonId };

const isOf = ({ accountId, personId }: Searchers) =>
  and(
    eq(searches.accountId, accountId),
    personId === undefined ? undefined : eq(searches.personId, personId),
  );

/** Returns at most `limit` searches older than `after`, newest first. Served by index `searches_by_account`. */
export function listSearches(db: Db, whose: Searchers, after: Place, limit: number) {
  return db
    .select(listedColumns)
    .from(searches)
    .where(and(isOf(whose), sql`(${searches.at}, ${searches.id}) < (${after.key}, ${after.id})`))
    .orderBy(desc(searches.at), desc(searches.id))
    .limit(limit)
    .all();
}

export type ListedSearch = ReturnType<typeof listSearches>[number];

export function findSearch(db: Db, whose: Searchers, id: string) {
  return db
    .select({
      ...listedColumns,
      request: searches.request,
      interpretation: searches.interpretation,
      resultIds: searches.resultIds,
    })
    .from(searches)
    .where(and(isOf(whose), eq(searches.id, id)))
    .get();
}

/** Returns the account's tracks among the ids, in no particular order. */
export function listFound(db: Db, accountId: LibraryId, ids: readonly string[]): FoundTrack[] {
  return db.$client
    .query<FoundTrack, [string, string]>(
      `SELECT id, coalesce(title, name) AS title, artist, duration_sec AS durationSec, bpm, key
       FROM tracks WHERE owner_id = ? AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))`,
    )
    .all(accountId, JSON.stringify(ids));
}

/** The credits that an account has left (null: unlimited) and has spent. */
export type Balance = { credits: number | null; searches: number; charged: number };

export function selectBalance(db: Db, accountId: LibraryId): Balance | null {
  return db.$client
    .query<Balance, [string]>(
      `SELECT a.credits, count(s.id) AS searches, coalesce(sum(s.credits_charged), 0) AS charged
       FROM accounts a LEFT JOIN searches s ON s.account_id = a.id WHERE a.id = ? GROUP BY a.id`,
    )
    .get(accountId);
}
