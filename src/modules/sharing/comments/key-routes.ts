import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { addComment, deleteComment, listComments } from "./service.ts";
import {
  Comment,
  CommentParams,
  CommentsParams,
  CommentsQuery,
  CreateComment,
  DeletedComment,
} from "./shapes.ts";

const tag = "Comments";

/** `/tracks/{trackId}/comments` and `/comments/{id}`, for programs with a key (decision 0038). */
export const commentKeyRoutes = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .get(
      "/tracks/:trackId/comments",
      ({ actor, params, query }) => {
        const { items, paging } = listComments(deps, actor.accountId, params.trackId, query);
        return ok(items, { paging });
      },
      {
        scope: "read:comments",
        params: CommentsParams,
        query: CommentsQuery,
        detail: describe({
          operationId: "listTrackComments",
          tag,
          summary: "List the comments on a track, newest first",
          answer: Type.Array(Comment),
          siblings: { paging: Paging },
          refusals: ["track_not_found"],
        }),
      },
    )
    .post(
      "/tracks/:trackId/comments",
      ({ actor, params, body }) => ok(addComment(deps, actor.accountId, params.trackId, body)),
      {
        scope: "create:comments",
        params: CommentsParams,
        body: CreateComment,
        detail: describe({
          operationId: "addTrackComment",
          tag,
          summary: "Comment on a track",
          description: "The comment is in the name of the key's owner.",
          answer: Comment,
          refusals: ["track_not_found", "version_not_found"],
        }),
      },
    )
    .delete("/comments/:id", ({ actor, params }) => ok(deleteComment(deps, actor.accountId, params.id)), {
      scope: "delete:comments",
      params: CommentParams,
      detail: describe({
        operationId: "deleteTrackComment",
        tag,
        summary: "Delete a comment",
        description: "Deletes comments of the key's owner, and any comment on their tracks.",
        answer: DeletedComment,
        refusals: ["comment_not_found"],
      }),
    });
