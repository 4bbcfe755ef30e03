import { albumFolders, albumNodes, artistFolders, artistNodes } from "./albums.ts";
import type { Method } from "./browse.ts";
import type { Call } from "./caller.ts";
import { wordsOf } from "./outline/build.ts";
import type { Album, Artist, Song } from "./outline/outline.ts";
import { songNodes } from "./songs.ts";

const USUAL = 20;
const MOST = 500;
/** What some players send for "everything". */
const EVERYTHING = '""';

/** The methods that find by name. Without words they list everything, which is how players fetch a whole library. */
export const FINDING = {
  search2: (call) => {
    const { artists, albums, songs } = found(call);
    return {
      searchResult2: {
        artist: artistFolders(artists),
        album: albumFolders(call, albums),
        song: songNodes(call, songs),
      },
    };
  },
  search3: (call) => {
    const { artists, albums, songs } = found(call);
    return {
      searchResult3: {
        artist: artistNodes(artists),
        album: albumNodes(call, albums),
        song: songNodes(call, songs),
      },
    };
  },
} satisfies Record<string, Method>;

type Found = { artists: readonly Artist[]; albums: readonly Album[]; songs: readonly Song[] };

/** Returns what has every word of the query, each as the beginning of a word: the page of each list that is asked for. */
function found({ outline, parameters }: Call): Found {
  const { artists, albums, songs } = outline;
  const query = parameters.find("query") ?? "";
  const words =
    query === EVERYTHING
      ? []
      : wordsOf(query)
          .split(" ")
          .filter((each) => each !== "");
  // A query of nothing but signs means something, and no name has it.
  const isNothing = words.length === 0 && query !== EVERYTHING && query.trim() !== "";
  const page = <Each>(
    name: string,
    list: readonly Each[],
    textOf: (each: Each) => string,
  ): readonly Each[] => {
    const from = parameters.count(`${name}Offset`, { usual: 0 });
    const count = parameters.count(`${name}Count`, { usual: USUAL, most: MOST });
    if (isNothing || count === 0) return [];
    const all = words.length === 0 ? list : list.filter((each) => hasAll(textOf(each), words));
    return all.slice(from, from + count);
  };
  return {
    artists: page("artist", artists, ({ name }) => wordsOf(name)),
    albums: page("album", albums, ({ name, artist }) => wordsOf(`${name} ${artist}`)),
    songs: page("song", songs, (song) => song.words),
  };
}

const hasAll = (text: string, words: readonly string[]) => words.every((word) => text.includes(` ${word}`));
