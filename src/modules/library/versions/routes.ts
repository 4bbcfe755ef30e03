import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { activateVersion, changeVersion, deleteVersion } from "./change.ts";
import { getTrackVersion, listTrackVersions } from "./service.ts";
import {
  ActivatedVersion,
  DeletedVersion,
  Version,
  VersionChange,
  VersionList,
  VersionListParams,
  VersionParams,
} from "./shapes.ts";

/** `/tracks/{trackId}/versions`. */
export const versionsRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks/:trackId/versions" })
    .use(guard)
    .get("", ({ actor, params }) => ok(listTrackVersions(deps, actor.accountId, params.trackId)), {
      scope: "read:tracks",
      params: VersionListParams,
      detail: describe({
        operationId: "listTrackVersions",
        tag: "Versions",
        summary: "List a track's versions, oldest first",
        answer: VersionList,
        refusals: ["track_not_found"],
      }),
    })
    .get(
      "/:versionId",
      ({ actor, params }) => ok(getTrackVersion(deps, actor.accountId, params.trackId, params.versionId)),
      {
        scope: "read:tracks",
        params: VersionParams,
        detail: describe({
          operationId: "getTrackVersion",
          tag: "Versions",
          summary: "Get one version of a track",
          answer: Version,
          refusals: ["track_not_found", "version_not_found"],
        }),
      },
    )
    .post(
      "/:versionId/activate",
      ({ actor, params }) => ok(activateVersion(deps, { ownerId: actor.accountId, ...params })),
      {
        scope: "update:tracks",
        params: VersionParams,
        detail: describe({
          operationId: "activateVersion",
          tag: "Versions",
          summary: "Make a version the active one",
          description:
            "The track plays this version's file from now on. The measurements stay as they are: call " +
            "`POST /tracks/auto-tag` to analyse the version.",
          answer: ActivatedVersion,
          refusals: ["track_not_found", "version_not_found"],
        }),
      },
    )
    .patch(
      "/:versionId",
      ({ actor, params, body }) => ok(changeVersion(deps, { ownerId: actor.accountId, ...params }, body)),
      {
        scope: "update:tracks",
        params: VersionParams,
        body: VersionChange,
        detail: describe({
          operationId: "updateVersion",
          tag: "Versions",
          summary: "Change a version's name, label or visibility",
          answer: Version,
          refusals: ["track_not_found", "version_not_found"],
        }),
      },
    )
    .delete(
      "/:versionId",
      ({ actor, params }) => ok(deleteVersion(deps, { ownerId: actor.accountId, ...params })),
      {
        scope: "update:tracks",
        params: VersionParams,
        detail: describe({
          operationId: "deleteVersion",
          tag: "Versions",
          summary: "Delete a version and its file for good",
          answer: DeletedVersion,
          refusals: ["track_not_found", "version_not_found", "active_version"],
        }),
      },
    );
