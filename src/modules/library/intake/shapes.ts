import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { MAX_PATH, SideCover } from "../albums/shapes.ts";

/** The most files that one request may name. */
const MAX_FILES = 100;
const MAX_ID = 64;
const MAX_LABEL = 64;
const MAX_INODE = 40;

const kind = Type.Union([Type.Literal("watch"), Type.Literal("send"), Type.Literal("import")], {
  description: "`watch`: a watched folder; `send`: `dubplate send`; `import`: `dubplate import`",
});

const Source = Type.String({
  maxLength: MAX_PATH,
  description: "The machine and the folder; what is known of a path is known within it",
});

/** A file of a folder. */
export const OfferedFile = Type.Object({
  path: Type.String({ minLength: 1, maxLength: MAX_PATH, description: "In the folder" }),
  sizeBytes: Type.Integer({ minimum: 1, description: "Bytes" }),
  modifiedAt: Type.Number({ minimum: 0, description: "Epoch milliseconds" }),
  inode: Type.Optional(
    Type.String({ maxLength: MAX_INODE, description: "The file's number; default empty" }),
  ),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "Of the whole file" }),
  uploadId: Type.Optional(
    Type.String({ maxLength: MAX_ID, description: "The upload with its bytes, once they were asked for" }),
  ),
  trackId: Type.Optional(
    Type.String({
      maxLength: MAX_ID,
      description: "The track whose version it becomes; left out: its name says",
    }),
  ),
  label: Type.Optional(
    Type.String({ maxLength: MAX_LABEL, description: "The version's label; left out: its name says" }),
  ),
});

export const TakeFiles = shape(
  "TakeFiles",
  {
    kind,
    source: Source,
    files: Type.Array(OfferedFile, { minItems: 1, maxItems: MAX_FILES }),
  },
  { description: "Files that are to be taken in" },
);
export type TakeFiles = Static<typeof TakeFiles>;

export const FolderCover = shape(
  "FolderCover",
  { source: Source, ...SideCover.properties },
  { description: "A picture in a folder whose files were taken in" },
);

const outcomes = ["track", "version", "known", "needed", "failed"] as const;

export const TakenFile = shape(
  "TakenFile",
  {
    path: Type.String(),
    outcome: Type.Union(
      outcomes.map((outcome) => Type.Literal(outcome)),
      {
        description:
          "`track`: a new track; `version`: a new version of one; `known`: the library has a file with the same bytes; `needed`: upload the bytes and ask again; `failed`: `reason` says why",
      },
    ),
    trackId: nullable(Type.String()),
    versionId: nullable(Type.String()),
    label: nullable(Type.String()),
    title: nullable(Type.String({ description: "The track's title, or its name without the file's ending" })),
    url: nullable(Type.String({ description: "The track's page in the console" })),
    albumId: nullable(Type.String({ description: "The album of its folder's songs; null: none" })),
    reason: nullable(Type.String()),
  },
  { description: "What became of a file" },
);
export type TakenFile = Omit<Static<typeof TakenFile>, "outcome"> & { outcome: (typeof outcomes)[number] };

export const TakenFiles = shape(
  "TakenFiles",
  {
    files: Type.Array(TakenFile, { description: "In the order asked" }),
  },
  { description: "What became of the files" },
);

export const RememberedQuery = Type.Object({ ...pageFields, source: Source });
export type RememberedQuery = Static<typeof RememberedQuery>;

export const RememberedFile = shape(
  "RememberedFile",
  {
    path: Type.String(),
    sizeBytes: Type.Integer({ description: "Bytes" }),
    modifiedAt: Type.Number({ description: "Epoch milliseconds" }),
    inode: Type.String({ description: "The file's number; empty when it is not known" }),
    trackId: Type.String(),
  },
  { description: "The last that was taken in from a path" },
);
export type RememberedFile = Static<typeof RememberedFile>;

export const IntakesQuery = Type.Object(pageFields);
export type IntakesQuery = Static<typeof IntakesQuery>;
export const IntakeParams = Type.Object({ intakeId: Type.String({ description: "The intake" }) });

/** What a file of a folder became. */
export const Intake = shape(
  "Intake",
  {
    id: Type.String(),
    takenAt: described(Timestamp, "When it was taken in"),
    kind,
    source: Type.String({ description: "The machine and the folder" }),
    path: Type.String(),
    outcome: Type.Union(
      (["track", "version"] as const).map((each) => Type.Literal(each)),
      { description: "`track`: a new track; `version`: a new version of one" },
    ),
    trackId: Type.String(),
    versionId: nullable(Type.String()),
    label: nullable(Type.String()),
    title: nullable(Type.String({ description: "The track's title; null: the track is gone" })),
    reason: nullable(Type.String({ description: "Why it is a separate track" })),
    undoneAt: nullable(described(Timestamp, "When it was taken back; null: it was not")),
  },
  { description: "What a file of a folder became" },
);
export type Intake = Static<typeof Intake>;
