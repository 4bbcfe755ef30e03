import { asc, eq } from "drizzle-orm";
import { playlists, playlistTracks } from "../../../../db/schema.ts";
import { type ExportLists, type ExportSource, type Plain, plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  playlists: playlistsOf,
};

function* playlistsOf({ db, accountId, files }: ExportSource): Iterable<Plain> {
  const own = db.select().from(playlists).where(eq(playlists.ownerId, accountId)).orderBy(asc(playlists.id));
  for (const row of own.all()) {
    const places = db
      .select({ trackId: playlistTracks.trackId, addedAt: playlistTracks.addedAt })
      .from(playlistTracks)
      .where(eq(playlistTracks.playlistId, row.id))
      .orderBy(asc(playlistTracks.position), asc(playlistTracks.id));
    yield {
      ...plain(row, ["image"]),
      imageFile: files.addPicture(row.image, row.name),
      tracks: places.all().map((place) => plain(place)),
    };
  }
}
