import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import { archiveResponse } from "../../../../http/files/archive.ts";
import { zipSize } from "../../../../http/files/zip.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { createDownloads } from "../service.ts";
import { DownloadParams, DownloadRequest, PreparedDownload } from "./shapes.ts";

const tag = "App";

/** Downloading many tracks as one archive. */
export const downloadRoutes = (deps: Deps, guard: Guards, downloads = createDownloads(deps)) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .post(
      "/tracks/download",
      async ({ actor, body }) => ok(await downloads.prepare(actor.accountId, body, zipSize)),
      {
        session: true,
        body: DownloadRequest,
        detail: describe({
          operationId: "prepareDownload",
          tag,
          summary: "Prepare an archive of the original files of tracks",
          description:
            "Name the tracks, or choose them by a filter. The archive holds the file of each track's active version.",
          answer: PreparedDownload,
          refusals: ["track_not_found", "storage_unavailable"],
        }),
      },
    )
    .get(
      "/downloads/:downloadId",
      ({ actor, params, request }) =>
        archiveResponse(request, downloads.open(actor.accountId, params.downloadId)),
      {
        session: true,
        params: DownloadParams,
        detail: archiveDetail(),
      },
    )
    // The address of version 0.5, for consoles that are still open.
    .get(
      "/tracks/download/:downloadId",
      ({ actor, params, request }) =>
        archiveResponse(request, downloads.open(actor.accountId, params.downloadId)),
      { session: true, params: DownloadParams },
    );

function archiveDetail() {
  const described = describe({
    operationId: "downloadArchive",
    tag,
    summary: "Download a prepared archive",
    description: "A ZIP file, streamed. The address works for ten minutes, for the session's account alone.",
    answer: Type.Any(),
    bare: true,
    refusals: ["not_found"],
  });
  const content = { "application/zip": { schema: { type: "string", format: "binary" } } } as const;
  return {
    ...described,
    responses: { ...described.responses, 200: { description: "The archive", content } },
  };
}
