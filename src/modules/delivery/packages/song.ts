import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { titleOf } from "../../library/catalog/service.ts";
import { rightsOfTracks } from "../../library/composers/service.ts";
import type { AlbumRelease, Release, Song } from "./known.ts";
import { type Chosen, selectSongs } from "./queries.ts";

/** Returns the title of a song as people read it. */
export const songTitle = (song: Pick<Song, "title" | "name">): string => titleOf(song);

/** Returns the songs in the order chosen. Those that are not there are left out. */
export function readSongs(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  chosen: readonly Chosen[],
  seesSplits: boolean,
): Song[] {
  const rows = selectSongs(db, ownerId, chosen);
  const ids = [...new Set(rows.map(({ trackId }) => trackId))];
  const writers = seesSplits ? rightsOfTracks({ db }, ids) : undefined;
  return rows.map((row) => ({ ...row, writers: writers ? (writers.get(row.trackId) ?? []) : null }));
}

/** Returns what the songs of a package say of it together, where no album does. */
export function releaseOf(name: string, songs: readonly Song[], album: AlbumRelease | undefined): Release {
  const shared = (read: (song: Song) => string | null): string | null => {
    const [first = null, ...others] = new Set(songs.map(read));
    return others.length === 0 ? first : null;
  };
  const saysSo = album?.kind === "album" ? album : undefined;
  return {
    title: name,
    artist: saysSo?.artist ?? shared((song) => song.albumArtist ?? song.artist),
    upc: saysSo?.upc ?? null,
    label: saysSo?.label ?? shared((song) => song.label),
    catalogueNumber: saysSo?.catalogueNumber ?? null,
    date: saysSo?.releaseDate ?? shared((song) => song.albumYear ?? song.year),
    cover: album?.image ?? shared((song) => song.cover),
  };
}
