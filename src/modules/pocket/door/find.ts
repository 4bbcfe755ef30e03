import { albumFolders, albumNodes, artistFolders, artistNodes } from "./albums.ts";
import type { Method } from "./browse.ts";
import type { Call } from "./caller.ts";
import { wordsOf } from "./outline/build.ts";
import type { Album, Artist, Outline, Song } from "./outline/outline.ts";
import { withSlips } from "./slips.ts";
import { songNodes } from "./songs.ts";

const USUAL = 20;
const MOST = 500;
/** What some players send for "everything". */
const EVERYTHING = '""';

/** The methods that find by name. Without words they list everything, which is how players fetch a whole library. */
export const FINDING = {
  search2: async (call) => {
    const { artists, albums, songs } = await found(call);
    return {
      searchResult2: {
        artist: artistFolders(artists),
        album: albumFolders(call, albums),
        song: songNodes(call, songs),
      },
    };
  },
  search3: async (call) => {
    const { artists, albums, songs } = await found(call);
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

/**
 * Returns what has every word of the query, each as the beginning of a word: the page of each list that is asked for. When nothing has, words that no
 * name has are taken for slips of spelling.
 */
async function found(call: Call): Promise<Found> {
  const query = call.parameters.find("query") ?? "";
  const words =
    query === EVERYTHING
      ? []
      : wordsOf(query)
          .split(" ")
          .filter((each) => each !== "");
  // A query of nothing but signs means something, and no name has it.
  if (words.length === 0 && query !== EVERYTHING && query.trim() !== "") return NOTHING;
  const all = having(
    call.outline,
    words.map((word) => [word]),
  );
  const isMiss = [all.artists, all.albums, all.songs].every(({ length }) => length === 0);
  const meant = isMiss && words.length > 0 ? having(call.outline, await withSlips(call.outline, words)) : all;
  return pagesOf(call, meant);
}

const NOTHING: Found = { artists: [], albums: [], songs: [] };

/** Returns what has one of the meanings of each word. */
function having({ artists, albums, songs }: Outline, words: readonly (readonly string[])[]): Found {
  if (words.length === 0) return { artists, albums, songs };
  const has = ({ words: text }: { words: string }) =>
    words.every((each) => each.some((word) => text.includes(` ${word}`)));
  return { artists: artists.filter(has), albums: albums.filter(has), songs: songs.filter(has) };
}

function pagesOf({ parameters }: Call, { artists, albums, songs }: Found): Found {
  const page = <Each>(name: string, list: readonly Each[]): readonly Each[] => {
    const from = parameters.count(`${name}Offset`, { usual: 0 });
    const count = parameters.count(`${name}Count`, { usual: USUAL, most: MOST });
    return list.slice(from, from + count);
  };
  return { artists: page("artist", artists), albums: page("album", albums), songs: page("song", songs) };
}
