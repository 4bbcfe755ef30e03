import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe, type Tag } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { undoOwnChange } from "./service.ts";
import { OwnUndo, UndoAbout, UndoOwn, UndoPlaylistParams } from "./shapes.ts";

const describeUndo = (operationId: string, tag: Tag, thing: string) =>
  describe({
    operationId,
    tag,
    summary: `Take back what a tool changed of a ${thing}`,
    description:
      "Only what the same key changed through the tool server, for `UNDO_DAYS`, and once. Refused when what it changed was " +
      "changed again since; nothing changes then.",
    answer: OwnUndo,
    refusals: ["undo_not_found", "changed_since"],
  });

/** What an assistant takes back of its own changes, with the scope that the change itself needs. */
export const assistantKeyRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .post(
      "/tracks/undo",
      ({ actor, query, body }) => ok(undoOwnChange(deps, actor, { argument: "trackId", id: query.id }, body)),
      {
        scope: "update:tracks",
        query: UndoAbout,
        body: UndoOwn,
        detail: describeUndo("undoTrackChange", "Tracks", "track"),
      },
    )
    .post(
      "/playlists/:playlistId/undo",
      ({ actor, params, body }) =>
        ok(undoOwnChange(deps, actor, { argument: "playlistId", id: params.playlistId }, body)),
      {
        scope: "update:playlists",
        params: UndoPlaylistParams,
        body: UndoOwn,
        detail: describeUndo("undoPlaylistChange", "Playlists", "playlist"),
      },
    )
    .post(
      "/composers/undo",
      ({ actor, query, body }) =>
        ok(undoOwnChange(deps, actor, { argument: "composerId", id: query.id }, body)),
      {
        scope: "update:composer",
        query: UndoAbout,
        body: UndoOwn,
        detail: describeUndo("undoComposerChange", "Composers", "composer"),
      },
    );
