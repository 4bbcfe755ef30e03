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

const tag = "App";

/** `/app/tracks/{trackId}/comments` and `/app/comments/{id}`. */
export const commentRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .get(
      "/tracks/:trackId/comments",
      ({ actor, params, query }) => {
        const { items, paging } = listComments(deps, actor.accountId, params.trackId, query);
        return ok(items, { paging });
      },
      {
        session: true,
        params: CommentsParams,
        query: CommentsQuery,
        detail: describe({
          operationId: "listComments",
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
        session: true,
        params: CommentsParams,
        body: CreateComment,
        detail: describe({
          operationId: "addComment",
          tag,
          summary: "Comment on a track",
          answer: Comment,
          refusals: ["track_not_found", "version_not_found"],
        }),
      },
    )
    .delete("/comments/:id", ({ actor, params }) => ok(deleteComment(deps, actor.accountId, params.id)), {
      session: true,
      params: CommentParams,
      detail: describe({
        operationId: "deleteComment",
        tag,
        summary: "Delete a comment",
        description: "You can delete your own comments, and any comment on your tracks.",
        answer: DeletedComment,
        refusals: ["comment_not_found"],
      }),
    });
