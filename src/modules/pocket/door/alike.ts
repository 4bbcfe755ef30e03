import { similarTracks } from "../../search/search/service.ts";
import type { Method } from "./browse.ts";
import type { Call } from "./caller.ts";
import { trackIdOf } from "./ids.ts";
import type { Song } from "./outline/outline.ts";
import { notThere } from "./refusal.ts";
import { songNodes } from "./songs.ts";

const USUAL = 50;
const MOST = 200;
/** So many songs of an album or an artist are asked what sounds like them. */
const MOST_SEEDS = 3;

/** The methods that find what sounds like a song, or like songs of an album or an artist. */
export const ALIKE = {
  getSimilarSongs: async (call) => ({ similarSongs: { song: songNodes(call, await songsLike(call)) } }),
  getSimilarSongs2: async (call) => ({ similarSongs2: { song: songNodes(call, await songsLike(call)) } }),
} satisfies Record<string, Method>;

async function songsLike(call: Call): Promise<Song[]> {
  const { deps, player, parameters, signal } = call;
  const limit = parameters.count("count", { usual: USUAL, most: MOST });
  const { songOf } = call.outline;
  const seeds = seedsOf(call, parameters.get("id"));
  if (limit === 0) return [];
  const lists: string[][] = [];
  for (const { trackId } of seeds.slice(0, MOST_SEEDS)) {
    const found = await similarTracks(
      deps,
      player.accountId,
      { id: trackId, limit: limit + seeds.length },
      signal,
    );
    if ("results" in found) lists.push(found.results.map(({ id }) => id));
  }
  const left = new Set(seeds.map(({ trackId }) => trackId));
  return inTurn(lists)
    .filter((id) => !left.has(id) && left.add(id))
    .flatMap((id) => songOf.get(id) ?? [])
    .filter(({ isStem }) => !isStem)
    .slice(0, limit);
}

/** @throws Refusal 70. */
function seedsOf(call: Call, id: string): readonly Song[] {
  const { songOf, albumOf, artistOf } = call.outline;
  const song = songOf.get(trackIdOf(id) ?? "");
  if (song) return [song];
  const songs = albumOf.get(id)?.songs ?? artistOf.get(id)?.albums.flatMap((album) => album.songs);
  if (!songs) throw notThere("song");
  return songs;
}

/** Returns the first of each list, then the second of each, and so on. */
function inTurn(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}
