import { Type } from "@sinclair/typebox";
import { MAX_FILE_SIZE } from "../../kernel/limits.ts";
import {
  type Version,
  VersionByUrl,
  VersionChange,
  type VersionList,
} from "../../modules/library/versions/shapes.ts";
import type { Comment } from "../../modules/sharing/comments/shapes.ts";
import { change, fields, list, object, VERSION } from "./answers.ts";
import { compactNotes, compactVersion, compactVersions, MAX_NOTES } from "./compact.ts";
import { Detail, field, TrackId, VersionId } from "./fields.ts";
import { ADDS, fetching, READS, SETS, TURNS, tool } from "./tool.ts";

const Name = field(VersionChange.properties.name, "Name", "maxLength");
const Label = field(VersionChange.properties.label, "Label, as v2", "maxLength");

const ofTrack = { version: object(fields("trackId id label name active visible")) };
/** A version with its track, which the next call names too. */
const versionOfTrack = (version: Version) => ({ trackId: version.trackId, ...compactVersion(version) });

export const listTrackVersions = tool({
  name: "list_track_versions",
  title: "List versions",
  description: "Every file of a track, oldest first. full adds download links.",
  input: Type.Object({
    trackId: TrackId,
    notes: Type.Optional(Type.Boolean({ description: "Open notes of each version" })),
    detail: Detail,
  }),
  output: object({ ...fields("trackId activeVersionId count notes"), versions: list(VERSION) }),
  furtherScopes: ({ notes }) => (notes ? ["read:comments"] : []),
  annotations: READS,
  operation: "listTrackVersions",
  request: ({ trackId }) => ({ params: { trackId } }),
  after: {
    requests: ({ trackId, notes }, { activeVersionId: versionId }: VersionList) =>
      notes
        ? [
            {
              operation: "listTrackComments",
              params: { trackId },
              query: { state: "open", versionId, limit: MAX_NOTES },
            },
          ]
        : [],
    add: ([notes]: Comment[][]) => (notes ? compactNotes(notes) : {}),
  },
  compact: compactVersions,
});

export const uploadTrackVersion = tool({
  name: "upload_track_version",
  title: "Upload a version",
  description: "Add a mix or master to a track. If activated, it plays and is analysed.",
  input: Type.Object({
    trackId: TrackId,
    fileUrl: field(VersionByUrl.properties.fileUrl, `Public address, up to ${MAX_FILE_SIZE}`),
    name: Name,
    label: Label,
    activate: Type.Optional(Type.Boolean({ default: true, description: "Play it" })),
  }),
  output: object(ofTrack),
  annotations: fetching(ADDS),
  operation: "uploadVersionByUrl",
  request: ({ trackId, fileUrl, name, label, activate }) => ({
    params: { trackId },
    body: { fileUrl, name, label, activate },
  }),
  compact: (version: Version) => ({ ok: true, version: versionOfTrack(version) }),
});

export const activateTrackVersion = tool({
  name: "activate_track_version",
  title: "Activate a version",
  description: "Make a version the one that the track plays.",
  input: Type.Object({ trackId: TrackId, versionId: VersionId }),
  output: change(fields("trackId activeVersionId")),
  target: { entity: "track", argument: "trackId" },
  annotations: TURNS,
  operation: "activateVersion",
  request: ({ trackId, versionId }) => ({ params: { trackId, versionId } }),
});

export const updateTrackVersion = tool({
  name: "update_track_version",
  title: "Update a version",
  description: "Rename, relabel, show or hide a stored version.",
  input: Type.Object({
    trackId: TrackId,
    versionId: VersionId,
    name: Name,
    label: Label,
    visible: field(VersionChange.properties.visible, "Show in the app"),
  }),
  output: change(fields("version")),
  target: { entity: "version", argument: "versionId" },
  annotations: SETS,
  operation: "updateVersion",
  request: ({ trackId, versionId, name, label, visible }) => ({
    params: { trackId, versionId },
    body: { name, label, visible },
  }),
  compact: (version: Version) => ({ ok: true, version: versionOfTrack(version) }),
});

export const deleteTrackVersion = tool({
  name: "delete_track_version",
  title: "Delete a version",
  description: "Delete a version and its audio. If active, activate another first.",
  input: Type.Object({ trackId: TrackId, versionId: VersionId }),
  output: change(fields("trackId deletedVersionId")),
  target: { entity: "version", argument: "versionId" },
  deletes: true,
  annotations: SETS,
  operation: "deleteVersion",
  request: ({ trackId, versionId }) => ({ params: { trackId, versionId } }),
});
