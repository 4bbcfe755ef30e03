import { and, asc, eq, isNull } from "drizzle-orm";
import { composers, supplyRequests, trackShareholders } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  composers: composersOf,
  supplyRequests: rowsOf(supplyRequests, supplyRequests.ownerId),
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
