import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { MAX_COMMENT } from "./shapes.ts";

export const ReviewParams = Type.Object({ trackId: Type.String(), versionId: Type.String() });

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
