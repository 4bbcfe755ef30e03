import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import { signalOf, stateOf } from "../../../../http/request-state.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { changeMany, changeResult, stopChange, undoMany } from "./bulk.ts";
import { HOW, REFUSALS } from "./routes.ts";
import { BulkEdit, BulkResult, ChangeParams, UndoResult } from "./shapes.ts";

const tag = "Tracks";

/** `/tracks/bulk` and `/bulk`: changing many tracks with a key. */
export const bulkKeyRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .post(
      "/tracks/bulk",
      async ({ actor, body, request }) => {
        stateOf(request).hasNoTimeout = true;
        return ok(await changeMany(deps, actor.accountId, body, signalOf(request)));
      },
      {
        scope: "update:tracks",
        body: BulkEdit,
        detail: describe({
          operationId: "updateTracks",
          tag,
          summary: "Change many tracks at once",
          description: HOW,
          answer: BulkResult,
          refusals: REFUSALS,
        }),
      },
    )
    .get(
      "/bulk/:changeId",
      async ({ actor, params }) => ok(await changeResult(deps, actor.accountId, params.changeId)),
      {
        scope: "update:tracks",
        params: ChangeParams,
        detail: describe({
          operationId: "getTracksUpdate",
          tag,
          summary: "See how far a change of many tracks is",
          description: "Until ten minutes after its end.",
          answer: BulkResult,
          refusals: ["not_found"],
        }),
      },
    )
    .post(
      "/bulk/:changeId/stop",
      async ({ actor, params }) => ok(await stopChange(deps, actor.accountId, params.changeId)),
      {
        scope: "update:tracks",
        params: ChangeParams,
        detail: describe({
          operationId: "stopTracksUpdate",
          tag,
          summary: "Stop a change of many tracks",
          description: "What was done stays done, and can be undone.",
          answer: BulkResult,
          refusals: ["not_found"],
        }),
      },
    )
    .post(
      "/bulk/:changeId/undo",
      async ({ actor, params, request }) => {
        stateOf(request).hasNoTimeout = true;
        return ok(await undoMany(deps, actor.accountId, params.changeId));
      },
      {
        scope: "update:tracks",
        params: ChangeParams,
        detail: describe({
          operationId: "undoTracksUpdate",
          tag,
          summary: "Undo a change of many tracks",
          description:
            "Possible for ten minutes, and once. What was changed again since then stays as it is.",
          answer: UndoResult,
          refusals: ["undo_not_found", "changed_since"],
        }),
      },
    );
