import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { PageQuery } from "../../../http/page-query.ts";
import type { Deps } from "../../../kernel/deps.ts";
import {
  deletePlaylist,
  deletePlaylistForGood,
  deleteTrack,
  deleteTrackForGood,
  emptyPlaylists,
  emptyTracks,
  listDeletedPlaylists,
  listDeletedTracks,
  restorePlaylist,
  restoreTrack,
} from "./service.ts";
import {
  Binned,
  BinnedPlaylist,
  BinnedTrack,
  BinPlaylistParams,
  BinTrackParams,
  Emptied,
  Restored,
} from "./shapes.ts";

const tag = "App";

/** Deleting tracks and playlists into the bin, and out of it again. */
export const binRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(trackBinRoutes(deps, guard))
    .use(playlistBinRoutes(deps, guard))
    .use(forGoodRoutes(deps, guard));

const trackBinRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/tracks" })
    .use(guard)
    .get("/deleted", ({ actor, query }) => pageOf(listDeletedTracks(deps, actor.accountId, query)), {
      session: true,
      query: PageQuery,
      detail: describe({
        operationId: "listDeletedTracks",
        tag,
        summary: "List the tracks in the bin, the last deleted first",
        answer: Type.Array(BinnedTrack),
        siblings: { paging: Paging },
        refusals: [],
      }),
    })
    .delete("/deleted", async ({ actor }) => ok(await emptyTracks(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "emptyTrackBin",
        tag,
        summary: "Delete every track in the bin for good",
        answer: Emptied,
        refusals: [],
      }),
    })
    // The address of version 0.5, for consoles that are still open.
    .delete(
      "/deleted/:trackId",
      ({ actor, params }) => ok(deleteTrackForGood(deps, actor.accountId, params.trackId)),
      { session: true, params: BinTrackParams },
    )
    .delete("/:trackId", ({ actor, params }) => ok(deleteTrack(deps, actor.accountId, params.trackId)), {
      session: true,
      params: BinTrackParams,
      detail: describe({
        operationId: "deleteTrack",
        tag,
        summary: "Move a track into the bin for 30 days",
        description:
          "It vanishes from the library, playlists and search, and its links answer 410. Until it is deleted for good, it " +
          "can be restored as it was.",
        answer: Binned,
        refusals: ["track_not_found"],
      }),
    })
    .post(
      "/:trackId/restore",
      ({ actor, params }) => ok(restoreTrack(deps, actor.accountId, params.trackId)),
      {
        session: true,
        params: BinTrackParams,
        detail: describe({
          operationId: "restoreTrack",
          tag,
          summary: "Bring a track back from the bin",
          answer: Restored,
          refusals: ["track_not_found"],
        }),
      },
    );

const playlistBinRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/playlists" })
    .use(guard)
    .get("/deleted", ({ actor, query }) => pageOf(listDeletedPlaylists(deps, actor.accountId, query)), {
      session: true,
      query: PageQuery,
      detail: describe({
        operationId: "listDeletedPlaylists",
        tag,
        summary: "List the playlists in the bin, the last deleted first",
        answer: Type.Array(BinnedPlaylist),
        siblings: { paging: Paging },
        refusals: [],
      }),
    })
    .delete("/deleted", ({ actor }) => ok(emptyPlaylists(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "emptyPlaylistBin",
        tag,
        summary: "Delete every playlist in the bin for good",
        answer: Emptied,
        refusals: [],
      }),
    })
    .delete(
      "/deleted/:playlistId",
      ({ actor, params }) => ok(deletePlaylistForGood(deps, actor.accountId, params.playlistId)),
      { session: true, params: BinPlaylistParams },
    )
    .delete(
      "/:playlistId",
      ({ actor, params }) => ok(deletePlaylist(deps, actor.accountId, params.playlistId)),
      {
        session: true,
        params: BinPlaylistParams,
        detail: describe({
          operationId: "deletePlaylist",
          tag,
          summary: "Move a playlist into the bin for 30 days",
          description: "Its tracks stay in the library. Its link answers 410 until the playlist is restored.",
          answer: Binned,
          refusals: ["playlist_not_found"],
        }),
      },
    )
    .post(
      "/:playlistId/restore",
      ({ actor, params }) => ok(restorePlaylist(deps, actor.accountId, params.playlistId)),
      {
        session: true,
        params: BinPlaylistParams,
        detail: describe({
          operationId: "restorePlaylist",
          tag,
          summary: "Bring a playlist back from the bin",
          answer: Restored,
          refusals: ["playlist_not_found"],
        }),
      },
    );

/** What is in the bin has its own addresses, because `/app/tracks/deleted/restore` could be read in two ways. */
const forGoodRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/bin" })
    .use(guard)
    .delete(
      "/tracks/:trackId",
      ({ actor, params }) => ok(deleteTrackForGood(deps, actor.accountId, params.trackId)),
      {
        session: true,
        params: BinTrackParams,
        detail: describe({
          operationId: "deleteTrackForGood",
          tag,
          summary: "Delete a track in the bin for good",
          answer: Emptied,
          refusals: ["track_not_found"],
        }),
      },
    )
    .delete(
      "/playlists/:playlistId",
      ({ actor, params }) => ok(deletePlaylistForGood(deps, actor.accountId, params.playlistId)),
      {
        session: true,
        params: BinPlaylistParams,
        detail: describe({
          operationId: "deletePlaylistForGood",
          tag,
          summary: "Delete a playlist in the bin for good",
          answer: Emptied,
          refusals: ["playlist_not_found"],
        }),
      },
    );

function pageOf<Item>({ items, paging }: { items: Item[]; paging: Paging }) {
  return ok(items, { paging });
}
