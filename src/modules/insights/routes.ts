import { Elysia } from "elysia";
import { ok } from "../../http/envelope.ts";
import type { Guards } from "../../http/guards.ts";
import { describe } from "../../http/openapi.ts";
import type { Deps } from "../../kernel/deps.ts";
import { Insights, InsightsQuery } from "./model.ts";
import { getInsights } from "./service.ts";

/** `/app/insights`: what happened to the account's music, for the console. */
export const insightRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/insights" })
    .use(guard)
    .get("", ({ actor, query }) => ok(getInsights(deps, actor.accountId, query)), {
      session: true,
      query: InsightsQuery,
      detail: describe({
        operationId: "getInsights",
        tag: "App",
        summary: "Get who listened to your music, to what, and how far",
        description: "Whole UTC days, beside as many days before. The counts are those of `/analytics`.",
        answer: Insights,
        refusals: [],
      }),
    });
