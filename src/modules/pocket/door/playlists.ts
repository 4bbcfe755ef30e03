import { toIso } from "../../../kernel/time.ts";
import type { Node } from "./answer.ts";
import type { Method } from "./browse.ts";
import type { Call } from "./caller.ts";
import { pictureId, withoutPicture } from "./ids.ts";
import type { Outline, Playlist, Song } from "./outline/outline.ts";
import { notThere } from "./refusal.ts";
import { songNodes } from "./songs.ts";

/** So many songs are on a list that is made. */
const MADE = 100;

/** The methods for playlists. Two that are made come first: in a car they are what is there at once. */
export const PLAYLISTS = {
  getPlaylists: (call) => ({
    playlists: { playlist: playlistsOf(call.outline).map((each) => toNode(call, each)) },
  }),
  getPlaylist: (call) => {
    const playlist = getPlaylist(call.outline, call.parameters.get("id"));
    return { playlist: { ...toNode(call, playlist), entry: songNodes(call, playlist.songs) } };
  },
} satisfies Record<string, Method>;

/** @throws Refusal 70. */
export function getPlaylist(outline: Outline, id: string): Playlist {
  const wanted = withoutPicture(id);
  const playlist = outline.playlistOf.get(wanted) ?? madeLists(outline).find((each) => each.id === wanted);
  if (!playlist) throw notThere("playlist");
  return playlist;
}

const playlistsOf = (outline: Outline): Playlist[] => [...madeLists(outline), ...outline.playlists];

function madeLists(outline: Outline): Playlist[] {
  const newest = (timeOf: (song: Song) => number, songs: readonly Song[]) =>
    songs.toSorted((a, b) => timeOf(b) - timeOf(a) || (a.trackId < b.trackId ? 1 : -1)).slice(0, MADE);
  const whole = outline.songs.filter(({ isStem }) => !isStem);
  const added = newest(({ createdAt }) => createdAt, whole);
  const changed = newest(
    ({ mixedAt }) => mixedAt,
    whole.filter(({ isNewMix }) => isNewMix),
  );
  return [
    made("auto-added", "Recently added", added, ({ createdAt }) => createdAt),
    made("auto-changed", "New mixes", changed, ({ mixedAt }) => mixedAt),
  ];
}

function made(id: string, name: string, songs: readonly Song[], timeOf: (song: Song) => number): Playlist {
  const times = songs.map(timeOf);
  return {
    id,
    name,
    comment: null,
    songs,
    cover: null,
    createdAt: Math.min(...times, times[0] ?? 0),
    changedAt: times[0] ?? 0,
    durationSec: Math.round(songs.reduce((sum, { durationSec }) => sum + durationSec, 0)),
  };
}

function toNode(
  call: Call,
  { id, name, comment, songs, cover, createdAt, changedAt, durationSec }: Playlist,
): Node {
  return {
    id,
    name,
    comment: comment ?? undefined,
    owner: call.player.username,
    public: false,
    songCount: songs.length,
    duration: durationSec,
    created: toIso(createdAt),
    changed: toIso(changedAt),
    coverArt: pictureId(id, cover),
    readonly: true,
  };
}
