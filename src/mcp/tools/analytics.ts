import { Type } from "@sinclair/typebox";
import { StatsQuery, TopQuery } from "../../modules/library/analytics/shapes.ts";
import { fields, list, numbers, object, withId } from "./answers.ts";
import { compactListener, type Listener } from "./compact.ts";
import { field, Since, Until } from "./fields.ts";
import { READS, tool } from "./tool.ts";

const MAX_IDS = 50;

export const getDashboard = tool({
  name: "get_dashboard",
  title: "Dashboard",
  description: "This calendar week: uploads, views, downloads, recent activity.",
  input: Type.Object({}),
  output: object({
    thisWeek: object(fields("headline uploaded views downloads")),
    ...fields("recentActivity tracks playlists yourSound"),
  }),
  annotations: READS,
  operation: "getDashboard",
});

export const getEntityStats = tool({
  name: "get_entity_stats",
  title: "Count activity",
  description:
    "Plays, views, downloads, saves, shares, comments of tracks or playlists. Without dates, all time.",
  input: Type.Object({
    entity: field(StatsQuery.properties.entity, "Kind"),
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
  operation: "getEntityStats",
  request: ({ entity, ids, since, until }) => ({
    query: { entity, ids: ids.join(","), since, until },
  }),
  after: {
    requests: ({ entity, ids, since, until, listeners }) =>
      (listeners ? ids : []).map((id) => ({
        operation: "listListeners",
        query: { [entity === "track" ? "trackId" : "playlistId"]: id, since, until, limit: 50 },
      })),
    add: (answers: Listener[][]) =>
      answers.length > 0 ? { listeners: answers.flat().map(compactListener) } : {},
  },
});

export const getTopTracks = tool({
  name: "get_top_tracks",
  title: "Top tracks",
  description: "Tracks with the most of a metric, highest first.",
  input: Type.Object({
    metric: field(TopQuery.properties.metric, "Metric"),
    since: Since,
    until: Until,
    limit: Type.Optional(field(TopQuery.properties.limit, "Tracks", "minimum", "maximum", "default")),
  }),
  output: object({ items: list({ ...withId("name artist"), ...numbers("count") }) }),
  annotations: READS,
  operation: "getTopEntities",
  request: ({ metric, since, until, limit }) => ({
    query: { metric, entity: "track", since, until, limit },
  }),
});
