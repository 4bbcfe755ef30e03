import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { MAX_FILE_SIZE } from "../../../kernel/limits.ts";

export const VersionParams = Type.Object({ trackId: Type.String(), versionId: Type.String() });
export const VersionListParams = Type.Object({ trackId: Type.String() });

const VersionReview = Type.Object(
  {
    approved: Type.Integer({ minimum: 0, description: "People and links that approve it" }),
    changes: Type.Integer({ minimum: 0, description: "People and links that ask for changes" }),
    openNotes: Type.Integer({
      minimum: 0,
      description: "Notes of its round that nobody has answered: made on it, or on an earlier version",
    }),
    answeredNotes: Type.Integer({ minimum: 0, description: "Notes of its round that were answered" }),
  },
  { description: "What was said of it, in numbers" },
);

/** One audio file of a track (specification section 2, "Version object"). */
export const Version = shape("Version", {
  id: Type.String(),
  trackId: Type.String(),
  label: nullable(Type.String()),
  name: Type.String(),
  order: Type.Integer({ minimum: 0, description: "0 is the original upload" }),
  active: Type.Boolean(),
  visible: Type.Boolean(),
  type: Type.String({ description: "Media type" }),
  size: Type.Integer({ minimum: 0, description: "Bytes" }),
  cid: Type.Optional(Type.String({ description: "SHA-256 of the bytes; absent until analysed" })),
  createdAt: Timestamp,
  downloadUrl: Type.String({
    format: "uri",
    description: "Works for one hour; fetch a fresh link when you need one",
  }),
  review: VersionReview,
});
export type Version = Static<typeof Version>;

export const VersionList = shape("VersionList", {
  trackId: Type.String(),
  activeVersionId: Type.String(),
  count: Type.Integer({ minimum: 1 }),
  versions: Type.Array(Version, { description: "Oldest first" }),
});
export type VersionList = Static<typeof VersionList>;

/** The most characters in a version's name or label (specification section 8). */
export const MAX_NAME = 200;
export const MAX_LABEL = 80;
const MAX_FILE_URL = 4096;
const Name = Type.String({ minLength: 1, maxLength: MAX_NAME });
const Label = nullable(Type.String({ maxLength: MAX_LABEL }));

/** Body of a request that adds a version by URL. */
export const VersionByUrl = shape("VersionByUrl", {
  fileUrl: Type.String({
    minLength: 1,
    maxLength: MAX_FILE_URL,
    pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
    description: "Public http or https address that serves audio",
  }),
  name: Type.Optional(described(Name, "Default: the file's name")),
  label: Type.Optional(described(Label, "Default: `v2` for the second version; empty for no label")),
  activate: Type.Optional(
    Type.Boolean({ description: "The track plays it from now on and is analysed again; default true" }),
  ),
});
export type VersionByUrl = Static<typeof VersionByUrl>;

/** The same fields in a multipart form with a file; also the form's schema in the OpenAPI document. */
export const VersionForm = Type.Object({
  file: Type.String({
    format: "binary",
    description: `An audio file of at most ${MAX_FILE_SIZE}; the content decides the format`,
  }),
  name: VersionByUrl.properties.name,
  label: Type.Optional(
    Type.String({
      maxLength: MAX_LABEL,
      description: "Default: `v2` for the second version; empty for no label",
    }),
  ),
  activate: Type.Optional(
    Type.Union(
      ["true", "false", "1", "0"].map((text) => Type.Literal(text)),
      { description: "The track plays it from now on and is analysed again; default true" },
    ),
  ),
});

/** Body of a request that changes a version. */
export const VersionChange = shape("VersionChange", {
  name: Type.Optional(Name),
  label: Type.Optional(described(Label, "Empty or null for no label")),
  visible: Type.Optional(
    Type.Boolean({ description: "Visible in the app; a track is visible when its active version is" }),
  ),
});
export type VersionChange = Static<typeof VersionChange>;

export const ActivatedVersion = shape("ActivatedVersion", {
  ok: Type.Literal(true),
  trackId: Type.String(),
  activeVersionId: Type.String(),
});
export type ActivatedVersion = Static<typeof ActivatedVersion>;

export const DeletedVersion = shape("DeletedVersion", {
  ok: Type.Literal(true),
  trackId: Type.String(),
  deletedVersionId: Type.String(),
});
export type DeletedVersion = Static<typeof DeletedVersion>;
