import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { dashboard, entityStats, topEntities } from "./service.ts";
import { Dashboard, Stats, StatsQuery, Top, TopQuery } from "./shapes.ts";

const tag = "Analytics";

/** `/analytics`: the activity on an account's tracks and playlists. */
export const analyticsRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/analytics" })
    .use(guard)
    .get("/dashboard", ({ actor }) => ok(dashboard(deps, actor.accountId)), {
      scope: "read:analytics",
      detail: describe({
        operationId: "getDashboard",
        tag,
        summary: "Get the week so far",
        description: "The calendar week, from Monday 00:00 UTC. The texts are null for an empty library.",
        answer: Dashboard,
        refusals: [],
      }),
    })
    .get("/stats", ({ actor, query }) => ok(entityStats(deps, actor.accountId, query)), {
      scope: "read:analytics",
      query: StatsQuery,
      detail: describe({
        operationId: "getEntityStats",
        tag,
        summary: "Count the activity on some tracks or playlists",
        description:
          "A day as a bound counts as a whole (UTC). Without bounds, all activity from 1970 until now counts.",
        answer: Stats,
        refusals: [],
      }),
    })
    .get("/top", ({ actor, query }) => ok(topEntities(deps, actor.accountId, query)), {
      scope: "read:analytics",
      query: TopQuery,
      detail: describe({
        operationId: "getTopEntities",
        tag,
        summary: "List the tracks or playlists with the most activity of one kind",
        description: "A day as a bound counts as a whole (UTC). Deleted tracks and playlists are left out.",
        answer: Top,
        refusals: [],
      }),
    });
