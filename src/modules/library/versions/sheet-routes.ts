import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { VersionListParams } from "./shapes.ts";
import { listSheetCopies, listSheetVersions } from "./sheet.ts";
import { SheetCopy, SheetVersion } from "./sheet-shapes.ts";

/** `/app/tracks/{trackId}/versions` and `/copies`: what the console's track sheet shows of them. */
export const sheetRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/tracks" })
    .use(guard)
    .get(
      "/:trackId/versions",
      ({ actor, params }) => ok(listSheetVersions(deps, actor.accountId, params.trackId)),
      {
        session: true,
        params: VersionListParams,
        detail: describe({
          operationId: "listSheetVersions",
          tag: "App",
          summary: "List a track's versions, newest first, with what was measured on each",
          answer: Type.Array(SheetVersion),
          refusals: ["track_not_found"],
        }),
      },
    )
    .get(
      "/:trackId/copies",
      ({ actor, params }) => ok(listSheetCopies(deps, actor.accountId, params.trackId)),
      {
        session: true,
        params: VersionListParams,
        detail: describe({
          operationId: "listCopies",
          tag: "App",
          summary: "List the tracks that have the same recording as one",
          answer: Type.Array(SheetCopy),
          refusals: ["track_not_found"],
        }),
      },
    );
