import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { ownedAmong } from "../../library/catalog/service.ts";
import type { PaperRelease } from "./facts.ts";
import type { PaperWhere } from "./shapes.ts";

type ReleaseRow = {
  name: string;
  kind: "playlist" | "album";
  label: string | null;
  date: string | null;
  upc: string | null;
};

const playlistById = prepared((db) =>
  db.$client.prepare<ReleaseRow, [string, string]>(
    `SELECT name, kind, label, release_date AS date, upc FROM playlists
     WHERE id = ?1 AND owner_id = ?2 AND deleted_at IS NULL`,
  ),
);
const tracksOfPlaylist = prepared((db) =>
  db.$client.prepare<{ trackId: string }, [string]>(
    "SELECT track_id AS trackId FROM playlist_tracks WHERE playlist_id = ?1 ORDER BY position, id",
  ),
);

/**
 * Returns the tracks that papers are of, each once, what a release says of them, and a name for the files.
 *
 * @throws DomainError `track_not_found` or `playlist_not_found`.
 */
export function paperTracks(
  db: Db,
  ownerId: LibraryId,
  where: PaperWhere,
): { name: string | undefined; trackIds: string[]; release: PaperRelease } {
  if ("ids" in where) {
    const owned = ownedAmong(db, ownerId, where.ids);
    if (where.ids.some((id) => !owned.has(id)))
      throw new DomainError("track_not_found", "There is no such track");
    return { name: undefined, trackIds: [...new Set(where.ids)], release: {} };
  }
  const playlist = playlistById(db).get(where.playlistId, ownerId);
  if (!playlist) throw new DomainError("playlist_not_found", "There is no such playlist");
  const { name, kind, label, date, upc } = playlist;
  const places = tracksOfPlaylist(db).all(where.playlistId);
  return {
    name,
    trackIds: [...new Set(places.map(({ trackId }) => trackId))],
    release: kind === "album" ? { title: name, label, date, upc } : {},
  };
}
