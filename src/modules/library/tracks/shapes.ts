import { type Static, Type } from "@sinclair/typebox";
import { described, fieldsOf, nullable, shape, Timestamp, withDefault } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { seenWith } from "../../../http/veil.ts";
import { METRES, SECTION_KINDS } from "../../../kernel/structures.ts";
import { ShareholderTrack } from "../composers/shapes.ts";
import { FamilySummary } from "../families/shapes.ts";
import { ReadinessCounts } from "../readiness/shapes.ts";
import { TrackRights } from "../rights/shapes.ts";
import { TagRelations } from "../tags/shapes.ts";

export { DetailsInput, MAX_BPM, MAX_LINE } from "./details/details-shapes.ts";

/** Orders of the track list; `name` compares folded names, the id breaks ties (decision 4.4). */
const SORTS = ["created_at", "-created_at", "name", "-name"] as const;
export type TrackSort = (typeof SORTS)[number];

/** How far the analysis of a track may have come. */
const ANALYSIS_STATUSES = ["pending", "processing", "completed", "failed"] as const;
export const AnalysisStatus = Type.Union(ANALYSIS_STATUSES.map((status) => Type.Literal(status)));

/** The names that `fields` accepts. */
export const LIST_FIELDS = [
  "id",
  "name",
  "createdAt",
  "audio_profile",
  "shareholders",
  "link",
  "share_link",
  "cid",
  "analysis",
] as const;
export type ListField = (typeof LIST_FIELDS)[number];

/** The text details of a track, by their API names; stored verbatim (decision 4.13). */
export const DETAIL_FIELDS = [
  "album",
  "album_artist",
  "composer",
  "album_composer",
  "year",
  "album_year",
  "isrc",
  "trackGenre",
  "track_number",
  "disc_number",
  "total_tracks_album",
  "total_discs_album",
  "lyrics",
  "notes",
  "recordLabel",
  "cover",
  "language",
] as const;
type DetailField = (typeof DETAIL_FIELDS)[number];
export type Details = Record<DetailField, string | null>;

/** The longest texts by which lists of tracks are filtered. */
export const MAX_WORDS_SOUGHT = 1000;
export const MAX_TAGS_SOUGHT = 5000;
export const MAX_KEYS_SOUGHT = 500;

export const ListTracksQuery = Type.Object({
  limit: pageFields.limit,
  cursor: Type.Optional(Type.String({ description: "`paging.next_cursor` of the previous page" })),
  sort: withDefault(Type.Union(SORTS.map((sort) => Type.Literal(sort))), "-created_at"),
  q: Type.Optional(
    Type.String({
      description: "Part of the name or title; case and diacritics do not matter",
      maxLength: MAX_WORDS_SOUGHT,
    }),
  ),
  tags: Type.Optional(
    Type.String({
      description: "Comma-separated tag names of any category, free text included",
      maxLength: MAX_TAGS_SOUGHT,
    }),
  ),
  tagMode: withDefault(Type.Union([Type.Literal("any"), Type.Literal("all")]), "any"),
  createdAfter: Type.Optional(Type.String({ description: "First UTC day, YYYY-MM-DD" })),
  createdBefore: Type.Optional(Type.String({ description: "Last UTC day, YYYY-MM-DD" })),
  analysis: Type.Optional(
    Type.Union(
      ANALYSIS_STATUSES.map((status) => Type.Literal(status)),
      { description: "Only tracks whose analysis has come so far" },
    ),
  ),
  untagged: Type.Optional(Type.Boolean({ description: "`true`: only tracks without any tag" })),
  neverPlayed: Type.Optional(Type.Boolean({ description: "`true`: only tracks without a play" })),
  bpmMin: Type.Optional(Type.Number({ minimum: 0, description: "Lowest tempo, beats per minute" })),
  bpmMax: Type.Optional(Type.Number({ minimum: 0, description: "Highest tempo, beats per minute" })),
  key: Type.Optional(
    Type.String({
      description: "Comma-separated keys in any notation, for example `F# minor, 11A`",
      maxLength: MAX_KEYS_SOUGHT,
    }),
  ),
  fields: Type.Optional(
    Type.String({
      description: `Comma-separated, of ${LIST_FIELDS.join(", ")}. Left out: all but \`shareholders\``,
    }),
  ),
});
export type ListTracksQuery = Static<typeof ListTracksQuery>;

export const SingleTrackQuery = Type.Object({ id: Type.String({ minLength: 1 }) });

const text = nullable(Type.String());
const number = nullable(Type.Number());

/** The profile values in force: the owner's where there is one, otherwise the measured one. */
const ProfileValues = Type.Object({ title: text, artist: text, bpm: number, key: text, durationSec: number });

/** A track in a list: `id`, and the fields that `fields` asked for. */
export const TrackListItem = shape("TrackListItem", {
  id: Type.String(),
  name: Type.Optional(Type.String({ description: "File display name" })),
  createdAt: Type.Optional(Timestamp),
  cid: Type.Optional(Type.String({ description: "SHA-256 of the audio, empty until analysed" })),
  audio_profile: Type.Optional(
    Type.Object({ ...ProfileValues.properties, genres: TagRelations.genres, moods: TagRelations.moods }),
  ),
  shareholders: Type.Optional(seenWith("read:composers", Type.Array(ShareholderTrack))),
  link: Type.Optional(nullable(Type.String({ description: "Public player page" }))),
  share_link: Type.Optional(nullable(Type.String({ description: "The same as `link`" }))),
  analysis: Type.Optional(
    Type.Object({ status: AnalysisStatus }, { description: "How far the analysis has come" }),
  ),
  visible: Type.Optional(Type.Boolean({ description: "Shown in the app's library; not with `fields`" })),
});
export type TrackListItem = Static<typeof TrackListItem>;
export type ListProfile = NonNullable<TrackListItem["audio_profile"]>;

/** Beside an empty list: the names in `tags` that no taxonomy tag has. */
export const UnknownTags = Type.Record(Type.String(), Type.Array(Type.String()), {
  description:
    "Only beside an empty list: the names of `tags` that are not in the taxonomy, each with the three nearest tags",
});

export const TrackCount = shape("Count", { count: Type.Integer({ minimum: 0 }) });

const VersionSummary = shape("VersionSummary", {
  id: Type.String(),
  label: text,
  name: Type.String(),
  active: Type.Boolean(),
  visible: Type.Boolean(),
  createdAt: Timestamp,
});
export type VersionSummary = Static<typeof VersionSummary>;

/** How the audio is counted and divided. */
const Structure = shape(
  "Structure",
  {
    alternativeBpm: nullable(
      Type.Number({ description: "By how many beats others count the same music; null when most agree" }),
    ),
    metre: nullable(
      Type.Union(
        METRES.map((metre) => Type.Literal(metre)),
        { description: "Null when it is not sure. 2/4 and 2/2 count as 4/4, 9/8 as 3/4, 12/8 as 6/8" },
      ),
    ),
    metreConfidence: Type.Number({ minimum: 0, maximum: 1 }),
    downbeats: Type.Array(Type.Number(), {
      description: "Where each bar begins, in seconds; empty when that is not sure",
    }),
    swing: nullable(
      Type.Number({ description: "Where in a beat its off-beat is played: 0.5 even, 0.67 a triplet" }),
    ),
    sections: Type.Array(
      Type.Object({
        kind: Type.Union(SECTION_KINDS.map((kind) => Type.Literal(kind))),
        startSec: Type.Number(),
        endSec: Type.Number(),
        levelDb: Type.Number({ description: "Against the whole recording" }),
      }),
      { description: "In order and without gaps; empty when the music stays the same" },
    ),
  },
  { description: "How the audio is counted and divided" },
);

/** What was measured on the audio, even where the owner wrote another value (decision 3.0). */
const Measured = shape("Measurements", {
  versionId: Type.String({ description: "The version that was measured" }),
  analyzerVersion: Type.String(),
  analysedAt: Timestamp,
  durationSec: Type.Number(),
  bpm: number,
  bpmConfidence: Type.Number({ minimum: 0, maximum: 1 }),
  bpmCandidates: Type.Array(Type.Object({ bpm: Type.Number(), confidence: Type.Number() })),
  key: text,
  keyConfidence: Type.Number({ minimum: 0, maximum: 1 }),
  tuningCents: number,
  integratedLufs: number,
  rangeLu: number,
  momentaryMaxLufs: number,
  shortTermMaxLufs: number,
  truePeakDbtp: number,
  samplePeakDbfs: number,
  sampleRateHz: Type.Integer(),
  channels: Type.Integer(),
  codec: text,
  lossless: nullable(Type.Boolean()),
  bitDepth: nullable(Type.Integer()),
  bitrateBps: nullable(Type.Integer()),
  truncated: Type.Boolean({ description: "The file ended before its declared length" }),
  structure: nullable(Structure),
});
export type Measured = Static<typeof Measured>;

const TrackAnalysis = shape("TrackAnalysis", {
  status: AnalysisStatus,
  code: nullable(Type.String({ description: "Why it failed, for programs" })),
  reason: nullable(Type.String({ description: "Why it failed, for people" })),
  measured: nullable(Measured),
});

const Seconds = Type.Number({ minimum: 0, description: "Seconds from the start" });

/** An instrument, or voices, and where they are heard. */
const HeardName = Type.Object({
  category: Type.Union([Type.Literal("instruments"), Type.Literal("vocals")], {
    description: "`instruments`: a name of the taxonomy; `vocals`: the voices together, as `Vocals`",
  }),
  name: Type.String(),
  places: Type.Array(Type.Object({ fromSec: Seconds, toSec: Seconds }), { description: "In order" }),
});

const TrackDetail = shape("Track", {
  id: Type.String(),
  name: Type.String(),
  createdAt: Timestamp,
  cid: Type.String({ description: "SHA-256 of the audio, empty until analysed" }),
  visible: Type.Boolean({ description: "Shown in the app's library" }),
  link: nullable(Type.String({ description: "Public player page" })),
  audio_profile: Type.Object({
    ...ProfileValues.properties,
    ...TagRelations,
    ...fieldsOf(DETAIL_FIELDS, text),
    heard: Type.Optional(
      Type.Array(HeardName, {
        description:
          "Where the instruments and voices of its tags and suggestions are heard in the analysed version; " +
          "left out until the server has had the time to listen to all of it",
      }),
    ),
  }),
  shareholderTracks: seenWith("read:composers", Type.Array(ShareholderTrack)),
  rights: Type.Optional(
    seenWith("read:composers", described(nullable(TrackRights), "Left out: nothing was written")),
  ),
  analysis: TrackAnalysis,
  family: Type.Optional(FamilySummary),
  readiness: Type.Optional(ReadinessCounts),
});
export type TrackDetail = Static<typeof TrackDetail>;

/** Payload of the single-track routes. For an unknown track, `track`, `userId` and `activeVersionId` are null. */
export const SingleTrack = shape("SingleTrack", {
  track: nullable(TrackDetail),
  id: Type.String(),
  userId: text,
  activeVersionId: text,
  versions: Type.Array(VersionSummary, { description: "Oldest first" }),
});
export type SingleTrack = Static<typeof SingleTrack>;
