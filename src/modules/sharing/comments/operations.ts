import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { addComment, deleteComment, listComments, updateComment } from "./service.ts";
import {
  Comment,
  CommentParams,
  CommentsParams,
  CommentsQuery,
  CreateComment,
  DeletedComment,
  UpdateComment,
} from "./shapes.ts";

const tag = "Comments";

/** What people say about tracks; a key speaks in the name of its owner (decision 0038). */
export const commentOperations = [
  op({
    at: "GET /tracks/:trackId/comments",
    id: "listTrackComments",
    key: "read:comments",
    session: "read:comments",
    sessionDoor: "listComments",
    rooms: true,
    input: { params: CommentsParams, query: CommentsQuery },
    tag,
    summary: "List the comments on a track, newest first",
    description:
      "Notes and replies to them; `notes`, `state` and `parentId` choose some. `versionId` says where each note is in that version.",
    answer: Type.Array(Comment),
    siblings: { paging: Paging },
    refusals: ["track_not_found", "version_not_found", "comment_not_found"],
    run: (deps, { actor, params, query }) => listComments(deps, actor.accountId, params.trackId, query),
  }),
  op({
    at: "POST /tracks/:trackId/comments",
    id: "addTrackComment",
    key: "create:comments",
    session: "create:comments",
    sessionDoor: "addComment",
    rooms: true,
    input: { params: CommentsParams, body: CreateComment },
    tag,
    summary: "Comment on a track",
    description:
      "The comment is by the signed-in person, or by whoever made the key; what no member's key says is by the owner of the library. " +
      "With `parentId` it is a reply.",
    answer: Comment,
    refusals: ["track_not_found", "version_not_found", "comment_not_found", "note_closed", "too_many_notes"],
    run: (deps, { actor, params, body }) => addComment(deps, actor, params.trackId, body),
  }),
  op({
    at: "PATCH /comments/:id",
    id: "updateTrackComment",
    key: "create:comments",
    session: "create:comments",
    sessionDoor: "updateComment",
    rooms: true,
    input: { params: CommentParams, body: UpdateComment },
    tag,
    summary: "Mark a note answered, reopen it, or place it in another version",
    description:
      "For whoever wrote the note, and whoever may change tracks. Its text stays. Of two who mark a note answered, the first stands.",
    answer: Comment,
    refusals: ["comment_not_found", "version_not_found", "note_closed"],
    run: (deps, { actor, params, body }) => updateComment(deps, actor, params.id, body),
  }),
  op({
    at: "DELETE /comments/:id",
    id: "deleteTrackComment",
    key: "delete:comments",
    session: "create:comments",
    sessionDoor: "deleteComment",
    rooms: true,
    input: { params: CommentParams },
    tag,
    summary: "Delete a comment",
    description: "Deletes your own comments, and with `delete:comments` any comment on the library's tracks.",
    answer: DeletedComment,
    refusals: ["comment_not_found"],
    run: (deps, { actor, params }) => deleteComment(deps, actor, params.id),
  }),
];
