import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";

/** What changes are about. The ids of a topic are those of the things that its comment names. */
export const TOPICS = [
  "tracks",
  "versions", // by track
  "analysis", // by track
  "tags", // by track
  "playlists",
  "shares",
  "activity", // by the track or playlist that it happened to
  "comments", // by track
  "submissions", // by brief
  "notifications",
  "composers",
  "uploads", // files on their way to the library
  "team", // members and invitations
] as const;

/** The most streams of a person at once. One browser needs one, for all its tabs. */
export const MAX_STREAMS = 50;

const After = Type.Optional(
  Type.String({
    pattern: "^[0-9]{1,16}$",
    description: "The `seq` or event id heard last; left out: from now on",
  }),
);

export const EventsQuery = Type.Object({ after: After });
export const ChangesQuery = Type.Object({ after: After });

/** Changes of one topic, as an event carries them. */
export const Change = shape("Change", {
  topic: Type.Union(TOPICS.map((topic) => Type.Literal(topic))),
  ids: nullable(
    Type.Array(Type.String(), { description: "At most 100; null: too many, read the whole topic again" }),
  ),
});
export type Change = Static<typeof Change>;

export const Changes = shape("Changes", {
  seq: Type.String({ description: "Ask for what comes after this next time" }),
  changes: Type.Array(Change),
  lost: Type.Boolean({
    description: "Changes since `after` are no longer kept (only an hour is): read everything again",
  }),
});
export type Changes = Static<typeof Changes>;
