import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp, withDefault } from "../../../../http/envelope.ts";
import { pageFields } from "../../../../http/page-query.ts";
import { seenWith } from "../../../../http/veil.ts";
import { MAX_TIME } from "../../../../kernel/limits.ts";
import { LISTENED_RULE } from "../../../library/analytics/service.ts";
import { MAX_RECIPIENT, Share } from "../shapes.ts";
import { SLICES } from "./curve.ts";

const Count = Type.Integer({ minimum: 0 });
/** What only those see who see who listened. */
const heardBy = <Schema extends TSchema>(schema: Schema) => seenWith("read:analytics", schema);
const listened = heardBy(Type.Boolean({ description: `Whether someone listened: ${LISTENED_RULE}` }));
const lastHeardAt = heardBy(nullable(described(Timestamp, `When someone last listened: ${LISTENED_RULE}`)));
const Seconds = Type.Number({ minimum: 0 });
const Heard = heardBy(
  Type.Array(Type.Tuple([Seconds, Seconds]), {
    description: "Parts in seconds, `[from, to]`, in order and without overlap",
  }),
);
const stoppedAtSec = heardBy(
  nullable(Type.Number({ minimum: 0, description: "Null: unknown, or nothing was heard" })),
);

const VisitTrack = shape("VisitTrack", {
  trackId: Type.String(),
  listened,
  plays: heardBy(Count),
  downloads: Count,
  heard: Heard,
  stoppedAtSec,
});

const Visit = shape("Visit", {
  visit: Type.String({ description: "Distinguishes the visitors of this link; random" }),
  firstAt: Timestamp,
  lastAt: Timestamp,
  listened,
  plays: heardBy(Count),
  downloads: Count,
  comments: Count,
  trackId: heardBy(
    nullable(
      Type.String({ description: "The track that was heard last; `heard` and `stoppedAtSec` are of it" }),
    ),
  ),
  heard: Heard,
  stoppedAtSec,
  tracks: heardBy(Type.Array(VisitTrack, { description: "Every track that was heard or downloaded" })),
});

const ListenedTrack = shape("ListenedTrack", {
  trackId: Type.String(),
  versionId: Type.String({ description: "The active version" }),
  title: Type.String(),
  artist: nullable(Type.String()),
  durationSec: nullable(Seconds),
  plays: heardBy(Count),
  visits: Type.Integer({ minimum: 0, description: "Visits that heard something of it" }),
  curve: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
    minItems: SLICES,
    maxItems: SLICES,
    description: `For each of ${SLICES} equal slices of the track: the share of the link's visits that heard it`,
  }),
});

/** What was heard through a link. */
export const Listening = shape("Listening", {
  totals: Type.Object({
    visits: Count,
    listened: heardBy(Type.Integer({ minimum: 0, description: `Visits that listened: ${LISTENED_RULE}` })),
    plays: heardBy(Count),
    downloads: Count,
    comments: Count,
  }),
  visits: Type.Array(Visit, { description: "The latest first; at most 200" }),
  trackCount: Type.Integer({ minimum: 0, description: "Tracks that the link leads to" }),
  tracks: heardBy(
    Type.Array(ListenedTrack, {
      description:
        "The track of the link, or the tracks of its playlist that were heard, in their order; at most 200",
    }),
  ),
  notCounted: heardBy(
    Type.Array(
      Type.Object({ reason: Type.String({ description: "As `leftOut` of the activity" }), count: Count }),
    ),
  ),
});
export type Listening = Static<typeof Listening>;
export type ListeningVisit = Static<typeof Visit>;

/** The most people that one answer lists. */
export const MAX_CONTACTS = 1000;

export const ContactsQuery = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: MAX_RECIPIENT, description: "Part of the name; case does not matter" }),
  ),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_CONTACTS }), 200),
});
export type ContactsQuery = Static<typeof ContactsQuery>;

/** Someone whom the account has sent a link. */
export const Contact = shape("Contact", {
  name: Type.String({ description: "The recipient, as written on the newest link" }),
  email: nullable(Type.String({ description: "The address on the newest link that has one" })),
  links: Type.Integer({ minimum: 1 }),
  activeLinks: Count,
  plays: heardBy(Count),
  lastSentAt: Timestamp,
  lastHeardAt,
  lastActivityAt: heardBy(nullable(Timestamp)),
});
export type Contact = Static<typeof Contact>;

const bound = (side: string) =>
  Type.Optional(
    Type.String({ maxLength: MAX_TIME, description: `${side} UTC day or ISO 8601 time, inclusive` }),
  );

export const ListenersQuery = Type.Object({
  ...pageFields,
  trackId: Type.Optional(
    Type.String({
      description: "Only links that lead to this track, by itself or in a playlist, and only its plays",
    }),
  ),
  playlistId: Type.Optional(Type.String({ description: "Only links to this playlist" })),
  recipient: Type.Optional(
    Type.String({
      maxLength: MAX_RECIPIENT,
      description: "Part of the recipient's name; case does not matter",
    }),
  ),
  since: bound("First"),
  until: bound("Last"),
});
export type ListenersQuery = Static<typeof ListenersQuery>;

const HeardTrack = shape("HeardTrack", {
  trackId: Type.String(),
  title: Type.String(),
  plays: heardBy(Count),
  downloads: Count,
  heardSec: Type.Integer({
    minimum: 0,
    description: "How much of it was heard, in seconds; twice counts once",
  }),
  durationSec: nullable(Seconds),
  stoppedAtSec,
  lastAt: nullable(Timestamp),
});

/** One link, whom it is for, and what was heard through it. */
export const Listener = shape("Listener", {
  recipient: nullable(Type.String({ description: "Whom the link is for; null for a public link" })),
  shareId: Type.String(),
  url: Share.properties.url,
  entity: Share.properties.entity,
  entityId: Share.properties.entityId,
  name: Share.properties.name,
  active: Share.properties.active,
  sentAt: described(Timestamp, "When the link was made"),
  visits: Type.Integer({ minimum: 0, description: "Visitors that opened it" }),
  plays: heardBy(Count),
  downloads: Count,
  comments: Count,
  lastHeardAt,
  lastActivityAt: heardBy(nullable(Timestamp)),
  tracks: heardBy(Type.Array(HeardTrack, { description: "What was heard or downloaded; at most 200" })),
});
export type Listener = Static<typeof Listener>;
