import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { MAX_TIME } from "../../../kernel/limits.ts";

/** How long each bar of the chart is. */
export const STEPS = ["day", "week", "month"] as const;
export type Step = (typeof STEPS)[number];

const MAX_DAYS = 9999;

export const InsightsQuery = Type.Object({
  since: Type.Optional(
    Type.String({
      maxLength: MAX_TIME,
      description: "First UTC day; without it, the first day with activity",
    }),
  ),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_DAYS,
      description: "The last so many days, instead of `since`",
    }),
  ),
  until: Type.Optional(Type.String({ maxLength: MAX_TIME, description: "Last UTC day; without it, today" })),
  by: Type.Optional(
    Type.Union(
      STEPS.map((step) => Type.Literal(step)),
      { description: "Length of a step. The answer uses a longer step where there would be more than 120." },
    ),
  ),
});
export type InsightsQuery = Static<typeof InsightsQuery>;

const Count = Type.Integer({ minimum: 0 });
const Day = (description: string) =>
  Type.String({ description, examples: ["2026-11-16"], pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const Seconds = Type.Number({ minimum: 0 });
const atSec = Type.Number({ minimum: 0, description: "Where in the track, in seconds" });
const playsBefore = nullable(
  Type.Integer({ minimum: 0, description: "In the days before; null without `since`" }),
);
const text = nullable(Type.String());

const Totals = shape("InsightTotals", {
  plays: Count,
  views: Count,
  downloads: Count,
  comments: Count,
  saved: Count,
  shares: Count,
  uploaded: Count,
});
export type Totals = Static<typeof Totals>;

const Stop = shape("InsightStop", {
  atSec,
  listeners: Type.Integer({ minimum: 1, description: "How many stopped within a few seconds of it" }),
});

const InsightTrack = shape("InsightTrack", {
  trackId: Type.String(),
  title: Type.String(),
  artist: text,
  durationSec: nullable(Seconds),
  plays: Count,
  playsBefore,
  listeners: Type.Integer({ minimum: 0, description: "Visits whose listening is known" }),
  heardShare: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "The share of the track that listeners hear, on average",
    }),
  ),
  finished: Type.Integer({ minimum: 0, description: "Listeners who heard the end" }),
  stop: nullable(Stop),
  curve: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
    description: "For each of 120 equal slices of the track: the share of its listeners that heard it",
  }),
});
export type InsightTrack = Static<typeof InsightTrack>;

const InsightPerson = shape("InsightPerson", {
  name: Type.String(),
  shareIds: Type.Array(Type.String(), { description: "The links that they used" }),
  plays: Count,
  tracks: Type.Integer({ minimum: 0, description: "Tracks that they heard something of" }),
  heardSec: Type.Integer({ minimum: 0, description: "Seconds of music heard; twice counts once" }),
  lengthSec: nullable(
    Type.Integer({ minimum: 0, description: "How long these tracks are together; null: not known" }),
  ),
  stopped: nullable(
    Type.Object({
      trackId: Type.String(),
      title: Type.String(),
      atSec,
      durationSec: nullable(Seconds),
    }),
  ),
  lastAt: Timestamp,
});

const link = {
  shareId: Type.String(),
  recipient: text,
  entity: Type.Union([Type.Literal("track"), Type.Literal("playlist")]),
  entityId: Type.String(),
  name: text,
  url: Type.String(),
  sentAt: Timestamp,
};
const InsightLink = shape("InsightLink", { ...link, plays: Count, lastAt: Timestamp });
const UnopenedLink = shape("UnopenedLink", link);

const people = (description: string) => Type.Integer({ minimum: 0, description });

const InsightAnswers = shape("InsightAnswers", {
  people: people(
    "People whom links asked for an answer in the range, or who answered in it; each counts once below, by the first that is true",
  ),
  terms: people("They ask for terms"),
  interested: people("They are interested"),
  instrumental: people("They need an instrumental"),
  pass: people("They pass"),
  silent: people("They opened a link, and have not answered"),
  notOpened: people("They have not opened a link"),
});

/** Payload of `GET /app/insights`. */
export const Insights = shape("Insights", {
  range: Type.Object({
    since: Day("First UTC day"),
    until: Day("Last UTC day"),
    by: Type.Union(STEPS.map((step) => Type.Literal(step))),
  }),
  before: nullable(
    Type.Object(
      { since: Day("First UTC day"), until: Day("Last UTC day") },
      { description: "As many days before; null without `since`" },
    ),
  ),
  week: Type.Object({ rangeLabel: text, headline: text, blurb: text }),
  totals: Totals,
  totalsBefore: nullable(Totals),
  series: Type.Array(
    Type.Object({
      from: Day("First UTC day of the step"),
      to: Day("Last UTC day of the step"),
      plays: Count,
      views: Count,
      downloads: Count,
      comments: Count,
      playsBefore,
    }),
    { description: "Every step of the range, in order" },
  ),
  tracks: Type.Array(InsightTrack, { description: "The most plays first; at most 10" }),
  people: Type.Array(InsightPerson, { description: "The most plays first; at most 10" }),
  peopleCount: Count,
  publicLinks: Type.Array(InsightLink, { description: "Links without a recipient; at most 10" }),
  notOpened: Type.Array(UnopenedLink, { description: "Live links that have not been opened, newest first" }),
  notOpenedCount: Count,
  answers: InsightAnswers,
  notCounted: Type.Array(
    Type.Object({
      reason: Type.String({ description: "As `leftOut` of a link's activity" }),
      count: Count,
    }),
  ),
});
export type Insights = Static<typeof Insights>;
