import { Type } from "@sinclair/typebox";
import { changed, servedFile } from "../../../http/files/file-response.ts";
import { describe } from "../../../http/openapi.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { requestVersionAnalysis } from "../analysis/service.ts";
import { createDownloadCounter } from "../analytics/service.ts";
import { getOriginalFile, getRenditionFile } from "./service.ts";

// Optional, so that a link without them is a link that is not valid, and not a malformed request.
const MediaQuery = Type.Object({
  expires: Type.Optional(Type.String({ description: "Epoch seconds; part of the link" })),
  signature: Type.Optional(Type.String({ description: "Part of the link" })),
  m: Type.Optional(Type.String({ description: "Part of a link made for a session, with which it ends" })),
});

/** `GET|HEAD /media/…`: originals and renditions by signed link. A version that is downloaded is analysed, active or not, but not one that a device keeps. */
export function mediaRoutes(deps: Deps): Route[] {
  const countDownload = createDownloadCounter(deps, (versionId) => requestVersionAnalysis(deps, versionId));
  return [
    route({
      at: "GET /media/:versionId/:filename",
      query: MediaQuery,
      detail: fileDetail(
        "downloadOriginal",
        "Download an original file",
        "The target of a version's `downloadUrl`: needs no key, works for one hour, and serves ranges of bytes.",
      ),
      run: ({ params, query, request }) =>
        changed(
          servedFile(request, { ...getOriginalFile(deps, params, query), mayRedirect: true }),
          (response) =>
            countDownload(request, response, { versionId: params.versionId, client: stateOf(request).ip }),
        ),
    }),
    route({
      at: "GET /media/renditions/:versionId/:filename",
      query: MediaQuery,
      detail: fileDetail(
        "playRendition",
        "Play a version's rendition",
        "What players get instead of an original that is lossless, large or not playable in every browser: Opus in Ogg, " +
          "or AAC in MP4 where the `Accept` field prefers `audio/mp4`. Needs no key, works for one hour, and serves " +
          "ranges of bytes; the link does not open the original.",
      ),
      run: ({ params, query, request }) =>
        servedFile(request, getRenditionFile(deps, params, query, request)),
    }),
    route({
      at: "GET /media/copies/:versionId/:filename",
      query: MediaQuery,
      detail: fileDetail(
        "copyOriginal",
        "Fetch an original that a device keeps",
        "The target of a kept track's `audio.url` where its original is what plays. It counts as no download. Needs no " +
          "key, works for one hour, and serves ranges of bytes.",
      ),
      run: ({ params, query, request }) => servedFile(request, getOriginalFile(deps, params, query, "copy")),
    }),
  ];
}

function fileDetail(operationId: string, summary: string, description: string) {
  const described = describe({
    operationId,
    tag: "Versions",
    summary,
    description,
    answer: Type.Any(),
    bare: true,
    refusals: [
      "invalid_link",
      "version_not_found",
      "range_not_satisfiable",
      "not_found",
      "file_missing",
      "storage_unavailable",
    ],
  });
  const audio = { "audio/*": { schema: { type: "string", format: "binary" } } } as const;
  return {
    ...described,
    responses: {
      ...described.responses,
      200: { description: "The whole file", content: audio },
      206: { description: "The part that the Range field asked for", content: audio },
      302: { description: "The address of the file, where the server has its audio elsewhere" },
      304: { description: "The client has it already" },
    },
  };
}
