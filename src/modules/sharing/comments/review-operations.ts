import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { DeletedReview, Review, ReviewParams, ReviewsQuery, Round, WriteReview } from "./review-shapes.ts";
import { listTrackReviews, reviewVersion, takeBackReview } from "./reviews.ts";
import { getRound } from "./round.ts";
import { CommentsParams } from "./shapes.ts";

const tag = "Comments";

/** What people say of versions; a key speaks in the name of its owner, as in comments. */
export const reviewOperations = [
  op({
    at: "GET /tracks/:trackId/reviews",
    id: "listTrackReviews",
    session: "read:comments",
    rooms: true,
    input: { params: CommentsParams, query: ReviewsQuery },
    tag,
    summary: "List who approves the versions of a track or asks for changes, newest first",
    answer: Type.Array(Review),
    siblings: { paging: Paging },
    refusals: ["track_not_found"],
    run: (deps, { actor, params, query }) => listTrackReviews(deps, actor.accountId, params.trackId, query),
  }),
  op({
    at: "GET /tracks/:trackId/versions/:versionId/round",
    id: "getVersionRound",
    key: "read:comments",
    session: "read:comments",
    sessionDoor: "getRound",
    rooms: true,
    input: { params: ReviewParams },
    tag,
    summary: "Get a version's round: its notes with their places in it, and who approves it",
    description:
      "The notes made on the version, and those made on an earlier one that no version before this one answered. `inherited` and " +
      "`fresh` are together as many as `answered` and `open`.",
    answer: Round,
    refusals: ["track_not_found", "version_not_found"],
    run: (deps, { actor, params }) => getRound(deps, actor.accountId, params),
  }),
  op({
    at: "PUT /tracks/:trackId/versions/:versionId/review",
    id: "reviewVersion",
    key: "create:comments",
    session: "create:comments",
    sessionDoor: "writeReview",
    rooms: true,
    input: { params: ReviewParams, body: WriteReview },
    tag,
    summary: "Approve a version, or ask for changes",
    description:
      "One verdict per person and version: a new one replaces it. It is by the signed-in person, or by whoever made the key; what no " +
      "member's key says is by the owner of the library. Nothing else changes: the version is neither locked nor activated.",
    answer: Review,
    example: { state: "changes", text: "The bass could be louder" },
    refusals: ["track_not_found", "version_not_found"],
    run: (deps, { actor, params, body }) => reviewVersion(deps, actor, params, body),
  }),
  op({
    at: "DELETE /tracks/:trackId/versions/:versionId/review",
    id: "takeBackReview",
    key: "create:comments",
    session: "create:comments",
    sessionDoor: "deleteReview",
    rooms: true,
    input: { params: ReviewParams },
    tag,
    summary: "Take back your verdict on a version",
    description: "Repeating it changes nothing.",
    answer: DeletedReview,
    refusals: ["track_not_found", "version_not_found"],
    run: (deps, { actor, params }) => takeBackReview(deps, actor, params),
  }),
];
