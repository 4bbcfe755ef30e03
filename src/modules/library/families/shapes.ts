import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";
import { FAMILY_KINDS, STEM_PARTS } from "./words.ts";

export { FAMILY_KINDS, KIND_NAMES, kindWords, PART_NAMES, STEM_PARTS } from "./words.ts";

/** The most tracks of one family, and the most stems among them. */
export const MAX_FAMILY_MEMBERS = 200;
export const MAX_STEMS = 64;

/** The length of an edit. */
export const MIN_EDIT_SEC = 5;
export const MAX_EDIT_SEC = 600;

const FamilyKind = Type.Union(
  FAMILY_KINDS.map((kind) => Type.Literal(kind)),
  { description: "What a member is; `main` with `editSec` is an edit of the main mix" },
);
export type FamilyKind = Static<typeof FamilyKind>;
const StemPart = Type.Union([...STEM_PARTS.map((part) => Type.Literal(part)), Type.Null()], {
  description: "What a stem has; null: not said, or no stem",
});
const EditSec = Type.Integer({
  minimum: MIN_EDIT_SEC,
  maximum: MAX_EDIT_SEC,
  description: "The length of an edit, in seconds",
});

const FamilyMember = shape(
  "FamilyMember",
  {
    trackId: Type.String(),
    title: Type.String({ description: "The track's title, or its name without the file's ending" }),
    kind: FamilyKind,
    part: StemPart,
    editSec: nullable(EditSec),
    durationSec: nullable(Type.Number()),
    integratedLufs: nullable(Type.Number({ description: "How loud the active version is" })),
    versionId: nullable(Type.String({ description: "The active version" })),
    bpm: nullable(Type.Number({ description: "Its tempo, as its owner or the analysis says" })),
    joinedBy: Type.Union([Type.Literal("owner"), Type.Literal("name_and_sound")], {
      description: "`name_and_sound`: by itself, since name and sound agreed",
    }),
    hiddenFromLinks: Type.Boolean({ description: "Links to the whole set leave it out" }),
    sound: nullable(
      Type.Object(
        {
          offsetMs: Type.Number({ description: "Where it begins in the main mix" }),
          residualDb: nullable(
            Type.Number({ description: "What is left of the main mix without it, relative to the main mix" }),
          ),
        },
        { description: "How it lies in the main mix; null where nothing was measured" },
      ),
    ),
  },
  { description: "A track of a set" },
);
export type FamilyMember = Static<typeof FamilyMember>;

const StemSum = Type.Object(
  {
    count: Type.Integer({ minimum: 1, description: "How many stems were added up" }),
    residualDb: nullable(
      Type.Number({
        description:
          "What is left of the main mix when their sum is taken from it, relative to it; null: they do not line up with it",
      }),
    ),
    missing: nullable(
      Type.Object(
        {
          part: StemPart,
          levelDb: Type.Number({ description: "What is left there, relative to the main mix there" }),
          fromHz: nullable(Type.Integer({ description: "Null: from the lowest" })),
          toHz: nullable(Type.Integer({ description: "Null: to the highest" })),
        },
        {
          description:
            "Where the most is left; null: hardly anything is. `part` is null where it cannot be told",
        },
      ),
    ),
  },
  { description: "What the stems of the set add up to; absent where that is not measured" },
);
export type StemSum = Static<typeof StemSum>;

/** Payload of reading a set. Without one, `familyId` and `mainTrackId` are null. */
export const TrackFamily = shape(
  "TrackFamily",
  {
    familyId: nullable(Type.String({ description: "The set" })),
    mainTrackId: nullable(Type.String({ description: "One of the members" })),
    members: Type.Array(FamilyMember, {
      description: "The main mix first, then kinds, edits by length, stems by part; without those in the bin",
    }),
    stemSum: Type.Optional(StemSum),
    liveLinks: Type.Integer({
      minimum: 0,
      description: "Links that show the whole set, or would with the first track that joins; 0 for guests",
    }),
  },
  { description: "The set of a track: one song with everything made from it" },
);
export type TrackFamily = Static<typeof TrackFamily>;

export const FamilyParams = Type.Object({ trackId: Type.String({ description: "The track" }) });

export const JoinFamily = shape(
  "JoinFamily",
  {
    with: Type.String({
      minLength: 1,
      description: "A track of the set, or the one that becomes the main mix of a new set",
    }),
    kind: FamilyKind,
    part: Type.Optional(StemPart),
    editSec: Type.Optional(nullable(EditSec)),
    hiddenFromLinks: Type.Optional(
      Type.Boolean({ description: "Links to the whole set leave it out; left out: as it is" }),
    ),
  },
  { description: "Which set a track joins, and what it is there" },
);
export type JoinFamily = Static<typeof JoinFamily>;

export const ChangedFamily = shape(
  "ChangedFamily",
  {
    ...TrackFamily.properties,
    undoId: nullable(
      Type.String({ description: "Takes the change back, ten minutes long; null: nothing changed" }),
    ),
  },
  { description: "The set of a track after a change" },
);
export type ChangedFamily = Static<typeof ChangedFamily>;

export const NamedKinds = shape(
  "NamedKinds",
  { trackIds: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_FAMILY_MEMBERS }) },
  { description: "Tracks that may be kept together" },
);
export type NamedKinds = Static<typeof NamedKinds>;

export const NamedKind = shape(
  "NamedKind",
  {
    trackId: Type.String(),
    title: Type.String({ description: "The track's title, or its name without the file's ending" }),
    kind: FamilyKind,
    part: StemPart,
    editSec: nullable(EditSec),
  },
  { description: "What the name of a track says that it is of its song" },
);
export type NamedKind = Static<typeof NamedKind>;

/** Of a single track. */
export const FamilySummary = Type.Object(
  {
    id: Type.String(),
    kind: FamilyKind,
    editSec: nullable(EditSec),
    size: Type.Integer({ minimum: 1, description: "Its tracks, without those in the bin" }),
  },
  { description: "The set that the track is in; absent without one" },
);

export type FamilySummary = Static<typeof FamilySummary>;

/** In a change of many tracks: which set they join. */
export const KeepTogether = Type.Object(
  {
    mainTrackId: Type.String({ minLength: 1, description: "The main mix; it is in the set with them" }),
    kinds: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([
          FamilyKind,
          Type.Object({
            kind: FamilyKind,
            part: Type.Optional(StemPart),
            editSec: Type.Optional(nullable(EditSec)),
          }),
        ]),
        {
          maxProperties: MAX_FAMILY_MEMBERS,
          description: "What tracks are in the set, by their ids; others stay what they are, or are `other`",
        },
      ),
    ),
  },
  { description: "Keep the tracks together as one set" },
);
export type KeepTogether = Static<typeof KeepTogether>;
