import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { signalOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { base64Picture } from "../artwork/service.ts";
import { CONSOLE, coverFolder, keepSeparate, undoArrival } from "./service.ts";
import { AlbumParams, Covered, Settled, SideCover } from "./shapes.ts";

const tag = "App";

/** `/app/albums` and `/app/uploads/cover`: albums that came in by themselves. */
export const albumRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .post(
      "/albums/:playlistId/undo",
      ({ actor, params }) => ok(undoArrival(deps, actor.accountId, params.playlistId)),
      {
        session: true,
        params: AlbumParams,
        detail: describe({
          operationId: "undoAlbum",
          tag,
          summary: "Take an album back that came in with a folder",
          description: "The album goes into the bin, with the songs that came in with it.",
          answer: Settled,
          refusals: ["undo_not_found"],
        }),
      },
    )
    .post(
      "/albums/:playlistId/separate",
      ({ actor, params }) => ok(keepSeparate(deps, actor.accountId, params.playlistId)),
      {
        session: true,
        params: AlbumParams,
        detail: describe({
          operationId: "separateAlbum",
          tag,
          summary: "Keep the songs of an album that came in with a folder as separate tracks",
          description:
            "The album goes into the bin; its songs stay. What still comes in with the folder stays separate too.",
          answer: Settled,
          refusals: ["undo_not_found"],
        }),
      },
    )
    .post(
      "/uploads/cover",
      async ({ actor, body, request }) => {
        const picture = base64Picture(body.image);
        const bytes = "bytes" in picture ? picture.bytes : new Uint8Array();
        const side = { accountId: actor.accountId, source: CONSOLE, path: body.path, bytes };
        return ok(await coverFolder(deps, side, signalOf(request)));
      },
      {
        session: true,
        body: SideCover,
        detail: describe({
          operationId: "coverFolder",
          tag,
          summary: "Give a folder's album the picture that lay beside its songs",
          description:
            "Send it when the songs are in the library. It becomes the cover of their album, and of the songs that have none; a " +
            "cover that you chose stays.",
          answer: Covered,
          refusals: ["invalid_image_type", "insufficient_storage"],
        }),
      },
    );
