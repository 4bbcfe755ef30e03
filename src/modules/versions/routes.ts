import { Type } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import { ok } from "../../http/envelope.ts";
import { servedFile } from "../../http/file-response.ts";
import type { Guards } from "../../http/guards.ts";
import { describe } from "../../http/openapi.ts";
import { stateOf } from "../../http/request-state.ts";
import type { Deps } from "../../kernel/deps.ts";
import { createDownloadCounter } from "../analytics/service.ts";
import { activateVersion, changeVersion, deleteVersion } from "./change.ts";
import {
  ActivatedVersion,
  DeletedVersion,
  Version,
  VersionChange,
  VersionList,
  VersionListParams,
  VersionParams,
} from "./model.ts";
import { getOriginalFile, getRenditionFile, getTrackVersion, listTrackVersions } from "./service.ts";

const MediaParams = t.Object({ versionId: t.String(), filename: t.String() });
// Optional, so that a link without them gives `invalid_link`, not a malformed request.
const MediaQuery = t.Object({
  expires: t.Optional(t.String({ description: "Epoch seconds; part of the link" })),
  signature: t.Optional(t.String({ description: "Part of the link" })),
});

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

/** `GET|HEAD /media/…`: originals and renditions by signed link. */
export const mediaRoutes = (deps: Deps, countDownload = createDownloadCounter(deps)) =>
  new Elysia({ prefix: "/media" })
    .get(
      "/:versionId/:filename",
      ({ params, query, request }) =>
        countDownload(request, servedFile(request, getOriginalFile(deps, params, query)), {
          versionId: params.versionId,
          client: stateOf(request).ip,
        }),
      {
        params: MediaParams,
        query: MediaQuery,
        detail: fileDetail(
          "downloadOriginal",
          "Download an original file",
          "The target of a version's `downloadUrl`. Needs no key, works for one hour, and supports byte ranges.",
        ),
      },
    )
    .get(
      "/renditions/:versionId/:filename",
      ({ params, query, request }) => servedFile(request, getRenditionFile(deps, params, query, request)),
      {
        params: MediaParams,
        query: MediaQuery,
        detail: fileDetail(
          "playRendition",
          "Play a version's rendition",
          "What players get when the original is lossless, large or not playable in every browser: Opus in Ogg, or AAC " +
            "in MP4 if the `Accept` header prefers `audio/mp4`. Needs no key, works for one hour, and supports byte " +
            "ranges; the link does not open the original.",
        ),
      },
    );

function fileDetail(operationId: string, summary: string, description: string) {
  const described = describe({
    operationId,
    tag: "Versions",
    summary,
    description,
    answer: Type.Any(),
    bare: true,
    refusals: ["invalid_link", "version_not_found", "range_not_satisfiable", "file_missing"],
  });
  const audio = { "audio/*": { schema: { type: "string", format: "binary" } } } as const;
  return {
    ...described,
    security: [],
    responses: {
      ...described.responses,
      200: { description: "The whole file", content: audio },
      206: { description: "The part that the Range header asked for", content: audio },
      304: { description: "The client has it already" },
    },
  };
}
