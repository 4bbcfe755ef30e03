import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { FAMILY_KINDS, MAX_EDIT_SEC, MIN_EDIT_SEC, STEM_PARTS } from "../families/shapes.ts";

const MAX_ID = 64;

/** How long *Uploads* shows what joined a set by itself. */
export const KEPT_SHOWN_MS = 30 * DAY_MS;

const Kind = Type.Union(
  FAMILY_KINDS.map((kind) => Type.Literal(kind)),
  { description: "What it is of its song" },
);
const Part = Type.Union(
  STEM_PARTS.map((part) => Type.Literal(part)),
  { description: "What a stem has" },
);
const editSec = { minimum: MIN_EDIT_SEC, maximum: MAX_EDIT_SEC, description: "Length of an edit, seconds" };

export const QuestionsQuery = Type.Object({
  ...pageFields,
  trackId: Type.Optional(
    Type.String({
      maxLength: MAX_ID,
      description: "Only questions about this track, at most 50 and without pages",
    }),
  ),
});
export type QuestionsQuery = Static<typeof QuestionsQuery>;

export const QuestionParams = Type.Object({
  trackId: Type.String({ description: "The track that is asked about" }),
  otherId: Type.String({ description: "The track whose set it would join" }),
});

/** A track that may belong to a set. */
export const FamilyQuestion = shape(
  "FamilyQuestion",
  {
    id: Type.String({ description: "The track that is asked about" }),
    title: Type.String({ description: "Its title, or its name without the file's ending" }),
    versionId: Type.String(),
    durationSec: nullable(Type.Number({ description: "Seconds" })),
    otherId: Type.String({ description: "The track whose set it would join" }),
    otherTitle: Type.String({
      description: "The other track's title, or its name without the file's ending",
    }),
    otherVersionId: Type.String({ description: "The version that the other track plays" }),
    otherDurationSec: nullable(Type.Number({ description: "Seconds" })),
    kind: Kind,
    part: nullable(Part),
    editSec: nullable(Type.Integer(editSec)),
    isByName: Type.Boolean({ description: "True: its name says so" }),
    isBySound: Type.Boolean({ description: "True: its sound says so" }),
    sound: nullable(
      Type.Object(
        {
          offsetMs: Type.Number({ description: "Where it begins in the other track, milliseconds" }),
          residualDb: nullable(
            Type.Number({
              description: "What is left when one is taken from the other, relative to the longer, dB",
            }),
          ),
        },
        { description: "How it lies in the other track; null: it does not line up" },
      ),
    ),
    foundAt: described(Timestamp, "When it was found"),
  },
  { description: "A track that may be of the song of another one" },
);
export type FamilyQuestion = Static<typeof FamilyQuestion>;

export const Total = Type.Integer({ minimum: 0, description: "How many questions are open in all" });

export const AnswerQuestion = shape(
  "AnswerFamilyQuestion",
  {
    answer: Type.Union([Type.Literal("yes"), Type.Literal("no")], {
      description: "`yes`: it joins the set; `no`: nobody asks again",
    }),
    kind: Type.Optional(Kind),
    part: Type.Optional(Part),
    editSec: Type.Optional(nullable(Type.Integer(editSec))),
  },
  { description: "An answer. Left out of it is what the question says" },
);
export type AnswerQuestion = Static<typeof AnswerQuestion>;

export const AnsweredQuestion = shape(
  "AnsweredFamilyQuestion",
  {
    trackId: Type.String(),
    otherId: Type.String({ description: "The track whose set it was asked to join" }),
    familyId: nullable(Type.String({ description: "The set that the track is in now; null: none" })),
  },
  { description: "What became of a question" },
);
export type AnsweredQuestion = Static<typeof AnsweredQuestion>;

export const KeptQuery = Type.Object(pageFields);

/** A track that joined a set by itself. */
export const KeptTrack = shape(
  "KeptTrack",
  {
    id: Type.String(),
    title: Type.String({ description: "The track's title, or its name without the file's ending" }),
    kind: Kind,
    part: nullable(Part),
    editSec: nullable(Type.Integer(editSec)),
    mainId: Type.String({ description: "The main mix of the set" }),
    mainTitle: Type.String({ description: "The main mix's title, or its name without the file's ending" }),
    hiddenFromLinks: Type.Boolean({ description: "True: links to the whole set do not show it" }),
    joinedAt: described(Timestamp, "When it joined"),
  },
  { description: "A track that joined a set by itself, because its name and its sound agree" },
);
export type KeptTrack = Static<typeof KeptTrack>;
