import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { loudnessAsWhole } from "../../../../kernel/loudness.ts";
import { fold } from "../../../../kernel/text.ts";
import { type Group, type Grouped, type Groups, groupTracks, hashedId, textOf, titleOf } from "./group.ts";
import type { Album, Artist, Outline, Playlist, Song } from "./outline.ts";
import * as queries from "./queries.ts";

/** Of which library an outline is made. */
export type Seen = { accountId: LibraryId; accountName: string };

/**
 * Makes the outline of a library. It reads all of it, and calls `breathe` between its steps, so that others need not wait
 * until a large library is read.
 */
export async function buildOutline(
  db: Db,
  seen: Seen,
  { now, breathe }: { now: number; breathe: () => Promise<void> },
): Promise<Outline> {
  const { accountId, accountName } = seen;
  const tracks = new Map<string, queries.OutlinedTrack>();
  for (const some of queries.selectTracks(db, accountId)) {
    for (const track of some) tracks.set(track.id, track);
    await breathe();
  }
  const lists = listsWithTracks(db, seen, tracks);
  const sets = queries.selectSets(db, accountId);
  const bySet = Map.groupBy(sets, ({ setId }) => setId);
  const grouped: Grouped = {
    accountId,
    accountName,
    tracks,
    albums: lists.filter(({ list }) => list.kind === "album"),
    sets: [...bySet].map(([id, members]) => ({
      id,
      tracks: members.flatMap(({ trackId }) => tracks.get(trackId) ?? []),
    })),
  };
  await breathe();
  const groups = groupTracks(grouped);
  await breathe();
  const stems = new Set(sets.flatMap(({ kind, trackId }) => (kind === "stem" ? [trackId] : [])));
  const songOf = new Map<string, Song>();
  for (const track of tracks.values()) {
    songOf.set(track.id, toSong(track, grouped, groups, stems.has(track.id)));
    await breathe();
  }
  const songsOf = (own: readonly queries.OutlinedTrack[]) => own.flatMap(({ id }) => songOf.get(id) ?? []);
  const albums = groups.groups.map((group) => toAlbum(group, songsOf(group.tracks), grouped)).sort(byKey);
  await breathe();
  const artists = artistsOf(albums, tracks, grouped);
  await breathe();
  const playlists = lists
    .filter(({ list }) => list.kind === "playlist")
    .map(({ list, tracks: own }) => toPlaylist(list, own, songsOf(own)))
    .sort((a, b) => compare(fold(a.name), fold(b.name)) || compare(a.id, b.id));
  const songs = [...songOf.values()].sort((a, b) => compare(a.key, b.key) || compare(a.trackId, b.trackId));
  await breathe();
  const genres = new Map<string, string[]>();
  for (const some of queries.selectGenres(db, [...tracks.keys()])) {
    for (const { trackId, name } of some) genres.set(trackId, [...(genres.get(trackId) ?? []), name]);
    await breathe();
  }
  return {
    name: accountName,
    songs,
    albums,
    artists,
    playlists,
    songOf,
    albumOf: byId(albums),
    artistOf: byId(artists),
    playlistOf: byId(playlists),
    genres,
    madeAt: now,
  };
}

type Tracks = ReadonlyMap<string, queries.OutlinedTrack>;

function listsWithTracks(db: Db, { accountId }: Seen, tracks: Tracks) {
  const places = Map.groupBy(queries.selectPlaces(db, accountId), ({ playlistId }) => playlistId);
  return queries.selectLists(db, accountId).map((list) => ({
    list,
    tracks: (places.get(list.id) ?? []).flatMap(({ trackId }) => tracks.get(trackId) ?? []),
  }));
}

const artistIdOf = ({ accountId }: Grouped, name: string) => hashedId("ar", accountId, fold(name));

function toSong(track: queries.OutlinedTrack, grouped: Grouped, { groupOf }: Groups, isStem: boolean): Song {
  const title = titleOf(track);
  const artist = textOf(track.artist) ?? grouped.accountName;
  const group = groupOf.get(track.id);
  return {
    trackId: track.id,
    key: fold(title),
    words: wordsOf(`${title} ${artist} ${group?.name ?? ""}`),
    artistId: artistIdOf(grouped, artist),
    albumId: group?.id ?? "",
    createdAt: track.createdAt,
    mixedAt: track.mixedAt,
    isNewMix: track.versionOrder > 0,
    durationSec: track.durationSec ?? 0,
    year: yearOf(track.year),
    isStem,
  };
}

/** Returns words as they are compared: folded, without punctuation, each after a blank. */
export const wordsOf = (text: string): string =>
  ` ${fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()}`;

/** Returns the year that a text begins with. */
export function yearOf(text: string | null): number | null {
  const year = /^\s*([12]\d{3})(?!\d)/.exec(text ?? "")?.[1];
  return year === undefined ? null : Number(year);
}

const TYPES = { album: "Album", ep: "EP", single: "Single", compilation: "Compilation" } as const;

function toAlbum(group: Group, songs: readonly Song[], grouped: Grouped): Album {
  const { id, name, tracks } = group;
  const artist = group.artist ?? onlyArtist(tracks, grouped.accountName);
  const newest = tracks.toSorted((a, b) => b.createdAt - a.createdAt);
  const cover = newest.find((track) => track.cover !== null)?.cover ?? null;
  const year = songs.find((song) => song.year !== null)?.year ?? null;
  return {
    id,
    name,
    key: fold(name),
    words: wordsOf(`${name} ${artist}`),
    artistId: artistIdOf(grouped, artist),
    artist,
    songs,
    createdAt: newest.at(-1)?.createdAt ?? 0,
    addedAt: newest[0]?.createdAt ?? 0,
    durationSec: lengthOf(songs),
    ...saidOf(group, cover, year),
    loudness: group.kind === "album" || group.kind === "tags" ? loudnessAsWhole(tracks) : null,
  };
}

/** Returns what an album says about itself; of one that is none in the library, what its songs say. */
function saidOf(group: Group, cover: string | null, year: number | null) {
  if (group.kind !== "album") {
    const type = group.kind === "tags" ? "Album" : group.kind === "set" ? "Single" : null;
    return { cover, year, releaseDate: null, label: null, type, playlistId: null } as const;
  }
  const { image, releaseDate, label, albumType, id } = group.list;
  const type = TYPES[albumType ?? "album"];
  return {
    cover: image ?? cover,
    year: yearOf(releaseDate) ?? year,
    releaseDate,
    label,
    type,
    playlistId: id,
  };
}

function onlyArtist(tracks: readonly queries.OutlinedTrack[], accountName: string): string {
  const names = new Map(
    tracks.map(({ artist }) => [fold(textOf(artist) ?? accountName), textOf(artist) ?? accountName]),
  );
  const [only, another] = names.values();
  return another === undefined ? (only ?? accountName) : "Various Artists";
}

function artistsOf(albums: readonly Album[], tracks: Tracks, { accountName }: Grouped): Artist[] {
  const found = new Map<string, { name: string; albums: Set<Album> }>();
  const meet = (id: string, name: string, album: Album) => {
    const known = found.get(id) ?? { name, albums: new Set() };
    known.albums.add(album);
    found.set(id, known);
  };
  for (const album of albums) {
    meet(album.artistId, album.artist, album);
    for (const { trackId, artistId } of album.songs)
      meet(artistId, textOf(tracks.get(trackId)?.artist ?? null) ?? accountName, album);
  }
  return [...found]
    .map(([id, { name, albums: own }]) => {
      const ordered = [...own];
      return {
        id,
        name,
        key: fold(name),
        words: wordsOf(name),
        albums: ordered,
        cover: ordered.find(({ cover }) => cover)?.cover ?? null,
      };
    })
    .sort(byKey);
}

function toPlaylist(
  list: queries.OutlinedList,
  tracks: readonly queries.OutlinedTrack[],
  songs: readonly Song[],
): Playlist {
  return {
    id: list.id,
    name: list.name,
    comment: textOf(list.description),
    songs,
    cover: list.image ?? tracks.find(({ cover }) => cover !== null)?.cover ?? null,
    createdAt: list.createdAt,
    changedAt: list.updatedAt,
    durationSec: lengthOf(songs),
  };
}

const lengthOf = (songs: readonly Song[]) =>
  Math.round(songs.reduce((sum, { durationSec }) => sum + durationSec, 0));
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const byKey = (a: { key: string; id: string }, b: { key: string; id: string }) =>
  compare(a.key, b.key) || compare(a.id, b.id);
const byId = <Each extends { id: string }>(list: readonly Each[]) =>
  new Map(list.map((each) => [each.id, each]));
