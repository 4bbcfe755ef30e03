import { eq } from "drizzle-orm";
import { transact } from "../../../../db/client.ts";
import { tracks } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { fold } from "../../../kernel/text.ts";

const BATCH = 500;

/**
 * Fills the folded artists of tracks that were written before there was such a column, which SQL alone could not do.
 * Call it once at start; afterwards it finds nothing to do. Served by `tracks_unfolded`.
 */
export async function foldArtists({ db }: Pick<Deps, "db">): Promise<void> {
  const find = db.$client.query<{ id: string; artist: string }, [number]>(
    "SELECT id, artist FROM tracks WHERE artist IS NOT NULL AND artist_fold IS NULL LIMIT ?",
  );
  for (let rows = find.all(BATCH); rows.length > 0; rows = find.all(BATCH)) {
    transact(db, (tx) => {
      for (const { id, artist } of rows)
        tx.update(tracks)
          .set({ artistFold: fold(artist) })
          .where(eq(tracks.id, id))
          .run();
    });
    await Bun.sleep(0);
  }
}
