import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp, withDefault } from "../../../../http/envelope.ts";
import { pageFields } from "../../../../http/page-query.ts";
import { seenWith } from "../../../../http/veil.ts";
import { MAX_PAGE } from "../../../../kernel/limits.ts";
import { MAX_KEYS_SOUGHT, MAX_TAGS_SOUGHT, MAX_WORDS_SOUGHT } from "../../tracks/shapes.ts";

/** Orders of the table, each of them also backwards with a `-` in front. */
export const TABLE_SORTS = [
  "created_at",
  "name",
  "artist",
  "bpm",
  "key",
  "duration",
  "plays",
  "updated_at",
  "versions",
  "tags",
] as const;
type TableSort = (typeof TABLE_SORTS)[number];
export type SortName = TableSort | `-${TableSort}`;

const SORT_NAMES = TABLE_SORTS.flatMap((sort): SortName[] => [sort, `-${sort}`]);

/** The states of an analysis by which the table can be filtered. */
export const STATUSES = ["pending", "processing", "completed", "failed"] as const;

/** Which tracks a table or a bulk change is about; without a field: all of them. */
export const filterFields = {
  q: Type.Optional(
    Type.String({
      description: "Part of the name, title or artist; case and diacritics do not matter",
      maxLength: MAX_WORDS_SOUGHT,
    }),
  ),
  tags: Type.Optional(
    Type.String({
      description: "Comma-separated tag names of any category, free text included",
      maxLength: MAX_TAGS_SOUGHT,
    }),
  ),
  tagMode: Type.Optional(
    Type.Union([Type.Literal("any"), Type.Literal("all")], { description: "Default: any" }),
  ),
  untagged: Type.Optional(
    Type.Boolean({ description: "true: tracks without a tag; false: tracks with one" }),
  ),
  createdAfter: Type.Optional(Type.String({ description: "First UTC day, YYYY-MM-DD" })),
  createdBefore: Type.Optional(Type.String({ description: "Last UTC day, YYYY-MM-DD" })),
  status: Type.Optional(
    Type.String({ description: `Comma-separated states of the analysis: ${STATUSES.join(", ")}` }),
  ),
  visible: Type.Optional(Type.Boolean({ description: "true: shown in the library; false: hidden" })),
  key: Type.Optional(
    Type.String({
      description: "Comma-separated keys in any notation, for example `F# minor, 11A`",
      maxLength: MAX_KEYS_SOUGHT,
    }),
  ),
  bpmMin: Type.Optional(Type.Number({ minimum: 0 })),
  bpmMax: Type.Optional(Type.Number({ minimum: 0 })),
  durationMinSec: Type.Optional(Type.Number({ minimum: 0 })),
  durationMaxSec: Type.Optional(Type.Number({ minimum: 0 })),
  album: Type.Optional(
    Type.String({
      description:
        "Id of an album; or a name, for the tracks on an album of that name or whose file or owner names it",
      maxLength: MAX_WORDS_SOUGHT,
    }),
  ),
  inInbox: Type.Optional(
    Type.Boolean({ description: "true: what came in for a brief and is not kept, instead of the library" }),
  ),
  onAlbum: Type.Optional(
    Type.Boolean({ description: "true: tracks that are on an album; false: the others" }),
  ),
  onePerSong: Type.Optional(
    Type.Boolean({ description: "true: of each set only the main mix; default false" }),
  ),
};

export const TrackFilter = shape("TrackFilter", filterFields);
export type TrackFilter = Static<typeof TrackFilter>;

export const sortField = withDefault(
  Type.Union(
    SORT_NAMES.map((sort) => Type.Literal(sort)),
    { description: "Rows without a value come last, in either direction" },
  ),
  "-created_at",
);

export const TableQuery = Type.Object({
  ...pageFields,
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Instead of a cursor: the 0-based place of the page's first row",
    }),
  ),
  sort: sortField,
  ...filterFields,
});
export type TableQuery = Static<typeof TableQuery>;

export const MarksQuery = Type.Object({ sort: sortField, ...filterFields });
export type MarksQuery = Static<typeof MarksQuery>;

/** Where a part of a list begins. */
export const Mark = shape("TableMark", {
  label: Type.String({ description: "A letter, `#` for everything else, or a UTC month such as `2026-11`" }),
  position: Type.Integer({ minimum: 0, description: "0-based" }),
});
export type Mark = Static<typeof Mark>;

const text = nullable(Type.String());
const number = nullable(Type.Number());

/** A row of the table. */
export const TableRow = shape("TableRow", {
  id: Type.String(),
  name: Type.String({ description: "File display name" }),
  title: Type.String({ description: "The title, or the name of its file without the extension" }),
  artist: text,
  albums: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: "The albums of the library that it is on, the oldest first",
  }),
  album: nullable(
    Type.String({ description: "Name of its album; where it is on none, what its file or owner says" }),
  ),
  setSize: Type.Optional(
    Type.Integer({ minimum: 2, description: "How many tracks its set has; absent without one" }),
  ),
  cover: nullable(Type.String({ description: "Address of the cover" })),
  activeVersionId: Type.String(),
  activeLabel: nullable(Type.String({ description: "Label of the active version; null: the original" })),
  playbackUrl: Type.String({
    format: "uri",
    description: "What a browser plays best of the active version. Works for at least one hour",
  }),
  integratedLufs: number,
  truePeakDbtp: number,
  versions: Type.Integer({ minimum: 1 }),
  bpm: number,
  key: text,
  durationSec: number,
  genres: Type.Array(Type.String()),
  moods: Type.Array(Type.String()),
  heard: Type.Array(Type.String(), {
    description:
      "Genres, then moods, that the analysis suggests, the most certain first; none of a kind that has tags already",
  }),
  plays: seenWith(
    "read:analytics",
    Type.Integer({ minimum: 0, description: "Counted plays of this UTC month" }),
  ),
  status: Type.Union(STATUSES.map((status) => Type.Literal(status))),
  code: nullable(Type.String({ description: "Why the analysis failed, for programs" })),
  reason: nullable(Type.String({ description: "Why the analysis failed, for people" })),
  visible: Type.Boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type TableRow = Static<typeof TableRow>;

/** `paging` beside the rows. */
export const TablePaging = shape("TablePaging", {
  limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE }),
  next_cursor: nullable(Type.String()),
  total: Type.Integer({ minimum: 0, description: "Rows of the whole list" }),
});
