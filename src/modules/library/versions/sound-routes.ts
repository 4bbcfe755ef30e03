import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import { isUnchanged } from "../../../http/files/range.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DiffQuery, VersionDiff } from "./diff-shapes.ts";
import { VersionParams } from "./shapes.ts";
import { getWaveform, type WaveformFile } from "./waveform.ts";

const refusals = ["track_not_found", "version_not_found", "version_not_analysed"] as const;

const waveformDetail = describe({
  operationId: "getVersionWaveform",
  tag: "Versions",
  summary: "Get a version's waveform at every zoom level",
  description:
    "A header, then minimum and maximum of the mono mix as int8 pairs: see docs/analysis.md. A version that " +
    "was never analysed is analysed from then on.",
  answer: Type.Any(),
  bare: true,
  refusals,
});

/** `/tracks/{trackId}/versions/{versionId}`: waveforms and comparisons of a version's sound. */
export const versionSoundRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks/:trackId/versions" })
    .use(guard)
    .get(
      "/:versionId/diff",
      async ({ actor, params, query }) => {
        const { diffVersions } = await import("./diff.ts");
        return ok(diffVersions(deps, { ownerId: actor.accountId, ...params, against: query.against }));
      },
      {
        scope: "read:tracks",
        params: VersionParams,
        query: DiffQuery,
        detail: describe({
          operationId: "diffVersions",
          tag: "Versions",
          summary: "Compare a version with another of its track",
          description:
            "Time offset, length, loudness, true peak, balance by octave, tempo, key, and the gain that makes both " +
            "equally loud, from the measurements of each version's analysis. A version that was never analysed is refused " +
            "once, and analysed from then on: ask again. The track goes on to play the version that is active.",
          answer: VersionDiff,
          refusals,
        }),
      },
    )
    .get(
      "/:versionId/waveform",
      ({ actor, params, request }) =>
        binaryResponse(request, getWaveform(deps, { ownerId: actor.accountId, ...params })),
      {
        scope: "read:tracks",
        params: VersionParams,
        detail: {
          ...waveformDetail,
          responses: {
            ...waveformDetail.responses,
            200: {
              description: "The outline",
              content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
            },
            304: { description: "The client has it already" },
          },
        },
      },
    );

function binaryResponse({ headers: asked }: Request, { bytes, etag }: WaveformFile): Response {
  const headers = {
    "content-type": "application/octet-stream",
    etag,
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
  };
  const isKnown = isUnchanged(asked, { etag, lastModifiedAt: Number.NaN });
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(bytes, { headers });
}
