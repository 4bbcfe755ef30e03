import { type Static, Type } from "@sinclair/typebox";
import { fieldsOf, nullable, shape } from "../../../http/envelope.ts";
import type { TagCategory } from "../tags/shapes.ts";

const MAX_BATCH = 500;
const Id = Type.String({ minLength: 1 });

export const OneTrack = shape("OneTrack", { trackId: Id });
export const ManyTracks = shape("ManyTracks", {
  trackIds: Type.Array(Id, { minItems: 1, maxItems: MAX_BATCH }),
});
export const SuggestedTagsQuery = Type.Object({
  id: Type.String({ minLength: 1, description: "The track" }),
});

/** Payload of `POST /tracks/auto-tag`. */
export const AutoTagged = shape("AutoTagged", {
  ok: Type.Literal(true),
  trackId: Type.String(),
  analysisStatus: Type.Literal("pending"),
});
export type AutoTagged = Static<typeof AutoTagged>;

/** Payload of `POST /tracks/auto-tag/batch`. */
export const AutoTaggedBatch = shape("AutoTaggedBatch", {
  ok: Type.Literal(true),
  queued: Type.Integer({ minimum: 0 }),
  trackIds: Type.Array(Type.String(), { description: "The tracks that were queued, in the order sent" }),
  notFound: Type.Array(Type.String(), { description: "Ids that do not belong to a track of this account" }),
});
export type AutoTaggedBatch = Static<typeof AutoTaggedBatch>;

/** Payload of `POST /tracks/apply-suggested-tags`: exactly one of the two is true. */
export const Applied = shape("AppliedTags", {
  trackId: Type.String(),
  applied: Type.Boolean(),
  requeued: Type.Boolean({ description: "There was nothing to apply, so an analysis was started" }),
});
export type Applied = Static<typeof Applied>;

/** Categories in which something can be suggested. */
export type SuggestedCategory = Exclude<TagCategory, "tags"> | "additionalTags";

const Names = Type.Array(Type.String());
const SUGGESTED_CATEGORIES = [
  "genres",
  "moods",
  "types",
  "vocals",
  "instruments",
  "lyricThemes",
  "eras",
  "characters",
  "movements",
  "additionalTags",
] as const satisfies readonly SuggestedCategory[];

const Codes = (description: string) => Type.Array(Type.String(), { description });

const Intelligence = shape(
  "Intelligence",
  {
    genreCodes: Codes(
      "Codes of the written genres, or of the suggested ones if there are none; the next three work the same way",
    ),
    moodCodes: Codes("Taxonomy: moods"),
    typeCodes: Codes("Taxonomy: audioTypes"),
    instrumentCodes: Codes("Taxonomy: instruments"),
    useCaseCodes: Codes("Possible uses of the music; an open set"),
    status: Type.Union((["none", "pending", "ready", "failed"] as const).map((each) => Type.Literal(each))),
    ready: Type.Boolean(),
  },
  { description: "Codes stay the same when names change" },
);

/** Payload of `GET /tracks/suggested-tags`. */
export const SuggestedTags = shape("SuggestedTags", {
  trackId: Type.String(),
  suggestedTags: Type.Partial(Type.Object(fieldsOf(SUGGESTED_CATEGORIES, Names)), {
    description: "Names by category, most confident first; categories without suggestions are left out",
  }),
  suggestions: Type.Array(
    Type.Object({
      category: Type.Union(SUGGESTED_CATEGORIES.map((category) => Type.Literal(category))),
      id: Type.String(),
      name: Type.String(),
      confidence: Type.Number({ minimum: 0, maximum: 1 }),
    }),
    { description: "The same with confidence, most confident first" },
  ),
  needsRetagging: Type.Boolean({
    description:
      "Made from audio that is no longer active, or by an older model when the newer one disagrees",
  }),
  analysisStatus: Type.Union(
    (["pending", "processing", "completed", "failed"] as const).map((status) => Type.Literal(status)),
  ),
  modelVersion: nullable(
    Type.String({
      description:
        "What made the suggestions: the rules' version and, after a plus sign, what this account has taught",
    }),
  ),
  intelligence: Intelligence,
});
export type SuggestedTags = Static<typeof SuggestedTags>;

/** A recoverable problem inside a success. */
export const TrackNotFound = shape("TrackNotFound", {
  ok: Type.Literal(false),
  error: Type.Literal("TRACK_NOT_FOUND"),
});
export type TrackNotFound = Static<typeof TrackNotFound>;
