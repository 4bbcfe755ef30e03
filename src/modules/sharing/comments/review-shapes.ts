import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { Comment, MAX_COMMENT } from "./shapes.ts";

/** The most notes that a round shows. */
export const MAX_ROUND_NOTES = 500;

export const ReviewParams = Type.Object({ trackId: Type.String(), versionId: Type.String() });

export const ReviewsQuery = Type.Object({ ...pageFields });
export type ReviewsQuery = Static<typeof ReviewsQuery>;

const ReviewState = Type.Union([Type.Literal("approved"), Type.Literal("changes")], {
  description: "What is said of the version",
});

export const WriteReview = shape("WriteReview", {
  state: ReviewState,
  text: Type.Optional(
    nullable(Type.String({ maxLength: MAX_COMMENT, description: "A line beside it; empty for none" })),
  ),
});
export type WriteReview = Static<typeof WriteReview>;

/** What a person, or the recipient of a link, says of a version. */
export const Review = shape("Review", {
  id: Type.String(),
  versionId: Type.String({ description: "The version" }),
  state: ReviewState,
  text: nullable(Type.String()),
  by: Type.Object({
    id: nullable(Type.String({ description: "Null for the recipient of a link" })),
    name: Type.String({ description: "Of a link: its recipient" }),
  }),
  shareId: nullable(Type.String({ description: "The link through which it was said" })),
  at: Timestamp,
});
export type Review = Static<typeof Review>;

export const DeletedReview = shape("DeletedReview", {
  ok: Type.Literal(true),
  trackId: Type.String(),
  versionId: Type.String(),
});
export type DeletedReview = Static<typeof DeletedReview>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** A version with the notes that it inherited and those made on it. */
export const Round = shape("Round", {
  versionId: Type.String({ description: "The version" }),
  label: Type.String({ description: "What the version is called" }),
  previous: nullable(
    Type.Object(
      { id: Type.String(), label: Type.String({ description: "What it is called" }) },
      { description: "The version before it, hidden or not" },
    ),
  ),
  offsetMs: nullable(
    Type.Number({
      description:
        "How much later the same moment comes than in the version before; null when the two cannot be aligned, or are not analysed",
    }),
  ),
  gainDb: nullable(
    Type.Number({
      description:
        "Gain to apply to this version so that it is as loud as the one before; null until both are analysed",
    }),
  ),
  inherited: Count("Notes made on earlier versions that none before this one answered"),
  fresh: Count("Notes made on this version"),
  answered: Count("Those of all these that were answered"),
  open: Count("Those of all these that nobody has answered"),
  reviews: Type.Array(Review, { description: "The newest first" }),
  notes: Type.Array(Comment, {
    maxItems: MAX_ROUND_NOTES,
    description: `By their place in the version; those on the whole track first, those whose passage it does not have last. At most ${MAX_ROUND_NOTES}`,
  }),
});
export type Round = Static<typeof Round>;
