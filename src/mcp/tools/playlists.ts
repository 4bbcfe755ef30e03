import { Type } from "@sinclair/typebox";
import { MAX_TRACK_IDS, type Playlist, type PlaylistDetail } from "../../modules/playlists/model.ts";
import { compactPage, compactPlaylist, compactPlaylistDetail } from "./compact.ts";
import { Detail, Page, PageOf, PlaylistId, Things, TrackId } from "./fields.ts";
import { ADDS, READS, SETS, TURNS, tool } from "./tool.ts";

const path = (playlistId: string, rest = "") => `/playlists/${encodeURIComponent(playlistId)}${rest}`;
const TrackIds = (description: string) =>
  Type.Array(Type.String(), { minItems: 1, maxItems: MAX_TRACK_IDS, description });
const Name = Type.String({ minLength: 1, maxLength: 120, description: "Name, 1-120 characters" });
const Description = Type.Optional(
  Type.String({ maxLength: 2000, description: "Description, up to 2000 characters" }),
);

export const listPlaylists = tool({
  name: "list_playlists",
  title: "List playlists",
  description: "The library's playlists, newest first. Returns data[] and paging.next_cursor.",
  input: Type.Object({ ...Page, detail: Detail }),
  output: PageOf,
  annotations: READS,
  scopes: ["read:playlists"],
  endpoint: "GET /playlists",
  request: ({ limit, cursor }) => ({ method: "GET", path: "/playlists", query: { limit, cursor } }),
  compact: compactPage<Playlist>(compactPlaylist),
});

export const getPlaylist = tool({
  name: "get_playlist",
  title: "Get a playlist",
  description:
    "One playlist with its tracks in order and its public link. full adds a download link valid for one hour and the " +
    "whole audio profile of each track.",
  input: Type.Object({ playlistId: PlaylistId, detail: Detail }),
  output: Type.Object({ id: Type.String(), name: Type.String(), tracks: Things }),
  annotations: READS,
  scopes: ["read:playlists"],
  endpoint: "GET /playlists/single/{playlistId}",
  request: ({ playlistId }) => ({
    method: "GET",
    path: `/playlists/single/${encodeURIComponent(playlistId)}`,
  }),
  compact: (payload: PlaylistDetail, _, { publicUrl }) => compactPlaylistDetail(payload, publicUrl),
});

export const createPlaylist = tool({
  name: "create_playlist",
  title: "Create a playlist",
  description:
    "Make a playlist of tracks, in the order given, with a public link to share. Every track must be in the library, " +
    "or nothing is made. Returns ok, the playlist with publicLink, and the tracks' count and ids.",
  input: Type.Object({
    name: Name,
    description: Description,
    trackIds: TrackIds("1-1000 track ids, in order"),
    dedupe: Type.Optional(Type.Boolean({ default: false, description: "Drop repeated ids" })),
  }),
  annotations: ADDS,
  scopes: ["create:playlists"],
  endpoint: "POST /playlists",
  request: ({ name, description, trackIds, dedupe }) => ({
    method: "POST",
    path: "/playlists",
    body: { name, description, trackIds, dedupe },
  }),
});

export const updatePlaylist = tool({
  name: "update_playlist",
  title: "Update a playlist",
  description:
    "Change a playlist's name or description. Only the fields sent change. Returns ok and the playlist.",
  input: Type.Object({ playlistId: PlaylistId, name: Type.Optional(Name), description: Description }),
  annotations: SETS,
  scopes: ["update:playlists"],
  endpoint: "PATCH /playlists/{playlistId}",
  request: ({ playlistId, name, description }) => ({
    method: "PATCH",
    path: path(playlistId),
    body: { name, description },
  }),
  compact: ({ playlist }: { playlist: Playlist }) => ({ ok: true, playlist: compactPlaylist(playlist) }),
});

export const addTracksToPlaylist = tool({
  name: "add_tracks_to_playlist",
  title: "Add tracks to a playlist",
  description:
    "Append tracks to a playlist, in the order given. A track already in it is added again. Returns ok, added " +
    "and trackCount.",
  input: Type.Object({ playlistId: PlaylistId, trackIds: TrackIds("1-1000 track ids, in order") }),
  annotations: ADDS,
  scopes: ["create:playlists"],
  endpoint: "POST /playlists/{playlistId}/tracks",
  request: ({ playlistId, trackIds }) => ({
    method: "POST",
    path: path(playlistId, "/tracks"),
    body: { trackIds },
  }),
});

export const removeTrackFromPlaylist = tool({
  name: "remove_track_from_playlist",
  title: "Remove a track from a playlist",
  description:
    "Remove every occurrence of a track from a playlist. The track itself stays in the library. Returns ok and " +
    "removed.",
  input: Type.Object({ playlistId: PlaylistId, trackId: TrackId }),
  annotations: SETS,
  scopes: ["update:playlists"],
  endpoint: "DELETE /playlists/{playlistId}/tracks/{trackId}",
  request: ({ playlistId, trackId }) => ({
    method: "DELETE",
    path: path(playlistId, `/tracks/${encodeURIComponent(trackId)}`),
  }),
});

export const reorderPlaylist = tool({
  name: "reorder_playlist",
  title: "Reorder a playlist",
  description:
    "Put a playlist's tracks into a new order. List every track as often as it occurs (get_playlist). Returns ok and " +
    "trackIds in the new order.",
  input: Type.Object({
    playlistId: PlaylistId,
    trackIds: TrackIds("All 1-1000 track ids, in the new order"),
  }),
  annotations: TURNS,
  scopes: ["update:playlists"],
  endpoint: "PATCH /playlists/{playlistId}/order",
  request: ({ playlistId, trackIds }) => ({
    method: "PATCH",
    path: path(playlistId, "/order"),
    body: { trackIds },
  }),
});
