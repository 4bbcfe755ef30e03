import { Elysia } from "elysia";
import { ok } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { News, NoteVisit } from "./news-shapes.ts";
import { getInsights, getNews, noteVisit } from "./service.ts";
import { Insights, InsightsQuery } from "./shapes.ts";

/** `/app/insights` and `/app/news`: what happened to the account's music, for the console. */
export const insightRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app" })
    .use(guard)
    .get("/insights", ({ actor, query }) => ok(getInsights(deps, actor.accountId, query)), {
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
    })
    .get("/news", ({ actor }) => ok(getNews(deps, actor.accountId)), {
      session: true,
      detail: describe({
        operationId: "getNews",
        tag: "App",
        summary: "Get what happened since your last visit",
        answer: News,
        refusals: [],
      }),
    })
    .post("/visits", ({ actor, body }) => ok(noteVisit(deps, actor.accountId, body)), {
      session: true,
      body: NoteVisit,
      detail: describe({
        operationId: "noteVisit",
        tag: "App",
        summary: "Note that you are at the console",
        description: "After half an hour without one, the next begins a new visit.",
        answer: News,
        refusals: [],
      }),
    });
