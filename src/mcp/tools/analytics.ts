import { Type } from "@sinclair/typebox";
import { ENTITIES, METRICS } from "../../modules/analytics/model.ts";
import { Anything, OneOf, Since, Things, Until } from "./fields.ts";
import { READS, tool } from "./tool.ts";

const MAX_IDS = 50;

export const getDashboard = tool({
  name: "get_dashboard",
  title: "Get the dashboard",
  description:
    "The calendar week so far (from Monday 00:00 UTC): uploads, views, downloads, recent activity, and what the library " +
    "sounds like.",
  input: Type.Object({}),
  output: Type.Object({ thisWeek: Anything, recentActivity: Anything, tracks: Anything }),
  annotations: READS,
  scopes: ["read:analytics"],
  endpoint: "GET /analytics/dashboard",
  request: () => ({ method: "GET", path: "/analytics/dashboard" }),
});

export const getEntityStats = tool({
  name: "get_entity_stats",
  title: "Get figures for tracks or playlists",
  description:
    "Plays, views, downloads, saves, shares and comments of given tracks or playlists. Returns items[] in the order " +
    "given, with total, and notFound[]. Without dates everything counts.",
  input: Type.Object({
    entity: OneOf(ENTITIES, { description: "What the ids name" }),
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_IDS, description: "1-50 ids" }),
    since: Since,
    until: Until,
  }),
  output: Type.Object({ items: Things, notFound: Type.Array(Type.String()) }),
  annotations: READS,
  scopes: ["read:analytics"],
  endpoint: "GET /analytics/stats",
  request: ({ entity, ids, since, until }) => ({
    method: "GET",
    path: "/analytics/stats",
    query: { entity, ids: ids.join(","), since, until },
  }),
});

export const getTopTracks = tool({
  name: "get_top_tracks",
  title: "Get top tracks",
  description: "The tracks with the highest count of a metric. Returns items[] with count, highest first.",
  input: Type.Object({
    metric: OneOf(METRICS, { description: "What to count" }),
    since: Since,
    until: Until,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Tracks, 1-50" })),
  }),
  output: Type.Object({ metric: Type.String(), items: Things }),
  annotations: READS,
  scopes: ["read:analytics"],
  endpoint: "GET /analytics/top",
  request: ({ metric, since, until, limit }) => ({
    method: "GET",
    path: "/analytics/top",
    query: { metric, entity: "track", since, until, limit },
  }),
});
