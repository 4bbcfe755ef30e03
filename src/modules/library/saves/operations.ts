import { op } from "../../../http/operation.ts";
import { save, unsave } from "./service.ts";
import { Saved, SaveParams } from "./shapes.ts";

/** The tracks and playlists that the signed-in account has saved. */
export const saveOperations = [
  op({
    at: "PUT /saves/track/:id",
    id: "saveTrack",
    session: "read:tracks",
    input: { params: SaveParams },
    tag: "Tracks",
    summary: "Save a track",
    answer: Saved,
    refusals: ["track_not_found"],
    run: (deps, { actor, params }) => save(deps, actor, "track", params.id),
  }),
  op({
    at: "DELETE /saves/track/:id",
    id: "unsaveTrack",
    session: "read:tracks",
    input: { params: SaveParams },
    tag: "Tracks",
    summary: "Remove a track's save",
    answer: Saved,
    refusals: [],
    run: (deps, { actor, params }) => unsave(deps, actor, "track", params.id),
  }),
  op({
    at: "PUT /saves/playlist/:id",
    id: "savePlaylist",
    session: "read:playlists",
    input: { params: SaveParams },
    tag: "Playlists",
    summary: "Save a playlist",
    answer: Saved,
    refusals: ["playlist_not_found"],
    run: (deps, { actor, params }) => save(deps, actor, "playlist", params.id),
  }),
  op({
    at: "DELETE /saves/playlist/:id",
    id: "unsavePlaylist",
    session: "read:playlists",
    input: { params: SaveParams },
    tag: "Playlists",
    summary: "Remove a playlist's save",
    answer: Saved,
    refusals: [],
    run: (deps, { actor, params }) => unsave(deps, actor, "playlist", params.id),
  }),
];
