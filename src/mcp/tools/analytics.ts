import { Type } from "@sinclair/typebox";
import { ENTITIES, METRICS } from "../../modules/library/analytics/shapes.ts";
import { fields, list, numbers, object, withId } from "./answers.ts";
import { compactListener, type Listener } from "./compact.ts";
import { OneOf, Since, Until } from "./fields.ts";
import { READS, tool } from "./tool.ts";

const MAX_IDS = 50;

export const getDashboard = tool({
  name: "get_dashboard",
  title: "Dashboard",
  description: "The calendar week so far: uploads, views, downloads, recent activity.",
  input: Type.Object({}),
  output: object({
    thisWeek: object(fields("headline uploaded views downloads")),
    ...fields("recentActivity tracks playlists yourSound"),
  }),
  annotations: READS,
  scopes: ["read:analytics"],
  endpoint: "GET /analytics/dashboard",
  request: () => ({ method: "GET", path: "/analytics/dashboard" }),
});

export const getEntityStats = tool({
  name: "get_entity_stats",
  title: "Count activity",
  description:
    "Plays, views, downloads, saves, shares and comments of tracks or playlists. Without dates, all time.",
  input: Type.Object({
    entity: OneOf(ENTITIES, { description: "Kind" }),
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_IDS, description: "Ids" }),
    since: Since,
    until: Until,
    listeners: Type.Optional(Type.Boolean({ description: "Add who listened" })),
  }),
  output: object({
    items: list({
      ...withId("name artist"),
      ...numbers("total"),
      ...fields("stats"),
    }),
    ...fields("notFound listeners"),
  }),
  furtherScopes: ({ listeners }) => (listeners ? ["read:shares"] : []),
  annotations: READS,
  scopes: ["read:analytics"],
  endpoint: "GET /analytics/stats",
  request: ({ entity, ids, since, until }) => ({
    method: "GET",
    path: "/analytics/stats",
    query: { entity, ids: ids.join(","), since, until },
  }),
  after: {
    requests: ({ entity, ids, since, until, listeners }) =>
      (listeners ? ids : []).map((id) => ({
        method: "GET",
        path: "/listeners",
        query: { [entity === "track" ? "trackId" : "playlistId"]: id, since, until, limit: 50 },
      })),
    add: (answers: Listener[][]) =>
      answers.length > 0 ? { listeners: answers.flat().map(compactListener) } : {},
  },
});

export const getTopTracks = tool({
  name: "get_top_tracks",
  title: "Top tracks",
  description: "The tracks with the highest count of a metric, highest first.",
  input: Type.Object({
    metric: OneOf(METRICS, { description: "Metric" }),
    since: Since,
    until: Until,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Tracks" })),
  }),
  output: object({ items: list({ ...withId("name artist"), ...numbers("count") }) }),
  annotations: READS,
  scopes: ["read:analytics"],
  endpoint: "GET /analytics/top",
  request: ({ metric, since, until, limit }) => ({
    method: "GET",
    path: "/analytics/top",
    query: { metric, entity: "track", since, until, limit },
  }),
});
