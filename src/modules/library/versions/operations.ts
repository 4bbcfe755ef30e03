import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { isUnchanged } from "../../../http/files/range.ts";
import { op } from "../../../http/operation.ts";
import { PageQuery } from "../../../http/page-query.ts";
import { activateVersion, changeVersion, deleteVersion } from "./change.ts";
import { DiffQuery, VersionDiff } from "./diff-shapes.ts";
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
import { listOffers, listSheetCopies, listSheetMixes, listSheetVersions } from "./sheet.ts";
import { MixOffer, SheetCopy, SheetMix, SheetVersion } from "./sheet-shapes.ts";
import { getWaveform, type WaveformFile } from "./waveform.ts";

const tag = "Versions";
const SOUND_REFUSALS = ["track_not_found", "version_not_found", "version_not_analysed"] as const;

/** A track's versions, their sound, and the tracks that have the same recording. */
export const versionOperations = [
  op({
    at: "GET /tracks/:trackId/versions",
    id: "listTrackVersions",
    key: "read:tracks",
    rooms: true,
    input: { params: VersionListParams },
    tag,
    summary: "List a track's versions, oldest first",
    answer: VersionList,
    refusals: ["track_not_found"],
    run: (deps, { actor, params }) => listTrackVersions(deps, actor, params.trackId),
  }),
  op({
    at: "GET /tracks/:trackId/versions",
    id: "listSheetVersions",
    session: "read:tracks",
    rooms: true,
    input: { params: VersionListParams },
    tag,
    summary: "List a track's versions, newest first, with what was measured on each",
    answer: Type.Array(SheetVersion),
    refusals: ["track_not_found"],
    run: (deps, { actor, params }) => listSheetVersions(deps, actor, params.trackId),
  }),
  op({
    at: "GET /tracks/:trackId/versions/:versionId",
    id: "getTrackVersion",
    key: "read:tracks",
    input: { params: VersionParams },
    tag,
    summary: "Get one version of a track",
    answer: Version,
    refusals: ["track_not_found", "version_not_found"],
    run: (deps, { actor, params }) => getTrackVersion(deps, actor, params.trackId, params.versionId),
  }),
  op({
    at: "POST /tracks/:trackId/versions/:versionId/activate",
    id: "activateVersion",
    key: "update:tracks",
    input: { params: VersionParams },
    tag,
    summary: "Make a version the active one",
    description:
      "The track plays this version's file from now on. The measurements stay as they are: call " +
      "`POST /tracks/auto-tag` to analyse the version.",
    answer: ActivatedVersion,
    refusals: ["track_not_found", "version_not_found"],
    run: (deps, { actor, params }) => activateVersion(deps, { ownerId: actor.accountId, ...params }),
  }),
  op({
    at: "PATCH /tracks/:trackId/versions/:versionId",
    id: "updateVersion",
    key: "update:tracks",
    input: { params: VersionParams, body: VersionChange },
    tag,
    summary: "Change a version's name, label or visibility",
    answer: Version,
    refusals: ["track_not_found", "version_not_found"],
    run: (deps, { actor, params, body }) =>
      changeVersion(deps, { ownerId: actor.accountId, ...params }, body),
  }),
  op({
    at: "DELETE /tracks/:trackId/versions/:versionId",
    id: "deleteVersion",
    key: "update:tracks",
    input: { params: VersionParams },
    tag,
    summary: "Delete a version and its file for good",
    answer: DeletedVersion,
    refusals: ["track_not_found", "version_not_found", "active_version"],
    run: (deps, { actor, params }) => deleteVersion(deps, { ownerId: actor.accountId, ...params }),
  }),
  op({
    at: "GET /tracks/:trackId/versions/:versionId/diff",
    id: "diffVersions",
    key: "read:tracks",
    rooms: true,
    input: { params: VersionParams, query: DiffQuery },
    tag,
    summary: "Compare a version with another of its track",
    description:
      "Time offset, length, loudness, true peak, balance by octave, tempo, key, and the gain that makes both " +
      "equally loud, from the measurements of each version's analysis. A version that was never analysed is refused " +
      "once, and analysed from then on: ask again. The active version stays the same.",
    answer: VersionDiff,
    refusals: SOUND_REFUSALS,
    async run(deps, { actor, params, query }) {
      const { diffVersions } = await import("./diff.ts");
      return diffVersions(deps, { ownerId: actor.accountId, ...params, against: query.against });
    },
  }),
  op({
    at: "GET /tracks/:trackId/versions/:versionId/waveform",
    id: "getVersionWaveform",
    key: "read:tracks",
    rooms: true,
    input: { params: VersionParams },
    tag,
    summary: "Get a version's waveform at every zoom level",
    description:
      "A header, then minimum and maximum of the mono mix as int8 pairs: see docs/analysis.md. A version that " +
      "was never analysed is analysed from then on.",
    answer: Type.String({ format: "binary" }),
    sends: { contentType: "application/octet-stream", description: "The outline", mayBeKnown: true },
    refusals: SOUND_REFUSALS,
    run: (deps, { actor, params, request }) =>
      binaryResponse(request, getWaveform(deps, { ownerId: actor.accountId, ...params })),
  }),
  op({
    at: "GET /tracks/:trackId/copies",
    id: "listCopies",
    session: "read:tracks",
    input: { params: VersionListParams },
    tag,
    summary: "List the tracks with the same recording as a track",
    answer: Type.Array(SheetCopy),
    refusals: ["track_not_found"],
    run: (deps, { actor, params }) => listSheetCopies(deps, actor.accountId, params.trackId),
  }),
  op({
    at: "GET /tracks/:trackId/mixes",
    id: "listTrackMixes",
    key: "read:tracks",
    session: "read:tracks",
    sessionDoor: "listMixes",
    input: { params: VersionListParams },
    tag,
    summary: "List the tracks that are mixes of the same song, by their sound",
    description:
      "Nothing is joined automatically: `POST /tracks/{trackId}/join` makes two of them versions of one track. Empty before the " +
      "analysis.",
    answer: Type.Array(SheetMix),
    refusals: ["track_not_found"],
    run: (deps, { actor, params }) => listSheetMixes(deps, actor.accountId, params.trackId),
  }),
  op({
    at: "GET /tracks/mixes",
    id: "listMixOffers",
    session: "read:tracks",
    input: { query: PageQuery },
    tag,
    summary: "List new tracks that sound like mixes of older ones, newest first",
    description:
      "Each until `POST /app/tracks/{trackId}/join` makes it a version of the older one, or `POST " +
      "/app/tracks/{trackId}/keep-apart` says that it is none.",
    answer: Type.Array(MixOffer),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listOffers(deps, actor.accountId, query),
  }),
];

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
