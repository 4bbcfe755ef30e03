import { Type } from "@sinclair/typebox";
import { archiveResponse } from "../../../../http/files/archive.ts";
import { op } from "../../../../http/operation.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { spelt } from "../../../../kernel/text.ts";
import { zipSize } from "../../../../kernel/zip.ts";
import { createDownloads } from "../service.ts";
import { DOWNLOAD_MINUTES, DownloadParams, DownloadRequest, PreparedDownload } from "./shapes.ts";

const tag = "Tracks";

/** Downloading many tracks as one archive. */
export const downloadOperations = (deps: Deps, downloads = createDownloads(deps)) => [
  op({
    at: "POST /tracks/download",
    id: "prepareDownload",
    session: "download:originals",
    input: { body: DownloadRequest },
    tag,
    summary: "Prepare an archive of the original files of tracks",
    description:
      "Name the tracks, or choose them by a filter. The archive holds the file of each track's active version.",
    answer: PreparedDownload,
    refusals: ["track_not_found", "storage_unavailable"],
    run: (_, { actor, body }) => downloads.prepare(actor, body, zipSize),
  }),
  op({
    at: "GET /downloads/:downloadId",
    formerly: "GET /tracks/download/:downloadId",
    id: "downloadArchive",
    session: "download:originals",
    input: { params: DownloadParams },
    tag,
    summary: "Download a prepared archive",
    description: `A ZIP file, streamed. The address works for ${spelt(DOWNLOAD_MINUTES)} minutes, for whoever prepared it, and for those who manage the library.`,
    answer: Type.String({ format: "binary" }),
    sends: { contentType: "application/zip", description: "The archive" },
    refusals: ["not_found"],
    run: (_, { actor, params, request }) =>
      archiveResponse(request, downloads.open(actor, params.downloadId)),
  }),
];
