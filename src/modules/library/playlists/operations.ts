import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { signalOf } from "../../../http/request-state.ts";
import {
  addTracks,
  createPlaylist,
  getPlaylist,
  listPlaylists,
  orderPlaylist,
  removeTrack,
  updatePlaylist,
} from "./service.ts";
import {
  AddTracksAnswer,
  CreatePlaylist,
  CreatePlaylistAnswer,
  GetPlaylistAnswer,
  ListPlaylistsQuery,
  OrderPlaylistAnswer,
  Playlist,
  PlaylistParams,
  PlaylistTrackParams,
  RemoveTrackAnswer,
  TrackIdList,
  UpdatePlaylist,
  UpdatePlaylistAnswer,
} from "./shapes.ts";

const tag = "Playlists";
const NOT_FOUND = "If the playlist does not exist or belongs to another account, the answer has `ok: false`.";

/** Playlists and albums. */
export const playlistOperations = [
  op({
    at: "GET /playlists",
    id: "listPlaylists",
    key: "read:playlists",
    input: { query: ListPlaylistsQuery },
    tag,
    summary: "List playlists and albums, newest first",
    answer: Type.Array(Playlist),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listPlaylists(deps, actor.accountId, query),
  }),
  op({
    at: "GET /playlists/single/:playlistId",
    id: "getPlaylist",
    key: "read:playlists",
    input: { params: PlaylistParams },
    tag,
    summary: "Get a playlist with its tracks",
    description: `The public page is \`{public_url}/playlist/{link}\`, with the link of the mode \`SHARE_VIEW\`. ${NOT_FOUND}`,
    answer: GetPlaylistAnswer,
    refusals: [],
    run: (deps, { actor, params }) => getPlaylist(deps, actor.accountId, params.playlistId),
  }),
  op({
    at: "POST /playlists",
    id: "createPlaylist",
    key: "create:playlists",
    input: { body: CreatePlaylist },
    tag,
    summary: "Create a playlist or an album",
    description:
      "The playlist gets a public link. If a track is missing, no playlist is made and the answer has `ok: false`.",
    answer: CreatePlaylistAnswer,
    refusals: [],
    run: (deps, { actor, body }) => createPlaylist(deps, actor.accountId, body, { isShared: true }),
  }),
  op({
    at: "PATCH /playlists/:playlistId",
    id: "updatePlaylist",
    key: "update:playlists",
    input: { params: PlaylistParams, body: UpdatePlaylist },
    tag,
    summary: "Change a playlist or an album",
    description: `Only the fields you send change; null clears a field. \`image\` is its cover. \`kind\` makes a playlist an album, and back. ${NOT_FOUND}`,
    answer: UpdatePlaylistAnswer,
    refusals: ["invalid_image_url", "invalid_image_type", "image_download_failed", "insufficient_storage"],
    run(deps, { actor, params, body, request }) {
      const target = { ownerId: actor.accountId, id: params.playlistId };
      return updatePlaylist(deps, target, body, signalOf(request));
    },
  }),
  op({
    at: "POST /playlists/:playlistId/tracks",
    id: "addTracksToPlaylist",
    key: "create:playlists",
    input: { params: PlaylistParams, body: TrackIdList },
    tag,
    summary: "Add tracks to a playlist",
    description: `Appends the tracks in the order given. If a track is missing, nothing is added. ${NOT_FOUND}`,
    answer: AddTracksAnswer,
    refusals: [],
    run: (deps, { actor, params, body }) =>
      addTracks(deps, actor.accountId, params.playlistId, body.trackIds),
  }),
  op({
    at: "DELETE /playlists/:playlistId/tracks/:trackId",
    id: "removeTrackFromPlaylist",
    key: "update:playlists",
    input: { params: PlaylistTrackParams },
    tag,
    summary: "Remove a track from a playlist",
    description: `Removes every occurrence of the track. ${NOT_FOUND}`,
    answer: RemoveTrackAnswer,
    refusals: [],
    run: (deps, { actor, params }) => removeTrack(deps, actor.accountId, params.playlistId, params.trackId),
  }),
  op({
    at: "PATCH /playlists/:playlistId/order",
    id: "orderPlaylist",
    key: "update:playlists",
    input: { params: PlaylistParams, body: TrackIdList },
    tag,
    summary: "Put a playlist's tracks in order",
    description: `Name every track as often as the playlist contains it. ${NOT_FOUND}`,
    answer: OrderPlaylistAnswer,
    refusals: [],
    run: (deps, { actor, params, body }) =>
      orderPlaylist(deps, actor.accountId, params.playlistId, body.trackIds),
  }),
];
