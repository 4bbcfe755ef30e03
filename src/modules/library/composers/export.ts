import { and, asc, eq, isNull } from "drizzle-orm";
import { composers, supplyRequests, trackShareholders } from "../../../../db/schema.ts";
import {
  type ExportLists,
  type ExportSource,
  makersOf,
  type Plain,
  plain,
} from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  composers: composersOf,
  supplyRequests: requestsOf,
};

function* composersOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const isOwn = and(eq(composers.ownerId, accountId), isNull(composers.deletedAt));
  for (const row of db.select().from(composers).where(isOwn).orderBy(asc(composers.id)).all()) {
    const { trackId, share, role } = trackShareholders;
    const linked = db
      .select({ trackId, share, role })
      .from(trackShareholders)
      .where(eq(trackShareholders.composerId, row.id))
      .orderBy(asc(trackId), asc(trackShareholders.position));
    yield { ...plain(row, ["deletedAt"]), tracks: linked.all() };
  }
}

/** What composers were asked for, and what they answered. */
function requestsOf({ db, accountId }: ExportSource): Plain[] {
  const makerOf = makersOf(db);
  const own = db.select().from(supplyRequests).where(eq(supplyRequests.ownerId, accountId));
  return own
    .orderBy(asc(supplyRequests.id))
    .all()
    .map((row) => ({ ...plain(row, ["tokenHash"]), madeBy: makerOf(row.madeBy) }));
}
