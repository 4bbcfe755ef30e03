import { Type } from "@sinclair/typebox";
import { madeFileResponse, piecedResponse } from "../../../http/files/pieces.ts";
import { op } from "../../../http/operation.ts";
import { MAX_MARKERS, MarkersParams, MarkersQuery } from "./marker-shapes.ts";

/** Notes as markers, for workstations. */
export const markerOperations = [
  op({
    at: "GET /tracks/:trackId/versions/:versionId/notes",
    id: "exportTrackNotes",
    key: "read:comments",
    keyToo: ({ format }) => (format === "wav" ? "read:tracks" : undefined),
    session: "read:comments",
    sessionDoor: "exportNotes",
    rooms: true,
    input: { params: MarkersParams, query: MarkersQuery },
    tag: "Comments",
    summary: "Export the notes on a version as markers for a workstation",
    description:
      "The notes that have a place in this version, at their times in it; notes on the whole track only in the table (`csv`). " +
      `A file has at most ${MAX_MARKERS.toLocaleString("en")} notes, the oldest; its name says when there were more. \`wav\` is a copy of the ` +
      "original with cue points: it needs `read:tracks` besides, and of a person whatever the originals need.",
    answer: Type.String({ format: "binary" }),
    sends: { contentType: "*/*", description: "The file" },
    refusals: [
      "track_not_found",
      "version_not_found",
      "unsupported_format",
      "file_missing",
      "storage_unavailable",
    ],
    async run(deps, { actor, params, query, request }) {
      const { exportMarkers } = await import("./markers.ts");
      const file = await exportMarkers(deps, actor, params, query);
      return "body" in file ? madeFileResponse(file.body, file) : piecedResponse(request, file);
    },
  }),
];
