import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../http/envelope.ts";
import type { Guards } from "../../http/guards.ts";
import { describe } from "../../http/openapi.ts";
import type { Deps } from "../../kernel/deps.ts";
import { VersionListParams } from "./model.ts";
import { listSheetVersions } from "./sheet.ts";
import { SheetVersion } from "./sheet-model.ts";

/** `/app/tracks/{trackId}/versions`: the versions as the console's track sheet shows them. */
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
    );
