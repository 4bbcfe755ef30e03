import { albumFolders, albumNodes, savedAlbums } from "./albums.ts";
import type { Method } from "./browse.ts";
import type { Call } from "./caller.ts";
import { selectSaved } from "./song-queries.ts";
import { songNodes } from "./songs.ts";

/** What the player's person saved in the console. Players only read it. */
export const STARRED = {
  getStarred: (call) => ({
    starred: { artist: [], album: albumFolders(call, starredAlbums(call)), song: starredSongs(call) },
  }),
  getStarred2: (call) => ({
    starred2: { artist: [], album: albumNodes(call, starredAlbums(call)), song: starredSongs(call) },
  }),
} satisfies Record<string, Method>;

function starredSongs(call: Call) {
  const { songOf } = call.outline;
  const saved = selectSaved(call.deps.db, call.player, "track");
  return songNodes(
    call,
    [...saved.keys()].flatMap((id) => songOf.get(id) ?? []),
  );
}

function starredAlbums(call: Call) {
  const albums = new Map(call.outline.albums.map((album) => [album.playlistId, album]));
  return [...savedAlbums(call).keys()].flatMap((id) => albums.get(id) ?? []);
}
