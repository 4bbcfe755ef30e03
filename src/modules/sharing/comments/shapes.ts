import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";

/** Characters. */
export const MAX_COMMENT = 2000;
/** Of a visitor who comments. */
export const MAX_VISITOR_NAME = 80;
/** Of one track. */
export const MAX_NOTES = 5000;
/** To one note. */
export const MAX_REPLIES = 200;
/** The shortest range, seconds. */
export const MIN_RANGE_SEC = 0.1;
/** The last second that a comment can name. */
export const MAX_POSITION_SEC = 1_000_000;

export const STATES = ["open", "answered"] as const;
export type NoteState = (typeof STATES)[number];
/** A text such as `open,answered`. */
export const STATES_PATTERN = "^(open|answered)(,(open|answered))*$";
/** Returns the states that a text of {@link STATES_PATTERN} names. */
export const statesIn = (text: string): NoteState[] =>
  STATES.filter((each) => text.split(",").includes(each));

export const CommentsParams = Type.Object({ trackId: Type.String() });
export const CommentParams = Type.Object({ id: Type.String() });
export const CommentsQuery = Type.Object({
  ...pageFields,
  versionId: Type.Optional(
    Type.String({ minLength: 1, description: "A version of the track: notes say their `place` in it" }),
  ),
  state: Type.Optional(
    Type.String({
      pattern: STATES_PATTERN,
      description: "Only notes that are `open` or `answered`, or both: `open,answered`",
    }),
  ),
  notes: Type.Optional(Type.Boolean({ description: "`true`: only notes, no replies" })),
  parentId: Type.Optional(
    Type.String({
      minLength: 1,
      description: "A note: only its replies, the oldest first. Not together with `state` or `notes`",
    }),
  ),
});
export type CommentsQuery = Static<typeof CommentsQuery>;

export const CreateComment = shape("CreateComment", {
  text: Type.String({ minLength: 1, maxLength: MAX_COMMENT }),
  positionSec: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: MAX_POSITION_SEC,
        description: "Seconds from the start, within the version; null for a comment on the whole track",
      }),
    ),
  ),
  endSec: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: MAX_POSITION_SEC,
        description: `The end of a range, at least ${MIN_RANGE_SEC} s after \`positionSec\``,
      }),
    ),
  ),
  versionId: Type.Optional(
    Type.String({
      minLength: 1,
      description: "The version of the track that was heard; default: the active one",
    }),
  ),
  parentId: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        description: "The note that this replies to. A reply has no position: it is where its note is",
      }),
    ),
  ),
});
export type CreateComment = Static<typeof CreateComment>;

/** What becomes of a note. Its text stays as it was sent. */
export const UpdateComment = shape("UpdateComment", {
  answered: Type.Optional(
    Type.Boolean({
      description:
        "`true` marks the note answered, `false` opens it again; what it is already changes nothing",
    }),
  ),
  versionId: Type.Optional(
    Type.String({
      minLength: 1,
      description: "With `answered: true`: the version that answers it; default: the active one",
    }),
  ),
  place: Type.Optional(
    Type.Object(
      {
        versionId: Type.String({ minLength: 1, description: "Not the version in which it was heard" }),
        positionSec: Type.Number({ minimum: 0, maximum: MAX_POSITION_SEC, description: "Seconds in it" }),
        endSec: Type.Optional(
          nullable(
            Type.Number({
              minimum: 0,
              maximum: MAX_POSITION_SEC,
              description: "The end of a range; default: as long as the note, null: a moment",
            }),
          ),
        ),
      },
      { description: "Where the note belongs in another version of the track" },
    ),
  ),
});
export type UpdateComment = Static<typeof UpdateComment>;

/**
 * How the place of a note in a version is known: `heard` in it, `carried` from the version that was heard, only `about` there,
 * `gone` from it, or `placed` by hand.
 */
export const PLACED_HOW = ["heard", "carried", "about", "gone", "placed"] as const;

/** A comment on a track, or on a position in it: a note, or a reply to one. */
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
  endSec: nullable(Type.Number({ description: "The end of a range; null for a moment, or the whole track" })),
  parentId: nullable(Type.String({ description: "Of a reply: the note. Null for a note" })),
  answeredAt: nullable(Timestamp),
  answeredBy: nullable(
    Type.Object({
      id: nullable(Type.String({ description: "Null for the recipient of a link" })),
      name: Type.String(),
    }),
  ),
  answeredIn: nullable(Type.String({ description: "The version that answers it; null when it was deleted" })),
  replyCount: Type.Integer({ minimum: 0, description: "How many replies it has" }),
  shareId: nullable(Type.String({ description: "The link through which it was made" })),
  deletedAt: nullable(Timestamp),
  place: Type.Optional(
    Type.Object(
      {
        positionSec: nullable(
          Type.Number({ description: "Null when the version does not have that passage" }),
        ),
        endSec: nullable(Type.Number({ description: "The end of a range" })),
        how: Type.Union(
          PLACED_HOW.map((how) => Type.Literal(how)),
          { description: "How the place is known" },
        ),
      },
      {
        description:
          "Where a note is in the version that was asked for; left out for replies, deleted notes and notes on the whole track",
      },
    ),
  ),
});
export type Comment = Static<typeof Comment>;

export const DeletedComment = shape("Confirmation", { ok: Type.Literal(true), id: Type.String() });
