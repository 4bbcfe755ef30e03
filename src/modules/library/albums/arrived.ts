import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { artworkUrl } from "../artwork/service.ts";
import { findAlbum } from "../playlists/service.ts";
import type { ArrivedAlbum } from "./shapes.ts";

/** Returns the albums that files are on, each once, in the order of the files. */
export function arrivedAlbums(
  { db, settings }: Pick<Deps, "db" | "settings">,
  accountId: LibraryId,
  albumIds: readonly (string | null)[],
): ArrivedAlbum[] {
  const counts = new Map<string, number>();
  for (const id of albumIds) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].flatMap(([id, added]) => {
    const album = findAlbum(db, accountId, id);
    if (!album) return [];
    const { name, artist, trackCount } = album;
    const image = album.image === null ? null : artworkUrl(settings, album.image);
    return [{ id, name, artist, image, trackCount, added }];
  });
}
