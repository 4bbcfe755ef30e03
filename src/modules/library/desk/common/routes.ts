import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { commonOf } from "./common.ts";
import { Common, CommonQuery } from "./shapes.ts";

/** What many tracks have in common. */
export const commonRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .post(
      "/tracks/common",
      async ({ actor, body }) => ok(await commonOf(deps, actor.accountId, body.where)),
      {
        session: true,
        body: CommonQuery,
        detail: describe({
          operationId: "compareTracks",
          tag: "App",
          summary: "See what tracks have in common",
          description: "For a form over many tracks, which says where they differ.",
          answer: Common,
          refusals: [],
        }),
      },
    );
