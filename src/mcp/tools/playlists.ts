import { Type } from "@sinclair/typebox";
import type { OrdinaryScope } from "../../kernel/scopes.ts";
import type { Binned } from "../../modules/library/bin/shapes.ts";
import {
  type Created,
  CreatePlaylist,
  type Playlist,
  type PlaylistDetail,
  TrackIdList,
  UpdatePlaylist,
} from "../../modules/library/playlists/shapes.ts";
import type { OwnUndo } from "../../modules/outward/assistant/shapes.ts";
import { CreateShare, type Share } from "../../modules/sharing/shares/shapes.ts";
import type { OperationCall } from "../calls/dispatch.ts";
import { change, fields, list, numbers, object, PLAYLIST, page, withId } from "./answers.ts";
import { compactPage, compactPlaylist, compactPlaylistDetail } from "./compact.ts";
import { Detail, field, Page, PlaylistId, requireAlone, TrackId, Undo, undoBody } from "./fields.ts";
import { ADDS, READS, SETS, TURNS, tool } from "./tool.ts";

const TrackIds = (description: string) => field(TrackIdList.properties.trackIds, description, "minItems");
const Description = field(CreatePlaylist.properties.description, "Description", "maxLength");

const Recipient = field(CreateShare.properties.recipient, "Link for this person");
const shareScopes = ({ recipient }: { recipient?: string }): OrdinaryScope[] =>
  recipient === undefined ? [] : ["create:shares"];
const shareRequests = (playlistId: string, recipient: string | undefined): OperationCall[] =>
  recipient === undefined ? [] : [{ operation: "createShareLink", body: { playlistId, recipient } }];
const addShare = ([share]: Share[]) =>
  share ? { share: { id: share.id, url: share.url, recipient: share.recipient } } : {};

export const listPlaylists = tool({
  name: "list_playlists",
  title: "List playlists",
  description: "Playlists, newest first, without their tracks.",
  input: Type.Object({ ...Page, detail: Detail }),
  output: object(page(PLAYLIST)),
  annotations: READS,
  operation: "listPlaylists",
  request: ({ limit, cursor }) => ({ query: { limit, cursor } }),
  compact: compactPage<Playlist>(compactPlaylist),
});

export const getPlaylist = tool({
  name: "get_playlist",
  title: "Playlist",
  description: "One playlist, its tracks in order and public link. full adds profiles and download links.",
  input: Type.Object({ playlistId: PlaylistId, detail: Detail }),
  output: object({
    ...fields("id name kind trackCount updatedAt publicLink"),
    tracks: list({ ...withId("title artist"), ...numbers("durationSec") }),
  }),
  annotations: READS,
  operation: "getPlaylist",
  request: ({ playlistId }) => ({ params: { playlistId } }),
  compact: (payload: PlaylistDetail, _, { publicUrl }) => compactPlaylistDetail(payload, publicUrl),
});

export const createPlaylist = tool({
  name: "create_playlist",
  title: "Create a playlist",
  description: "Make a playlist with a public link; none if a track is unknown.",
  input: Type.Object({
    name: field(CreatePlaylist.properties.name, "Name", "maxLength"),
    description: Description,
    trackIds: TrackIds("In order"),
    dedupe: field(CreatePlaylist.properties.dedupe, "Drop repeated ids"),
    recipient: Recipient,
  }),
  output: object({
    playlist: object(fields("id name publicLink privateLink")),
    ...fields("tracks share"),
  }),
  furtherScopes: shareScopes,
  after: {
    requests: ({ recipient }, { playlist }: Created) => shareRequests(playlist.id, recipient),
    add: addShare,
  },
  annotations: ADDS,
  operation: "createPlaylist",
  request: ({ name, description, trackIds, dedupe }) => ({
    body: { name, description, trackIds, dedupe },
  }),
});

export const updatePlaylist = tool({
  name: "update_playlist",
  title: "Update a playlist",
  description: "Change name or description, make a link for a person, or delete it.",
  input: Type.Object({
    playlistId: PlaylistId,
    name: field(UpdatePlaylist.properties.name, "Name", "maxLength"),
    description: Description,
    collaborative: field(UpdatePlaylist.properties.collaborative, "All may edit it"),
    recipient: Recipient,
    delete: Type.Optional(Type.Boolean({ description: "Into the bin" })),
    undo: Undo,
  }),
  furtherScopes: shareScopes,
  after: {
    requests: ({ playlistId, recipient }) => shareRequests(playlistId, recipient),
    add: addShare,
    // Its address would be another one.
    preview: (shares: Share[]) =>
      shares.map(({ recipient }) => ({ path: "share", before: null, after: { recipient } })),
  },
  output: change(fields("playlist share deletesAt")),
  target: { entity: "playlist", argument: "playlistId" },
  annotations: SETS,
  operation: "updatePlaylist",
  request: ({ playlistId, delete: deletes, undo, ...change }, isRehearsal) => {
    if (undo !== undefined) {
      const body = undoBody(undo, { ...change, delete: deletes }, isRehearsal);
      return { operation: "undoPlaylistChange", query: { id: playlistId }, body };
    }
    if (deletes) {
      requireAlone("delete", change);
      return { operation: "movePlaylistToBin", params: { playlistId } };
    }
    const { name, description, collaborative } = change;
    return { params: { playlistId }, body: { name, description, collaborative } };
  },
  compact: (payload: { playlist: Playlist } | Binned | OwnUndo) => {
    if ("undone" in payload) return payload;
    return "playlist" in payload
      ? { ok: true, playlist: compactPlaylist(payload.playlist) }
      : { ok: true, playlistId: payload.id, deleted: true, deletesAt: payload.deletesAt };
  },
});

export const addTracksToPlaylist = tool({
  name: "add_tracks_to_playlist",
  title: "Append tracks",
  description: "Append tracks in this order, also those already there.",
  input: Type.Object({ playlistId: PlaylistId, trackIds: TrackIds("In order") }),
  output: object(fields("playlistId added trackCount")),
  annotations: ADDS,
  operation: "addTracksToPlaylist",
  request: ({ playlistId, trackIds }) => ({
    params: { playlistId },
    body: { trackIds },
  }),
});

export const removeTrackFromPlaylist = tool({
  name: "remove_track_from_playlist",
  title: "Remove a track",
  description: "Remove every occurrence of a track from a playlist.",
  input: Type.Object({ playlistId: PlaylistId, trackId: TrackId }),
  output: change(fields("playlistId trackId removed")),
  target: { entity: "playlist", argument: "playlistId" },
  annotations: SETS,
  operation: "removeTrackFromPlaylist",
  request: ({ playlistId, trackId }) => ({ params: { playlistId, trackId } }),
});

export const reorderPlaylist = tool({
  name: "reorder_playlist",
  title: "Reorder",
  description: "Reorder a playlist. List each track as often as it occurs.",
  input: Type.Object({
    playlistId: PlaylistId,
    trackIds: TrackIds("All, in order"),
  }),
  output: change(fields("playlistId trackIds")),
  target: { entity: "playlist", argument: "playlistId" },
  annotations: TURNS,
  operation: "orderPlaylist",
  request: ({ playlistId, trackIds }) => ({
    params: { playlistId },
    body: { trackIds },
  }),
});
