import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";
import { ArrivedAlbum, MAX_PATH } from "../albums/shapes.ts";

/** The most files that one request may name. */
const MAX_FILES = 1000;
/** How long an upload is kept after its last byte. */
export const ARRIVAL_KEPT_DAYS = 7;
/** How long a file waits to be told whether it is a new version. It then becomes a separate track. */
export const WAITING_DAYS = 30;

const path = Type.String({
  minLength: 1,
  maxLength: MAX_PATH,
  description: "The file's name, with the folders that it was in",
});

export const FinishUploads = shape("FinishUploads", {
  uploads: Type.Array(
    Type.Object({
      id: Type.String({ description: "The last part of the upload's address" }),
      path,
      trackId: Type.Optional(
        Type.String({ description: "The track whose new version it becomes; left out: a new track" }),
      ),
      isSeparate: Type.Optional(
        Type.Boolean({ description: "True: it is not put on an album with its folder; default false" }),
      ),
      activate: Type.Optional(
        Type.Boolean({
          description: "False: the track keeps its active version; default true",
        }),
      ),
    }),
    { minItems: 1, maxItems: MAX_FILES },
  ),
});
export type FinishUploads = Static<typeof FinishUploads>;
export type FinishItem = FinishUploads["uploads"][number];

const FinishedUpload = shape("FinishedUpload", {
  id: Type.String(),
  path: Type.String(),
  outcome: Type.Union(
    (["track", "version", "twin", "refused"] as const).map((outcome) => Type.Literal(outcome)),
    { description: "`twin`: the library has a file with the same bytes" },
  ),
  trackId: nullable(Type.String()),
  versionId: nullable(Type.String()),
  title: nullable(Type.String({ description: "The track's title, or its name without the file's ending" })),
  albumId: nullable(Type.String({ description: "The album of its folder's songs; null: none" })),
  messageCode: nullable(Type.String({ description: "Why it was refused" })),
  message: nullable(Type.String()),
});
export type FinishedUpload = Static<typeof FinishedUpload>;

export const FinishedUploads = shape("FinishedUploads", {
  uploads: Type.Array(FinishedUpload, { description: "In the order asked" }),
  albums: Type.Array(ArrivedAlbum, { description: "The albums that these files are on" }),
});

export const WaitingUpload = shape("WaitingUpload", {
  id: Type.String({ description: "The last part of the upload's address" }),
  path: Type.String({ description: "The file's name, with the folders that it was in" }),
  sizeBytes: Type.Integer({ description: "Size of the file" }),
  waitingSince: Type.String({ description: "When it began to wait" }),
  waitsUntil: Type.String({ description: "It then becomes a separate track" }),
  trackId: nullable(
    Type.String({
      description: "The track that its name says it is a version of; null: that track left the library",
    }),
  ),
  title: nullable(Type.String({ description: "The track's title, or its name without the file's ending" })),
});
export type WaitingUpload = Static<typeof WaitingUpload>;

export const UploadParams = Type.Object({
  id: Type.String({ description: "The last part of the upload's address" }),
});

export const AskedUpload = shape("AskedUpload", {
  upload: Type.Union([WaitingUpload, Type.Null()], {
    description: "Null: there is nothing to decide, so it can be finished",
  }),
});

export const MatchFiles = shape("MatchFiles", {
  files: Type.Array(
    Type.Object({
      path,
      size: Type.Integer({ minimum: 0 }),
      id: Type.Optional(Type.String({ description: "Id of an upload that has arrived" })),
      sha256: Type.Optional(
        Type.String({
          pattern: "^[0-9a-f]{64}$",
          description: "Of the whole file, where the sender knows it",
        }),
      ),
    }),
    { minItems: 1, maxItems: MAX_FILES },
  ),
});
export type MatchFiles = Static<typeof MatchFiles>;

export const Matched = shape("MatchedFiles", {
  matches: Type.Array(
    Type.Object({
      path: Type.String(),
      trackId: Type.String(),
      title: Type.String(),
      isTwin: Type.Boolean({
        description: "True: the track has this very file; false: by its name the file is a version of it",
      }),
    }),
  ),
  sameSize: Type.Array(Type.String(), {
    description:
      "Paths of files as long as one in the library: only their SHA-256 tells whether they are the same",
  }),
});
export type Matched = Static<typeof Matched>;
