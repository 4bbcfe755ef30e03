import { heardTracks } from "../listens/service.ts";
import { savedAlbums } from "./albums.ts";
import type { Call } from "./caller.ts";
import type { Album } from "./outline/outline.ts";
import { Refusal } from "./refusal.ts";
import { shuffled } from "./shuffle.ts";

const USUAL = 10;
const MOST = 500;

/**
 * Returns the albums of a list that a call asks for.
 *
 * @throws Refusal 10, 0 for a list that there is not.
 */
export function listedAlbums(call: Call): readonly Album[] {
  const { parameters } = call;
  const list = LISTS[parameters.get("type")];
  if (!list) throw new Refusal("generic", `There is no list of albums of this type`);
  const from = parameters.count("offset", { usual: 0 });
  return list(call).slice(from, from + parameters.count("size", { usual: USUAL, most: MOST }));
}

type List = (call: Call) => readonly Album[];

/** The albums that come after each other by a number, the largest first; those without one are left out. */
const byMost = (call: Call, numberOf: (album: Album) => number): Album[] =>
  call.outline.albums
    .map((album) => ({ album, number: numberOf(album) }))
    .filter(({ number }) => number > 0)
    .sort((a, b) => b.number - a.number || (a.album.id < b.album.id ? -1 : 1))
    .map(({ album }) => album);

const frequent: List = (call) => {
  const heard = heardTracks(call.deps.db, call.player);
  return byMost(call, ({ songs }) =>
    songs.reduce((sum, { trackId }) => sum + (heard.get(trackId)?.times ?? 0), 0),
  );
};

const LISTS: Readonly<Record<string, List>> = {
  random: (call) => shuffled(call.outline.albums),
  newest: (call) => byMost(call, ({ addedAt }) => addedAt),
  highest: frequent,
  frequent,
  recent: (call) => {
    const heard = heardTracks(call.deps.db, call.player);
    return byMost(call, ({ songs }) =>
      Math.max(0, ...songs.map(({ trackId }) => heard.get(trackId)?.lastAt ?? 0)),
    );
  },
  alphabeticalByName: (call) => call.outline.albums,
  alphabeticalByArtist: (call) =>
    call.outline.artists.flatMap(({ id, albums }) => albums.filter(({ artistId }) => artistId === id)),
  starred: (call) => {
    const saved = savedAlbums(call);
    return byMost(call, ({ playlistId }) => saved.get(playlistId ?? "") ?? 0);
  },
  byYear: (call) => {
    const years = yearsOf(call);
    if (!years) throw new Refusal("missing", "The parameters fromYear and toYear are missing");
    const [first, last, isBackwards] = years;
    const found = call.outline.albums.filter(({ year }) => year !== null && year >= first && year <= last);
    return found.toSorted((a, b) => ((a.year ?? 0) - (b.year ?? 0)) * (isBackwards ? -1 : 1));
  },
  byGenre: (call) => {
    const genre = call.parameters.get("genre");
    const { albums, genres } = call.outline;
    return albums.filter(({ songs }) => songs.some(({ trackId }) => genres.get(trackId)?.includes(genre)));
  },
};

/** Returns the first and last year that a call asks for, and whether the last is to come first; undefined where it asks for none. */
export function yearsOf({
  parameters,
}: Call): [first: number, last: number, isBackwards: boolean] | undefined {
  if (parameters.find("fromYear") === undefined && parameters.find("toYear") === undefined) return undefined;
  const from = parameters.count("fromYear", { usual: 0 });
  const to = parameters.count("toYear", { usual: 9999 });
  return [Math.min(from, to), Math.max(from, to), from > to];
}
