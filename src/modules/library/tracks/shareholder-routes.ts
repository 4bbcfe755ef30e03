import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { replaceShareholders } from "../composers/service.ts";
import { ReplaceShareholders } from "../composers/shapes.ts";
import { findTrack } from "./service.ts";
import { SingleTrack, SingleTrackQuery } from "./shapes.ts";

/** `PUT /tracks/shareholders`: the composers' shares of a track. */
export const shareholderRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks" }).use(guard).put(
    "/shareholders",
    ({ actor, query, body }) => {
      replaceShareholders(deps, actor.accountId, query.id, body.shareholders);
      return ok(findTrack(deps, actor.accountId, query.id));
    },
    {
      scope: "update:tracks",
      query: SingleTrackQuery,
      body: ReplaceShareholders,
      detail: describe({
        operationId: "replaceTrackShareholders",
        tag: "Composers",
        summary: "Set the composers' shares of a track",
        description: "Replaces all of the track's links to composers. Returns the track.",
        answer: SingleTrack,
        refusals: ["track_not_found", "composer_not_found"],
      }),
    },
  );
