import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import { signalOf, stateOf } from "../../../../http/request-state.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import type { ErrorCode } from "../../../../kernel/errors.ts";
import { changeMany, changeResult, stopChange, undoMany } from "./bulk.ts";
import { BulkChange, BulkResult, ChangeParams, UndoParams, UndoResult } from "./shapes.ts";

const tag = "App";
/** What a change of many tracks may be refused for as a whole. */
export const REFUSALS: readonly ErrorCode[] = [
  "composer_not_found",
  "invalid_image_url",
  "invalid_image_type",
  "image_download_failed",
  "insufficient_storage",
];
/** How a change of many tracks works, for the document. */
export const HOW =
  "Name the tracks, at most 20,000, or choose them by a filter, however many they are. What cannot be changed is named in " +
  "`failed`; the rest is changed all the same. `answerWithinMs` has a long change answered while it goes on.";

/** Changing many tracks at once, and undoing it. */
export const bulkRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .post(
      "/tracks/bulk",
      async ({ actor, body, request }) => {
        stateOf(request).hasNoTimeout = true; // a whole library may take minutes
        return ok(await changeMany(deps, actor.accountId, body, signalOf(request)));
      },
      {
        session: true,
        body: BulkChange,
        detail: describe({
          operationId: "changeTracks",
          tag,
          summary: "Change many tracks at once",
          description: HOW,
          answer: BulkResult,
          refusals: ["playlist_not_found", ...REFUSALS],
        }),
      },
    )
    .get(
      "/bulk/:changeId",
      async ({ actor, params }) => ok(await changeResult(deps, actor.accountId, params.changeId)),
      {
        session: true,
        params: ChangeParams,
        detail: describe({
          operationId: "getChange",
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
        session: true,
        params: ChangeParams,
        detail: describe({
          operationId: "stopChange",
          tag,
          summary: "Stop a change of many tracks",
          description: "What was done stays done, and can be undone.",
          answer: BulkResult,
          refusals: ["not_found"],
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
