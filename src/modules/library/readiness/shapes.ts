import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";

/** What a list of tracks is made ready for. */
const PROFILE_IDS = ["store", "sync", "cd", "custom"] as const;
export type ProfileId = (typeof PROFILE_IDS)[number];

const LEVELS = ["stop", "warn", "note"] as const;
const SCOPES = ["sound", "file", "metadata", "cover", "rights", "album"] as const;
const SUPPLIERS = ["owner", "composer", "engineer", "artwork"] as const;

/** The most tracks that are looked at together. */
export const MAX_READY_TRACKS = 1000;

const oneOf = <Choice extends string>(choices: readonly Choice[], description: string) =>
  Type.Union(
    choices.map((choice) => Type.Literal(choice)),
    { description },
  );

const Profile = Type.Optional(
  oneOf(PROFILE_IDS, "What it is made ready for, `store` unless you say otherwise"),
);
export const ReadinessQuery = Type.Object({ profile: Profile });
export const TrackReadinessParams = Type.Object({ trackId: Type.String({ minLength: 1 }) });
export const PlaylistReadinessParams = Type.Object({ playlistId: Type.String({ minLength: 1 }) });

/** Body of `POST /app/readiness`. */
export const SelectionReadiness = shape("ReadinessOf", {
  trackIds: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: MAX_READY_TRACKS }),
  playlistId: Type.Optional(
    Type.String({ minLength: 1, description: "The album or playlist that they are handed over as" }),
  ),
  profile: Profile,
});

/** How many findings there are of each level. */
export const ReadinessCounts = shape("ReadinessCounts", {
  stop: Type.Integer({ minimum: 0, description: "Must be mended" }),
  warn: Type.Integer({ minimum: 0, description: "Should be mended" }),
  note: Type.Integer({ minimum: 0, description: "Only to be known" }),
});
export type ReadinessCounts = Static<typeof ReadinessCounts>;

/** Something that a rule has found. */
export const Finding = shape("Finding", {
  code: Type.String({ description: "The rule, of those that docs/readiness.md lists" }),
  level: oneOf(LEVELS, "How grave it is in this profile"),
  scope: oneOf(SCOPES, "What the rule looks at"),
  message: Type.String({ description: "The finding as a sentence" }),
  value: Type.Union([Type.Number(), Type.String(), Type.Null()], {
    description: "What was found; null where nothing is, or where there is only yes and no",
  }),
  limit: Type.Union([Type.Number(), Type.String(), Type.Null()], {
    description: "What the value was compared with",
  }),
  unit: nullable(Type.String({ description: "Of value and limit" })),
  atSec: nullable(Type.Number({ description: "Where in the sound" })),
  suppliedBy: oneOf(SUPPLIERS, "Who can supply what is missing"),
  composerId: nullable(Type.String({ description: "The composer whom it is about" })),
  composerName: nullable(Type.String({ description: "The composer's name" })),
  place: Type.String({ description: "Path of the console where it is mended" }),
  fix: nullable(Type.String({ description: "What mends it there; null: another file does" })),
  source: Type.String({ description: "Whose rule it is" }),
});
export type Finding = Static<typeof Finding>;

const found = {
  counts: ReadinessCounts,
  findings: Type.Array(Finding, { description: "Worst first" }),
};
const judged = {
  profile: oneOf(PROFILE_IDS, "What it is made ready for"),
  rules: Type.String({ description: "Version of the rules" }),
};
const ofTrack = {
  trackId: Type.String(),
  title: Type.String({ description: "The title, or the name where there is none" }),
  versionId: Type.String({ description: "The active version, which was looked at" }),
  isChecked: Type.Boolean({ description: "The sound of this version is measured" }),
};

/** What a track lacks. */
export const TrackReadiness = shape("TrackReadiness", { ...judged, ...ofTrack, ...found });
export type TrackReadiness = Static<typeof TrackReadiness>;

/** A track of a list with what it lacks. */
const ReadyTrack = Type.Object({ ...ofTrack, ...found });
export type ReadyTrack = Static<typeof ReadyTrack>;

/** What a list of tracks lacks. */
export const ListReadiness = shape("ListReadiness", {
  ...judged,
  playlistId: nullable(Type.String({ description: "Null: a selection" })),
  title: nullable(Type.String({ description: "Of the playlist or album" })),
  counts: ReadinessCounts,
  findings: Type.Array(Finding, { description: "About the release and the tracks together, worst first" }),
  tracks: Type.Array(ReadyTrack, { description: "In order; a track that occurs twice is here once" }),
  trackCount: Type.Integer({ minimum: 0, description: "How many tracks there are, looked at or not" }),
});
export type ListReadiness = Static<typeof ListReadiness>;

/** A limit that a library may set. */
export const ReadinessLimit = shape("ReadinessLimit", {
  profile: oneOf(PROFILE_IDS, "The purpose that it is for"),
  rule: Type.String({
    description: "The rule, of those that docs/readiness.md lists",
    examples: ["true_peak"],
  }),
  name: Type.String({ description: "What the limit is of" }),
  unit: nullable(Type.String({ description: "Of limits", examples: ["dBTP"] })),
  least: Type.Number({ description: "The lowest that may be set" }),
  most: Type.Number({ description: "The highest that may be set" }),
  standard: Type.Number({ description: "The limit where none is set" }),
  own: nullable(Type.Number({ description: "The limit that the library has set; null: none" })),
});
export type ReadinessLimit = Static<typeof ReadinessLimit>;

/** Body of `PATCH /app/readiness-limits`. */
export const ReadinessLimitInput = shape("ReadinessLimitInput", {
  profile: oneOf(PROFILE_IDS, "The purpose that it is for"),
  rule: Type.String({ minLength: 1, description: "The rule", examples: ["true_peak"] }),
  value: nullable(Type.Number({ description: "The limit, in the rule's unit; null: the standard one" })),
});
export type ReadinessLimitInput = Static<typeof ReadinessLimitInput>;
