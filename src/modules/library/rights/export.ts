import { asc, eq } from "drizzle-orm";
import { rightsSender, trackRights, tracks } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain, rowsOf } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  rights: rightsOf,
  rightsSender: rowsOf(rightsSender, rightsSender.ownerId),
};

function* rightsOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const rows = db
    .select({ rights: trackRights })
    .from(trackRights)
    .innerJoin(tracks, eq(tracks.id, trackRights.trackId))
    .where(eq(tracks.ownerId, accountId))
    .orderBy(asc(trackRights.trackId));
  for (const { rights } of rows.all()) yield plain(rights);
}
