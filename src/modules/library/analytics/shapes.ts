import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp, withDefault } from "../../../http/envelope.ts";
import { MAX_TIME } from "../../../kernel/limits.ts";

/** The kinds of things that activity is counted for. */
export const ENTITIES = ["track", "playlist"] as const;
export type Entity = (typeof ENTITIES)[number];

/** What is counted for each track and playlist. */
export const METRICS = ["plays", "views", "downloads", "saved", "shares", "comments"] as const;
export type Metric = (typeof METRICS)[number];
/** What the log records: a {@link Metric}, or the upload of a track. */
export type ActivityMetric = Metric | "uploaded";

/** Who did it: an account, a visitor of a public page or link, or the program itself. */
export type ActivityActor = { type: "user" | "visitor" | "system"; name: string | null };

const EntitySchema = Type.Union(ENTITIES.map((entity) => Type.Literal(entity)));
const MetricSchema = Type.Union(METRICS.map((metric) => Type.Literal(metric)));
const Count = Type.Integer({ minimum: 0 });
const text = nullable(Type.String());

const since = Type.Optional(
  Type.String({ description: "First UTC day or ISO 8601 time, inclusive", maxLength: MAX_TIME }),
);
const until = Type.Optional(
  Type.String({ description: "Last UTC day or ISO 8601 time, inclusive", maxLength: MAX_TIME }),
);

export const StatsQuery = Type.Object({
  entity: Type.Union(ENTITIES.map((entity) => Type.Literal(entity))),
  ids: Type.String({ description: "Comma-separated, 1 to 50" }),
  since,
  until,
});
export type StatsQuery = Static<typeof StatsQuery>;

/** The most entries of a ranking. */
export const MAX_TOP = 50;

export const TopQuery = Type.Object({
  metric: Type.Union(METRICS.map((metric) => Type.Literal(metric))),
  entity: withDefault(Type.Union(ENTITIES.map((entity) => Type.Literal(entity))), "track"),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_TOP }), 10),
  since,
  until,
});
export type TopQuery = Static<typeof TopQuery>;

const Actor = shape("Actor", {
  type: Type.Union([Type.Literal("user"), Type.Literal("visitor"), Type.Literal("system")]),
  name: text,
});

const ActivityItem = shape("ActivityItem", {
  id: Type.String(),
  title: Type.String({ description: "What happened, in words" }),
  entityKey: Type.Union(
    (["track", "playlist", "composer", "brief"] as const).map((key) => Type.Literal(key)),
  ),
  entityId: Type.String(),
  sentAt: Timestamp,
  actor: Actor,
});
/** An {@link ActivityItem} from the log, which knows only tracks and playlists. */
export type ActivityItem = Omit<Static<typeof ActivityItem>, "entityKey"> & { entityKey: Entity };

/** Payload of `GET /analytics/dashboard`. The texts are null for an empty library (decision 2.19). */
export const Dashboard = shape("Dashboard", {
  thisWeek: Type.Object({
    rangeLabel: text,
    headline: text,
    blurb: text,
    uploaded: Count,
    views: Count,
    downloads: Count,
  }),
  recentActivity: Type.Object({
    totalThisWeek: Count,
    items: Type.Array(ActivityItem, { description: "Of this week, newest first, at most 10" }),
  }),
  tracks: Type.Object({ total: Count, uploadedThisWeek: Count }),
  yourSound: Type.Object({
    genre: nullable(Type.String({ description: "The genre of most tracks" })),
    mood: nullable(Type.String({ description: "The mood of most tracks" })),
    totalDurationLabel: text,
  }),
  playlists: Type.Object({ total: Count, lastUpdatedAt: nullable(Timestamp) }),
});
export type Dashboard = Omit<Static<typeof Dashboard>, "recentActivity"> & {
  recentActivity: { totalThisWeek: number; items: ActivityItem[] };
};

const Counts = shape("ActivityCounts", {
  plays: Count,
  views: Count,
  downloads: Count,
  saved: Count,
  shares: Count,
  comments: Count,
});
/** The counts of all six metrics. */
export type Counts = Static<typeof Counts>;

/** Payload of `GET /analytics/stats`; items are in the order asked for. */
export const Stats = shape("EntityStats", {
  entity: EntitySchema,
  range: Type.Object({ since: Timestamp, until: Timestamp }),
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      artist: text,
      stats: Counts,
      total: Type.Integer({ minimum: 0, description: "Sum of the six counts" }),
    }),
  ),
  notFound: Type.Array(Type.String(), { description: "Ids that are deleted or belong to another account" }),
});
export type Stats = Static<typeof Stats>;

/** Payload of `GET /analytics/top`: the highest count first; between equals, the older entity. */
export const Top = shape("TopEntities", {
  entity: EntitySchema,
  metric: MetricSchema,
  range: Type.Object({ since: nullable(Timestamp), until: nullable(Timestamp) }),
  items: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), artist: text, count: Count })),
});
export type Top = Static<typeof Top>;
