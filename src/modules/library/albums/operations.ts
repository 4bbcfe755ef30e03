import { op } from "../../../http/operation.ts";
import { signalOf } from "../../../http/request-state.ts";
import { base64Picture } from "../artwork/service.ts";
import { CONSOLE, coverFolder, keepSeparate, undoArrival } from "./service.ts";
import { AlbumParams, Covered, Settled, SideCover } from "./shapes.ts";

const tag = "Playlists";

/** Albums that came in by themselves. */
export const albumOperations = [
  op({
    at: "POST /albums/:playlistId/undo",
    id: "undoAlbum",
    session: "update:playlists",
    input: { params: AlbumParams },
    tag,
    summary: "Undo an album that came in with a folder",
    description: "The album goes into the bin, with the songs that came in with it.",
    answer: Settled,
    refusals: ["undo_not_found"],
    run: (deps, { actor, params }) => undoArrival(deps, actor.accountId, params.playlistId),
  }),
  op({
    at: "POST /albums/:playlistId/separate",
    id: "separateAlbum",
    session: "update:playlists",
    input: { params: AlbumParams },
    tag,
    summary: "Keep the songs of an album that came in with a folder as separate tracks",
    description:
      "The album goes into the bin; its songs stay. What still comes in with the folder stays separate too.",
    answer: Settled,
    refusals: ["undo_not_found"],
    run: (deps, { actor, params }) => keepSeparate(deps, actor.accountId, params.playlistId),
  }),
  op({
    at: "POST /uploads/cover",
    id: "coverFolder",
    session: "create:tracks",
    input: { body: SideCover },
    tag,
    summary: "Set the cover of an album from the picture in its folder",
    description:
      "Send it when the songs are in the library. It becomes the cover of their album and of the songs without a cover; a " +
      "cover that you chose stays.",
    answer: Covered,
    refusals: ["invalid_image_type", "insufficient_storage"],
    run: (deps, { actor, body, request }) =>
      coverFolder(
        deps,
        { accountId: actor.accountId, source: CONSOLE, path: body.path, ...base64Picture(body.image) },
        signalOf(request),
      ),
  }),
];
