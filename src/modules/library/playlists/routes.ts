import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { signalOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
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

/** `/playlists`. */
export const playlistRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/playlists" })
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        const { items, paging } = listPlaylists(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        scope: "read:playlists",
        query: ListPlaylistsQuery,
        detail: describe({
          operationId: "listPlaylists",
          tag,
          summary: "List playlists and albums, newest first",
          answer: Type.Array(Playlist),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .get(
      "/single/:playlistId",
      ({ actor, params }) => ok(getPlaylist(deps, actor.accountId, params.playlistId)),
      {
        scope: "read:playlists",
        params: PlaylistParams,
        detail: describe({
          operationId: "getPlaylist",
          tag,
          summary: "Get a playlist with its tracks",
          description: `The public page is \`{public_url}/playlist/{link}\`, with the link of the mode \`SHARE_VIEW\`. ${NOT_FOUND}`,
          answer: GetPlaylistAnswer,
          refusals: [],
        }),
      },
    )
    .post("", ({ actor, body }) => ok(createPlaylist(deps, actor.accountId, body, { isShared: true })), {
      scope: "create:playlists",
      body: CreatePlaylist,
      detail: describe({
        operationId: "createPlaylist",
        tag,
        summary: "Create a playlist or an album",
        description:
          "The playlist gets a public link. If a track is missing, no playlist is made and the answer has `ok: false`.",
        answer: CreatePlaylistAnswer,
        refusals: [],
      }),
    })
    .patch(
      "/:playlistId",
      async ({ actor, params, body, request }) => {
        const target = { ownerId: actor.accountId, id: params.playlistId };
        return ok(await updatePlaylist(deps, target, body, signalOf(request)));
      },
      {
        scope: "update:playlists",
        params: PlaylistParams,
        body: UpdatePlaylist,
        detail: describe({
          operationId: "updatePlaylist",
          tag,
          summary: "Change a playlist or an album",
          description: `Only the fields you send change; null clears a field. \`image\` is its cover. \`kind\` makes a playlist an album, and back. ${NOT_FOUND}`,
          answer: UpdatePlaylistAnswer,
          refusals: [
            "invalid_image_url",
            "invalid_image_type",
            "image_download_failed",
            "insufficient_storage",
          ],
        }),
      },
    )
    .post(
      "/:playlistId/tracks",
      ({ actor, params, body }) => ok(addTracks(deps, actor.accountId, params.playlistId, body.trackIds)),
      {
        scope: "create:playlists",
        params: PlaylistParams,
        body: TrackIdList,
        detail: describe({
          operationId: "addTracksToPlaylist",
          tag,
          summary: "Add tracks to a playlist",
          description: `Appends the tracks in the order given. If a track is missing, nothing is added. ${NOT_FOUND}`,
          answer: AddTracksAnswer,
          refusals: [],
        }),
      },
    )
    .delete(
      "/:playlistId/tracks/:trackId",
      ({ actor, params }) => ok(removeTrack(deps, actor.accountId, params.playlistId, params.trackId)),
      {
        scope: "update:playlists",
        params: PlaylistTrackParams,
        detail: describe({
          operationId: "removeTrackFromPlaylist",
          tag,
          summary: "Remove a track from a playlist",
          description: `Removes every occurrence of the track. ${NOT_FOUND}`,
          answer: RemoveTrackAnswer,
          refusals: [],
        }),
      },
    )
    .patch(
      "/:playlistId/order",
      ({ actor, params, body }) => ok(orderPlaylist(deps, actor.accountId, params.playlistId, body.trackIds)),
      {
        scope: "update:playlists",
        params: PlaylistParams,
        body: TrackIdList,
        detail: describe({
          operationId: "orderPlaylist",
          tag,
          summary: "Put a playlist's tracks in order",
          description: `Name every track as often as the playlist contains it. ${NOT_FOUND}`,
          answer: OrderPlaylistAnswer,
          refusals: [],
        }),
      },
    );
