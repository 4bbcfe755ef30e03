import type { Settings } from "../../../kernel/settings.ts";
import { toIso } from "../../../kernel/time.ts";
import { artworkUrl } from "../artwork/service.ts";
import type { ListedPlaylist } from "./queries.ts";
import type { NoSuchPlaylist, Playlist } from "./shapes.ts";

/** Returns a playlist as clients see it. */
export function toPlaylist(settings: Settings, row: ListedPlaylist): Playlist {
  const isAlbum = row.kind === "album";
  const ofAlbum = <Value>(value: Value) => (isAlbum ? value : null);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    image: row.image === null ? null : artworkUrl(settings, row.image),
    collaborative: row.collaborative === 1,
    isPinned: row.isPinned === 1,
    trackCount: row.trackCount,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
    kind: row.kind,
    artist: ofAlbum(row.artist),
    type: ofAlbum(row.albumType),
    label: ofAlbum(row.label),
    catalogueNumber: ofAlbum(row.catalogueNumber),
    releaseDate: ofAlbum(row.releaseDate),
    upc: ofAlbum(row.upc),
  };
}

export function noSuchPlaylist(): NoSuchPlaylist {
  return { ok: false, error: "PLAYLIST_NOT_FOUND" };
}
