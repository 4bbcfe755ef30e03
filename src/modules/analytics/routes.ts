import { Elysia } from "elysia";
import { ok } from "../../http/envelope.ts";
import type { Guards } from "../../http/guards.ts";
import { describe } from "../../http/openapi.ts";
import type { Deps } from "../../kernel/deps.ts";
import { Dashboard, Stats, StatsQuery, Top, TopQuery } from "./model.ts";
import { dashboard, entityStats, topEntities } from "./service.ts";

const tag = "Analytics";

/** `/analytics`: what happened to an account's tracks and playlists. */
export const analyticsRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/analytics" })
    .use(guard)
    .get("/dashboard", ({ actor }) => ok(dashboard(deps, actor.accountId)), {
      scope: "read:analytics",
      detail: describe({
        operationId: "getDashboard",
        tag,
        summary: "Get the week so far",
        description: "The calendar week, from Monday 00:00 UTC. Of an empty library the texts are null.",
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
        summary: "Count what happened to some tracks or playlists",
        description:
          "A day as a bound is taken whole (UTC); without bounds everything counts, from 1970 until now.",
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
        summary: "List the tracks or playlists to which something happened most",
        description: "A day as a bound is taken whole (UTC). Deleted tracks and playlists are left out.",
        answer: Top,
        refusals: [],
      }),
    });
