import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { titleOf } from "../../library/catalog/service.ts";
import { type Family, familyOf } from "../../library/families/service.ts";
import { lyricsFiles } from "../../library/lyrics/service.ts";
import { rightsOfTracks } from "../../library/rights/service.ts";
import type { AlbumRelease, Release, SetPlace, Song } from "./known.ts";
import { type Chosen, selectSongs, selectWriters } from "./queries.ts";

/** Returns the title of a song as people read it. */
export const songTitle = (song: Pick<Song, "title" | "name">): string => titleOf(song);

/** Returns the songs in the order chosen. Those that are not there are left out. */
export function readSongs(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  chosen: readonly Chosen[],
  seesSplits: boolean,
): Song[] {
  const facts = selectSongs(db, ownerId, chosen);
  const ids = [...new Set(facts.map(({ trackId }) => trackId))];
  const rights = rightsOfTracks(db, ids);
  const timed = new Map(lyricsFiles(db, facts).map((words) => [words.trackId, words.timedLines]));
  const writers = seesSplits ? selectWriters(db, ids) : undefined;
  return facts.flatMap((row) => {
    const known = rights.get(row.trackId);
    if (!known) return [];
    const { trackId } = row;
    const set = placeIn(familyOf(db, ownerId, trackId), trackId);
    return {
      ...row,
      rights: known,
      set,
      timedLyrics: timed.get(trackId) ?? null,
      writers: writers ? (writers.get(trackId) ?? []) : null,
    };
  });
}

function placeIn(family: Family | undefined, trackId: string): SetPlace | null {
  const member = family?.members.find((each) => each.trackId === trackId);
  if (!family || !member) return null;
  const main = family.members.find((each) => each.trackId === family.mainTrackId) ?? member;
  const { kind, part, editSec } = member;
  return { familyId: family.id, songTitle: main.title, kind, part, editSec };
}

/** Returns tracks with all that was made from the same songs, each set where its first track is. */
export function withSets(
  { db }: Pick<Deps, "db">,
  ownerId: LibraryId,
  trackIds: readonly string[],
): string[] {
  const found = new Set<string>();
  for (const id of trackIds) {
    if (found.has(id)) continue;
    for (const member of familyOf(db, ownerId, id)?.members ?? [{ trackId: id }]) found.add(member.trackId);
  }
  return [...found];
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
    upc: saysSo?.upc ?? shared(({ rights }) => rights.upc),
    label: saysSo?.label ?? shared((song) => song.label),
    catalogueNumber: saysSo?.catalogueNumber ?? null,
    date:
      saysSo?.releaseDate ?? shared(({ rights, albumYear, year }) => rights.releaseDate ?? albumYear ?? year),
    pLine: shared(({ rights }) => rights.pLine),
    cLine: shared(({ rights }) => rights.cLine),
    isAlbum: saysSo !== undefined,
    cover: album?.image ?? shared((song) => song.cover),
  };
}
