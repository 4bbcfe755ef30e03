import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { deletePlaylist } from "./service.ts";
import { Binned, BinPlaylistParams } from "./shapes.ts";

/** `DELETE /playlists/{playlistId}`: a playlist goes into the bin with a key too. */
export const binKeyRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/playlists" })
    .use(guard)
    .delete(
      "/:playlistId",
      ({ actor, params }) => ok(deletePlaylist(deps, actor.accountId, params.playlistId)),
      {
        scope: "update:playlists",
        params: BinPlaylistParams,
        detail: describe({
          operationId: "movePlaylistToBin",
          tag: "Playlists",
          summary: "Move a playlist into the bin for 30 days",
          description:
            "Its tracks stay in the library. Its link answers 410 until the owner restores the playlist in the console.",
          answer: Binned,
          refusals: ["playlist_not_found"],
        }),
      },
    );
