import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../../http/envelope.ts";
import { MAX_FILE_SIZE } from "../../../../kernel/limits.ts";
import { DetailsInput } from "../details/details-shapes.ts";
import { AudioProfileInput } from "../profile.ts";

/** The most files in one request. */
export const MAX_FILES = 25;
const MAX_URL_CHARACTERS = 8192;

export const UploadForm = Type.Object({
  files: Type.Array(Type.String({ format: "binary" }), {
    minItems: 1,
    maxItems: MAX_FILES,
    description: `Audio files of at most ${MAX_FILE_SIZE} each; the content decides the format`,
  }),
  visible: Type.Optional(
    Type.Union(
      ["true", "false", "1", "0"].map((text) => Type.Literal(text)),
      {
        description: "Shown in the app's library; default false",
      },
    ),
  ),
  audioProfiles: Type.Optional(
    Type.String({
      description:
        "JSON array of `{name: <file name>, audioProfile: {title, artist, key, bpm, genres, moods, …, shareholders}, " +
        "details: {album, year, isrc, …}}`; the details are those of `PATCH /tracks/details`, without `cover`",
    }),
  ),
});

export const Uploaded = shape("Uploaded", {
  uploaded: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), visible: Type.Boolean() }), {
    description: "In the same order as the files",
  }),
});

export type Uploaded = Static<typeof Uploaded>;

export const UrlUpload = shape("UrlUpload", {
  items: Type.Array(
    Type.Object({
      fileUrl: Type.String({
        pattern: "^[hH][tT][tT][pP][sS]?://[^\\s/?#]",
        maxLength: MAX_URL_CHARACTERS,
        description: "Public http or https address that serves `audio/*` or `application/octet-stream`",
      }),
      visible: Type.Optional(Type.Boolean({ default: false, description: "Shown in the app's library" })),
      audioProfile: Type.Optional(AudioProfileInput),
      details: Type.Optional(DetailsInput),
    }),
    { minItems: 1, maxItems: MAX_FILES },
  ),
});

export type UrlUpload = Static<typeof UrlUpload>;

export const UrlUploaded = shape("UrlUploaded", {
  uploaded: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), visible: Type.Boolean() }), {
    description: "In the same order as the items",
  }),
  failed: Type.Array(
    Type.Object({
      url: Type.String({ description: "As it was sent" }),
      error: Type.String({ description: "Human-readable; the wording may change" }),
      code: Type.String({
        description:
          "`url_not_allowed`, `download_failed`, `invalid_file_type`, `file_too_large`, or the problem with the item's " +
          "cover or shareholders",
      }),
    }),
    { description: "In the same order as the items" },
  ),
});
