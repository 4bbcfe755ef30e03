import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { composers, supplyRequests, trackShareholders } from "../../../../db/schema.ts";
import { compareDetails, type Differences } from "./merge.ts";
import * as queries from "./queries.ts";

/** What two entries of one composer said, as far as they differ: the second of each pair was let go. */
export type MergedComposer = { email: string; differences: Differences };

/**
 * Gives the composers of an account to another one. One that both have, by the e-mail address, becomes one: it keeps the
 * receiver's details, gets those that the receiver lacks, and all shares.
 *
 * @returns How many there were, and what became one.
 */
export function transferComposers(
  tx: Db,
  from: string,
  to: string,
  at: number,
): { composers: number; merged: MergedComposer[] } {
  const live = tx
    .select()
    .from(composers)
    .where(and(eq(composers.ownerId, from), isNull(composers.deletedAt)));
  const merged: MergedComposer[] = [];
  const all = live.all();
  for (const composer of all) {
    const same = composer.email === null ? undefined : queries.findByEmail(tx, to, composer.email);
    if (same) merged.push(merge(tx, composer, same, at));
    else queries.updateComposer(tx, composer.id, { ownerId: to });
  }
  const isTombstone = and(eq(composers.ownerId, from), isNotNull(composers.deletedAt));
  tx.update(composers).set({ ownerId: to }).where(isTombstone).run();
  tx.update(supplyRequests).set({ ownerId: to }).where(eq(supplyRequests.ownerId, from)).run();
  return { composers: all.length, merged };
}

function merge(tx: Db, gone: queries.ComposerRow, kept: queries.ComposerRow, at: number): MergedComposer {
  const { missing, differences } = compareDetails(kept, gone);
  if (Object.keys(missing).length > 0) queries.updateComposer(tx, kept.id, missing);
  tx.update(trackShareholders)
    .set({ composerId: kept.id })
    .where(eq(trackShareholders.composerId, gone.id))
    .run();
  queries.giveSupplyRequests(tx, gone.id, kept.id);
  queries.buryComposer(tx, gone.id, at);
  return { email: kept.email ?? "", differences };
}
