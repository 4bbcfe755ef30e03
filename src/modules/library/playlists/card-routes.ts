import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { AlbumFacts, NewPlaylist, PlaylistCard, PlaylistRow } from "./card-shapes.ts";
import { createCard, getCard, listCards, listRows, pinCard, publishCard } from "./cards.ts";
import { getFacts } from "./facts.ts";
import { ListPlaylistsQuery, PlaylistParams } from "./shapes.ts";

const tag = "App";

/** `/app/playlists`: playlists as the console shows them. */
export const playlistCardRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/playlists" })
    .use(guard)
    .use(factsAndPinRoutes(deps, guard))
    .use(publicRoutes(deps, guard))
    .get(
      "",
      ({ actor, query }) => {
        const { items, paging } = listCards(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        session: true,
        query: ListPlaylistsQuery,
        detail: describe({
          operationId: "listPlaylistCards",
          tag,
          summary: "List your playlists and albums with covers and length, newest first",
          answer: Type.Array(PlaylistCard),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .post("", ({ actor, body }) => ok(createCard(deps, actor.accountId, body)), {
      session: true,
      body: NewPlaylist,
      detail: describe({
        operationId: "createPlaylistCard",
        tag,
        summary: "Create a playlist or an album, with or without tracks",
        answer: PlaylistCard,
        refusals: ["track_not_found"],
      }),
    })
    .get("/:playlistId", ({ actor, params }) => ok(getCard(deps, actor.accountId, params.playlistId)), {
      session: true,
      params: PlaylistParams,
      detail: describe({
        operationId: "getPlaylistCard",
        tag,
        summary: "Get a playlist with covers and length",
        answer: PlaylistCard,
        refusals: ["playlist_not_found"],
      }),
    })
    .get(
      "/:playlistId/tracks",
      ({ actor, params }) => ok(listRows(deps, actor.accountId, params.playlistId)),
      {
        session: true,
        params: PlaylistParams,
        detail: describe({
          operationId: "listPlaylistRows",
          tag,
          summary: "List a playlist's tracks as rows, in order",
          answer: Type.Array(PlaylistRow),
          refusals: ["playlist_not_found"],
        }),
      },
    );

const publicRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .put(
      "/:playlistId/public",
      ({ actor, params }) => ok(publishCard(deps, actor.accountId, params.playlistId, true)),
      {
        session: true,
        params: PlaylistParams,
        detail: describe({
          operationId: "publishPlaylist",
          tag,
          summary: "Let anyone with the public link open a playlist",
          description: "Turns on the link that the playlist has, or makes one.",
          answer: PlaylistCard,
          refusals: ["playlist_not_found"],
        }),
      },
    )
    .delete(
      "/:playlistId/public",
      ({ actor, params }) => ok(publishCard(deps, actor.accountId, params.playlistId, false)),
      {
        session: true,
        params: PlaylistParams,
        detail: describe({
          operationId: "unpublishPlaylist",
          tag,
          summary: "Turn the public links of a playlist off",
          description: "Links with a recipient stay. Turned on again, the links have the same addresses.",
          answer: PlaylistCard,
          refusals: ["playlist_not_found"],
        }),
      },
    );

const factsAndPinRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .get(
      "/:playlistId/facts",
      ({ actor, params }) => ok(getFacts(deps, actor.accountId, params.playlistId)),
      {
        session: true,
        params: PlaylistParams,
        detail: describe({
          operationId: "getAlbumFacts",
          tag,
          summary: "Get what the songs of an album add up to",
          description: "Length, what is missing in the numbers, and loudness; of a playlist too.",
          answer: AlbumFacts,
          refusals: ["playlist_not_found"],
        }),
      },
    )
    .put(
      "/:playlistId/pin",
      ({ actor, params }) => ok(pinCard(deps, actor.accountId, params.playlistId, true)),
      {
        session: true,
        params: PlaylistParams,
        detail: describe({
          operationId: "pinPlaylist",
          tag,
          summary: "Pin a playlist to the front of the others",
          answer: PlaylistCard,
          refusals: ["playlist_not_found"],
        }),
      },
    )
    .delete(
      "/:playlistId/pin",
      ({ actor, params }) => ok(pinCard(deps, actor.accountId, params.playlistId, false)),
      {
        session: true,
        params: PlaylistParams,
        detail: describe({
          operationId: "unpinPlaylist",
          tag,
          summary: "Let go of a pinned playlist",
          answer: PlaylistCard,
          refusals: ["playlist_not_found"],
        }),
      },
    );
