import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import type { Node } from "./answer.ts";
import type { Call } from "./caller.ts";
import { pictureId, withoutPicture } from "./ids.ts";
import type { Album, Artist, Outline } from "./outline/outline.ts";
import { notThere } from "./refusal.ts";
import { selectSaved } from "./song-queries.ts";

/** Returns what a person saved of the albums of the library, by the ids of these. */
export const savedAlbums = ({ deps, player }: Call) => selectSaved(deps.db, player, "playlist");

/** @throws Refusal 70. */
export function getAlbum(outline: Outline, id: string): Album {
  const album = outline.albumOf.get(id);
  if (!album) throw notThere("album");
  return album;
}

/** @throws Refusal 70. */
export function getArtist(outline: Outline, id: string): Artist {
  const artist = outline.artistOf.get(withoutPicture(id));
  if (!artist) throw notThere("artist");
  return artist;
}

/** Returns albums as players show them. */
export function albumNodes(call: Call, albums: readonly Album[]): Node[] {
  const outline = call.outline;
  const saved = savedAlbums(call);
  return albums.map((album) => toNode(outline, album, saved));
}

function toNode(outline: Outline, album: Album, saved: ReadonlyMap<string, number>): Node {
  const genres = genresOf(outline, album);
  return {
    id: album.id,
    name: album.name,
    artist: album.artist,
    artistId: album.artistId,
    coverArt: pictureId(album.id, album.cover),
    songCount: album.songs.length,
    duration: album.durationSec,
    created: toIso(album.createdAt),
    starred: toIsoOrNull(saved.get(album.playlistId ?? "") ?? null) ?? undefined,
    year: album.year ?? undefined,
    genre: genres[0],
    recordLabels: album.label === null ? [] : [{ name: album.label }],
    genres: genres.map((name) => ({ name })),
    artists: [{ id: album.artistId, name: album.artist }],
    displayArtist: album.artist,
    releaseTypes: album.type === null ? [] : [album.type],
    sortName: album.key,
    releaseDate: dateOf(album.releaseDate),
    isCompilation: album.type === "Compilation",
  };
}

/** Returns albums as folders, for players that browse by these. */
export function albumFolders(call: Call, albums: readonly Album[]): Node[] {
  const saved = savedAlbums(call);
  return albums.map((album) => ({
    id: album.id,
    parent: album.artistId,
    isDir: true,
    title: album.name,
    album: album.name,
    artist: album.artist,
    year: album.year ?? undefined,
    coverArt: pictureId(album.id, album.cover),
    duration: album.durationSec,
    created: toIso(album.createdAt),
    starred: toIsoOrNull(saved.get(album.playlistId ?? "") ?? null) ?? undefined,
    artistId: album.artistId,
    mediaType: "album",
    isVideo: false,
  }));
}

/** Returns the genres of an album's songs, that of most songs first. */
function genresOf({ genres }: Outline, { songs }: Album): string[] {
  const counts = new Map<string, number>();
  for (const { trackId } of songs)
    for (const name of genres.get(trackId) ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, most], [b, next]) => next - most || (a < b ? -1 : 1)).map(([name]) => name);
}

function dateOf(text: string | null): Node | undefined {
  const [year, month, day] = (text?.split("-") ?? []).map(Number);
  return year === undefined ? undefined : { year, month, day };
}

/** Returns artists as players show them. */
export const artistNodes = (artists: readonly Artist[]): Node[] =>
  artists.map(({ id, name, key, albums, cover }) => ({
    id,
    name,
    coverArt: pictureId(id, cover),
    albumCount: albums.length,
    sortName: key,
  }));

/** Returns artists as folders. */
export const artistFolders = (artists: readonly Artist[]): Node[] =>
  artists.map(({ id, name }) => ({ id, name }));
