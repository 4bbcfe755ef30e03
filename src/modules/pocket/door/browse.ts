import { listedAlbums, yearsOf } from "./album-lists.ts";
import { albumFolders, albumNodes, artistFolders, artistNodes, getAlbum, getArtist } from "./albums.ts";
import type { Node } from "./answer.ts";
import { type Call, FOLDER_ID } from "./caller.ts";
import type { Artist, Outline, Song } from "./outline/outline.ts";
import { notThere } from "./refusal.ts";
import { shuffled } from "./shuffle.ts";
import { getSong, songNodes } from "./songs.ts";

/** Answers a method of the protocol. */
export type Method = (call: Call) => Node | Promise<Node>;

/** The most songs or albums that one answer has. */
const MOST = 500;
/** No article is left out in the order of names: nobody said which language they are in. */
const IGNORED = "";

/** The methods by which players walk through a library. */
export const BROWSING = {
  getMusicFolders: (call) => ({
    musicFolders: { musicFolder: [{ id: FOLDER_ID, name: call.outline.name }] },
  }),
  getIndexes: (call) => {
    const { artists, madeAt } = call.outline;
    const isKnown = call.parameters.count("ifModifiedSince", { usual: 0 }) >= madeAt;
    const index = isKnown ? [] : indexed(artists, artistFolders);
    return { indexes: { lastModified: madeAt, ignoredArticles: IGNORED, index } };
  },
  getMusicDirectory: (call) => ({ directory: directoryOf(call, call.parameters.get("id")) }),
  getArtists: (call) => ({
    artists: { ignoredArticles: IGNORED, index: indexed(call.outline.artists, artistNodes) },
  }),
  getArtist: (call) => {
    const artist = getArtist(call.outline, call.parameters.get("id"));
    return { artist: { ...artistNodes([artist])[0], album: albumNodes(call, artist.albums) } };
  },
  getAlbum: (call) => {
    const album = getAlbum(call.outline, call.parameters.get("id"));
    return { album: { ...albumNodes(call, [album])[0], song: songNodes(call, album.songs, { album }) } };
  },
  getAlbumList: (call) => ({ albumList: { album: albumFolders(call, listedAlbums(call)) } }),
  getAlbumList2: (call) => ({ albumList2: { album: albumNodes(call, listedAlbums(call)) } }),
  getSong: (call) => {
    const { id } = getSong(call, call.parameters.get("id"));
    const [song] = songNodes(call, [{ trackId: id }]);
    if (!song) throw notThere("song");
    return { song };
  },
  getGenres: (call) => ({ genres: { genre: genreNodes(call.outline) } }),
  getSongsByGenre: (call) => {
    const genre = call.parameters.get("genre");
    const { songs, genres } = call.outline;
    const found = songs.filter(({ trackId }) => genres.get(trackId)?.includes(genre));
    const from = call.parameters.count("offset", { usual: 0 });
    const count = call.parameters.count("count", { usual: 10, most: MOST });
    return { songsByGenre: { song: songNodes(call, found.slice(from, from + count)) } };
  },
  getRandomSongs: (call) => {
    const size = call.parameters.count("size", { usual: 10, most: MOST });
    return { randomSongs: { song: songNodes(call, shuffled(songsToMix(call)).slice(0, size)) } };
  },
} satisfies Record<string, Method>;

/** Whole songs: among others, a stem is no pleasure. */
function songsToMix(call: Call): readonly Song[] {
  const { songs, genres } = call.outline;
  const genre = call.parameters.find("genre");
  const years = yearsOf(call);
  return songs.filter(
    ({ trackId, isStem, year }) =>
      !isStem &&
      (genre === undefined || genres.get(trackId)?.includes(genre)) &&
      (years === undefined || (year !== null && year >= years[0] && year <= years[1])),
  );
}

/** Puts artists below the letters that their names begin with; everything else below `#`. */
function indexed(artists: readonly Artist[], nodes: (artists: readonly Artist[]) => Node[]): Node[] {
  const letters = Map.groupBy(artists, ({ key }) => /^\p{L}/u.exec(key)?.[0].toUpperCase() ?? "#");
  return [...letters].map(([name, own]) => ({ name, artist: nodes(own) }));
}

/** Returns a folder: the library with its artists, an artist with albums, or an album with songs. */
function directoryOf(call: Call, id: string): Node {
  const outline = call.outline;
  if (id === String(FOLDER_ID))
    return {
      id,
      name: outline.name,
      child: outline.artists.map((artist) => ({
        id: artist.id,
        parent: id,
        isDir: true,
        title: artist.name,
        artist: artist.name,
      })),
    };
  const artist = outline.artistOf.get(id);
  if (artist)
    return { id, parent: String(FOLDER_ID), name: artist.name, child: albumFolders(call, artist.albums) };
  const album = outline.albumOf.get(id);
  if (!album) throw notThere("folder");
  return { id, parent: album.artistId, name: album.name, child: songNodes(call, album.songs, { album }) };
}

function genreNodes(outline: Outline): Node[] {
  const counts = new Map<string, { songs: number; albums: number }>();
  const countOf = (name: string) => {
    const known = counts.get(name) ?? { songs: 0, albums: 0 };
    counts.set(name, known);
    return known;
  };
  for (const { trackId } of outline.songs)
    for (const name of new Set(outline.genres.get(trackId))) countOf(name).songs++;
  for (const { songs } of outline.albums) {
    const names = songs.flatMap(({ trackId }) => outline.genres.get(trackId) ?? []);
    for (const name of new Set(names)) countOf(name).albums++;
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, { songs, albums }]) => ({ value, songCount: songs, albumCount: albums }));
}
