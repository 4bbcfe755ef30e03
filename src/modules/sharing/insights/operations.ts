import { op } from "../../../http/operation.ts";
import { News, NoteVisit } from "./news-shapes.ts";
import { Insights, InsightsQuery } from "./shapes.ts";

/** What counts is loaded with the first request for it. */
const service = () => import("./service.ts");

const tag = "Analytics";

/** What happened to the account's music, for the console. */
export const insightOperations = [
  op({
    at: "GET /insights",
    id: "getInsights",
    session: "read:analytics",
    input: { query: InsightsQuery },
    tag,
    summary: "Get who listened to your music, to what, and how far",
    description: "Whole UTC days, beside as many days before. The counts are those of `/analytics`.",
    answer: Insights,
    refusals: [],
    run: async (deps, { actor, query }) => (await service()).getInsights(deps, actor.accountId, query),
  }),
  op({
    at: "GET /news",
    id: "getNews",
    session: "read:analytics",
    tag,
    summary: "Get what happened since your last visit",
    answer: News,
    refusals: [],
    run: async (deps, { actor }) => (await service()).getNews(deps, actor),
  }),
  op({
    at: "POST /visits",
    id: "noteVisit",
    session: "read:analytics",
    input: { body: NoteVisit },
    tag,
    summary: "Record that you are using the console",
    description: "After half an hour without one, the next begins a new visit.",
    answer: News,
    refusals: [],
    run: async (deps, { actor, body }) => (await service()).noteVisit(deps, actor, body),
  }),
];
