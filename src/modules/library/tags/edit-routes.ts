import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { editTags } from "./edit.ts";
import { TagEditParams, TagEdits, TagsEdited } from "./edit-shapes.ts";

/** `POST /app/tracks/{trackId}/tags`: single tags, as the console changes them. */
export const tagEditRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/tracks" })
    .use(guard)
    .post(
      "/:trackId/tags",
      ({ actor, params, body }) => ok(editTags(deps, actor.accountId, params.trackId, body.edits)),
      {
        session: true,
        params: TagEditParams,
        body: TagEdits,
        detail: describe({
          operationId: "editTrackTags",
          tag: "App",
          summary: "Add, remove and reject single tags of a track",
          description: "Says nothing about suggestions that it does not name.",
          answer: TagsEdited,
          refusals: ["track_not_found"],
        }),
      },
    );
