import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { save, unsave } from "./service.ts";
import { Saved, SaveParams } from "./shapes.ts";

const tag = "App";

/** `/app/saves`: the tracks and playlists that the signed-in account has saved. */
export const saveRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/saves" })
    .use(guard)
    .put("/track/:id", ({ actor, params }) => ok(save(deps, actor.accountId, "track", params.id)), {
      session: true,
      params: SaveParams,
      detail: describe({
        operationId: "saveTrack",
        tag,
        summary: "Save a track",
        answer: Saved,
        refusals: ["track_not_found"],
      }),
    })
    .delete("/track/:id", ({ actor, params }) => ok(unsave(deps, actor.accountId, "track", params.id)), {
      session: true,
      params: SaveParams,
      detail: describe({
        operationId: "unsaveTrack",
        tag,
        summary: "Remove a track's save",
        answer: Saved,
        refusals: [],
      }),
    })
    .put("/playlist/:id", ({ actor, params }) => ok(save(deps, actor.accountId, "playlist", params.id)), {
      session: true,
      params: SaveParams,
      detail: describe({
        operationId: "savePlaylist",
        tag,
        summary: "Save a playlist",
        answer: Saved,
        refusals: ["playlist_not_found"],
      }),
    })
    .delete(
      "/playlist/:id",
      ({ actor, params }) => ok(unsave(deps, actor.accountId, "playlist", params.id)),
      {
        session: true,
        params: SaveParams,
        detail: describe({
          operationId: "unsavePlaylist",
          tag,
          summary: "Remove a playlist's save",
          answer: Saved,
          refusals: [],
        }),
      },
    );
