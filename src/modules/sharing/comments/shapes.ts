import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";

/** Characters. */
export const MAX_COMMENT = 2000;
/** Of a visitor who comments. */
export const MAX_VISITOR_NAME = 80;

export const CommentsParams = Type.Object({ trackId: Type.String() });
export const CommentParams = Type.Object({ id: Type.String() });
export const CommentsQuery = Type.Object({
  ...pageFields,
});
export type CommentsQuery = Static<typeof CommentsQuery>;

export const CreateComment = shape("CreateComment", {
  text: Type.String({ minLength: 1, maxLength: MAX_COMMENT }),
  positionSec: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        description: "Seconds from the start, within the version; null for a comment on the whole track",
      }),
    ),
  ),
  versionId: Type.Optional(
    Type.String({
      minLength: 1,
      description: "The version of the track that was heard; default: the active one",
    }),
  ),
});
export type CreateComment = Static<typeof CreateComment>;

/** A comment on a track, or on a position in it. */
export const Comment = shape("Comment", {
  id: Type.String(),
  trackId: Type.String(),
  text: Type.String(),
  positionSec: nullable(Type.Number()),
  author: Type.Object({
    id: nullable(Type.String({ description: "Null for a visitor of a share link" })),
    name: Type.String(),
  }),
  createdAt: Timestamp,
  versionId: nullable(Type.String({ description: "The version that was heard; null when it was deleted" })),
  versionLabel: nullable(
    Type.String({
      description:
        "What that version is called, or was called when it was deleted. `probably v1` for comments of earlier programs, which did not note it",
    }),
  ),
});
export type Comment = Static<typeof Comment>;

export const DeletedComment = shape("Confirmation", { ok: Type.Literal(true), id: Type.String() });
