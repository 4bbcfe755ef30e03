import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { mergeAndKeep } from "../service.ts";
import { MergeComposer, MergedComposers, MergeParams } from "./shapes.ts";

/** Making two entries of one composer one. */
export const mergeRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .post(
      "/composers/:id/merge",
      ({ actor, params, body }) => ok(mergeAndKeep(deps, actor.accountId, params.id, body.composerId)),
      {
        session: true,
        params: MergeParams,
        body: MergeComposer,
        detail: describe({
          operationId: "mergeComposers",
          tag: "App",
          summary: "Make two composers one",
          description:
            "The one in the address stays: it keeps its details, gets those that it lacks, and all shares of the other.",
          answer: MergedComposers,
          refusals: ["composer_not_found"],
        }),
      },
    );
