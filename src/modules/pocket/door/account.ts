import { mayDo } from "../../../kernel/actor.ts";
import { toIso } from "../../../kernel/time.ts";
import type { Node } from "./answer.ts";
import type { Method } from "./browse.ts";
import type { Call } from "./caller.ts";
import { Refusal } from "./refusal.ts";

/** What is announced beyond the protocol of 1.16.1. It must be answered without a password. */
export const EXTENSIONS: Node = {
  openSubsonicExtensions: ["apiKeyAuthentication", "formPost", "songLyrics"].map((name) => ({
    name,
    versions: [1],
  })),
};

/** The methods about the player itself. */
export const ACCOUNT = {
  ping: () => ({}),
  getLicense: () => ({ license: { valid: true } }),
  getOpenSubsonicExtensions: () => EXTENSIONS,
  tokenInfo: ({ player }) => ({ tokenInfo: { username: player.username } }),
  getUser: ({ player, parameters }) => {
    const name = parameters.find("username") ?? player.username;
    if (name !== player.username) throw new Refusal("notAllowed", "An app sees no user but itself");
    const may = {
      streamRole: true,
      downloadRole: mayDo(player, "download:originals"),
      scrobblingEnabled: true,
    };
    return { user: { username: name, ...NOTHING_ALLOWED, ...may, folder: [1] } };
  },
} satisfies Record<string, Method>;

const NOTHING_ALLOWED = {
  adminRole: false,
  settingsRole: false,
  uploadRole: false,
  playlistRole: false,
  coverArtRole: false,
  commentRole: false,
  podcastRole: false,
  jukeboxRole: false,
  shareRole: false,
  videoConversionRole: false,
};

/** What many players ask for at their start, and there is none of here. */
export const EMPTY = {
  getScanStatus: (call) => ({ scanStatus: { scanning: false, count: call.outline.songs.length } }),
  getNowPlaying: () => ({ nowPlaying: { entry: [] } }),
  getBookmarks: () => ({ bookmarks: { bookmark: [] } }),
  getPlayQueue: (call) => ({ playQueue: emptyQueue(call) }),
  getPodcasts: () => ({ podcasts: { channel: [] } }),
  getNewestPodcasts: () => ({ newestPodcasts: { episode: [] } }),
  getInternetRadioStations: () => ({ internetRadioStations: { internetRadioStation: [] } }),
  getShares: () => ({ shares: { share: [] } }),
  getTopSongs: () => ({ topSongs: { song: [] } }),
  getArtistInfo: () => ({ artistInfo: {} }),
  getArtistInfo2: () => ({ artistInfo2: {} }),
  getAlbumInfo: () => ({ albumInfo: {} }),
  getAlbumInfo2: () => ({ albumInfo: {} }),
} satisfies Record<string, Method>;

const emptyQueue = ({ player, deps }: Call): Node => ({
  username: player.username,
  changed: toIso(deps.now()),
  changedBy: "",
  entry: [],
});

/** Every method that changes something. */
export const CHANGING: ReadonlySet<string> = new Set(
  (
    "star unstar setRating createPlaylist updatePlaylist deletePlaylist createShare updateShare deleteShare savePlayQueue " +
    "savePlayQueueByIndex createBookmark deleteBookmark createPodcastChannel deletePodcastChannel deletePodcastEpisode " +
    "downloadPodcastEpisode refreshPodcasts createInternetRadioStation updateInternetRadioStation " +
    "deleteInternetRadioStation createUser updateUser deleteUser changePassword addChatMessage startScan jukeboxControl " +
    "reportPlayback getUsers"
  ).split(" "),
);
