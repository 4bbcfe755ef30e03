import { Elysia } from "elysia";
import { ok } from "../../http/envelope.ts";
import type { Guards } from "../../http/guards.ts";
import { describe } from "../../http/openapi.ts";
import { stateOf } from "../../http/request-state.ts";
import type { Deps } from "../../kernel/deps.ts";
import { changeMany, undoMany } from "./bulk.ts";
import { BulkChange, BulkResult, UndoParams, UndoResult } from "./bulk-model.ts";

const tag = "App";

/** Changing many tracks at once, and undoing it. */
export const bulkRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .post(
      "/tracks/bulk",
      async ({ actor, body, request }) => {
        stateOf(request).hasNoTimeout = true; // a whole library may take minutes
        return ok(await changeMany(deps, actor.accountId, body));
      },
      {
        session: true,
        body: BulkChange,
        detail: describe({
          operationId: "changeTracks",
          tag,
          summary: "Change many tracks at once",
          description:
            "Name the tracks, or choose them by a filter. What cannot be changed is named in `failed`; the rest is changed " +
            "all the same.",
          answer: BulkResult,
          refusals: ["playlist_not_found"],
        }),
      },
    )
    .post(
      "/undo/:undoId",
      async ({ actor, params, request }) => {
        stateOf(request).hasNoTimeout = true;
        return ok(await undoMany(deps, actor.accountId, params.undoId));
      },
      {
        session: true,
        params: UndoParams,
        detail: describe({
          operationId: "undoChange",
          tag,
          summary: "Undo a change of many tracks, or a merge",
          description:
            "Possible for ten minutes, and once. What was changed again since then stays as it is; another analysis cannot be " +
            "undone.",
          answer: UndoResult,
          refusals: ["undo_not_found", "changed_since"],
        }),
      },
    );
