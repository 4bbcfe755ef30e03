import { asc, eq } from "drizzle-orm";
import { timedLyrics, tracks, versions } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = { timedLyrics: timedLyricsOf };

/** When the words of tracks are sung, by version. The words themselves are with the tracks. */
function* timedLyricsOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const own = db
    .select({ row: timedLyrics, trackId: versions.trackId })
    .from(timedLyrics)
    .innerJoin(versions, eq(versions.id, timedLyrics.versionId))
    .innerJoin(tracks, eq(tracks.id, versions.trackId))
    .where(eq(tracks.ownerId, accountId))
    .orderBy(asc(timedLyrics.versionId));
  for (const { row, trackId } of own.all()) yield { trackId, ...plain(row) };
}
