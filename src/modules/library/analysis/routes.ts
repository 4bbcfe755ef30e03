import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { applySuggestions, autoTag, autoTagBatch, getSuggestedTags } from "./service.ts";
import {
  Applied,
  AutoTagged,
  AutoTaggedBatch,
  ManyTracks,
  OneTrack,
  SuggestedTags,
  SuggestedTagsQuery,
  TrackNotFound,
} from "./shapes.ts";

const tag = "Tags";

/** `/tracks`: requesting, reading and applying tag suggestions. */
export const autoTagRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks" })
    .use(guard)
    .post("/auto-tag", ({ actor, body }) => ok(autoTag(deps, actor.accountId, body.trackId)), {
      scope: "update:tracks",
      body: OneTrack,
      detail: describe({
        operationId: "autoTagTrack",
        tag,
        summary: "Analyse a track again and suggest tags",
        description:
          "Answers at once. Wait for the event `track.audio_profile_completed`, or poll the suggested tags.",
        answer: AutoTagged,
        refusals: ["track_not_found"],
      }),
    })
    .post("/auto-tag/batch", ({ actor, body }) => ok(autoTagBatch(deps, actor.accountId, body.trackIds)), {
      scope: "update:tracks",
      body: ManyTracks,
      detail: describe({
        operationId: "autoTagTracks",
        tag,
        summary: "Analyse many tracks again and suggest tags",
        description: "Refused only when none of the ids is a track of this account.",
        answer: AutoTaggedBatch,
        refusals: ["track_not_found"],
      }),
    })
    .get("/suggested-tags", ({ actor, query }) => ok(getSuggestedTags(deps, actor.accountId, query.id)), {
      scope: "read:tracks",
      query: SuggestedTagsQuery,
      detail: describe({
        operationId: "getSuggestedTags",
        tag,
        summary: "See what tags are suggested for a track",
        description:
          "Only tags with enough confidence are suggested. Poll until `analysisStatus` is `completed` or `failed`. " +
          "For an id that is not this account's, the answer is `{ok: false, error: TRACK_NOT_FOUND}`.",
        answer: Type.Union([SuggestedTags, TrackNotFound]),
        refusals: [],
      }),
    })
    .post(
      "/apply-suggested-tags",
      ({ actor, body }) => ok(applySuggestions(deps, actor.accountId, body.trackId)),
      {
        scope: "update:tracks",
        body: OneTrack,
        detail: describe({
          operationId: "applySuggestedTags",
          tag,
          summary: "Take the suggested tags as they are",
          description:
            "Overwrites every category that has a suggestion, adds to free text, and leaves the other categories alone. " +
            "If there are no suggestions, it starts an analysis instead.",
          answer: Applied,
          refusals: ["track_not_found"],
        }),
      },
    );
