import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../http/envelope.ts";
import { attachment } from "../../http/files/file-name.ts";
import { streamOfLength } from "../../http/files/file-response.ts";
import { zip, zipSize } from "../../http/files/zip.ts";
import type { Guards } from "../../http/guards.ts";
import { describe } from "../../http/openapi.ts";
import { stateOf } from "../../http/request-state.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DownloadParams, DownloadRequest, PreparedDownload } from "./download-model.ts";
import { createDownloads, type Download } from "./service.ts";

const tag = "App";

/** Downloading many tracks as one archive. */
export const downloadRoutes = (deps: Deps, guard: Guards, downloads = createDownloads(deps)) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .post("/tracks/download", ({ actor, body }) => ok(downloads.prepare(actor.accountId, body, zipSize)), {
      session: true,
      body: DownloadRequest,
      detail: describe({
        operationId: "prepareDownload",
        tag,
        summary: "Prepare an archive of the original files of tracks",
        description:
          "Name the tracks, or choose them by a filter. The archive holds the file of each track's active version.",
        answer: PreparedDownload,
        refusals: ["track_not_found"],
      }),
    })
    .get(
      "/downloads/:downloadId",
      ({ actor, params, request }) => archive(request, downloads.open(actor.accountId, params.downloadId)),
      {
        session: true,
        params: DownloadParams,
        detail: archiveDetail(),
      },
    )
    // The address of version 0.5, for consoles that are still open.
    .get(
      "/tracks/download/:downloadId",
      ({ actor, params, request }) => archive(request, downloads.open(actor.accountId, params.downloadId)),
      { session: true, params: DownloadParams },
    );

/** Answers with the archive; its bytes go from disk to socket as the client takes them. */
function archive(request: Request, { filename, files }: Download): Response {
  stateOf(request).hasNoTimeout = true;
  const sizeBytes = zipSize(files);
  const bytes = zip(files);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await bytes.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await bytes.return(undefined)),
  });
  return new Response(request.method === "HEAD" ? streamOfLength(sizeBytes) : body, {
    headers: {
      "content-type": "application/zip",
      "content-length": String(sizeBytes),
      "content-disposition": attachment(filename),
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

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
