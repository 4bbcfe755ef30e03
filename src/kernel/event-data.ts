import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";

const of = <Fields extends TProperties>(means: string, fields: Fields): TObject<Fields> =>
  Type.Object(fields, { description: means });

const trackId = Type.String({ description: "The track" });
const name = Type.String({ description: "The track's file display name" });
const changed = Type.Array(Type.String(), { description: "The fields that changed" });
const composerId = Type.String({ description: "The composer" });
const shareholder = {
  trackId,
  shareholderId: composerId,
  share: Type.Number({ description: "Per cent" }),
  role: Type.String({ description: "What they did" }),
};
const publisher = {
  trackId,
  shareholderId: composerId,
  publisher: Type.String({ description: "The publisher" }),
};

/**
 * Every event with when it happens and what it carries: specification section 6 with decisions 6.1 and 6.8. Receivers
 * treat the set as open.
 */
export const EVENTS = {
  "track.audio_profile_completed": of("An analysis completed", {
    trackId,
    activeVersionId: Type.String({ description: "The version that was analysed" }),
    analysisStatus: Type.String({ description: "`completed`" }),
  }),
  "track.updated": of("A track's details, tags, cover, active version, visibility, set or link changed", {
    trackId,
    name,
    changed,
  }),
  "track.deleted": of("A track went into the bin", { trackId, name }),
  "track.restored": of("A track came back from the bin", { trackId, name }),
  "composer.created": of("A composer was created", { composerId, changed }),
  "composer.updated": of("A composer was updated", { composerId, changed }),
  "shareholder.linked_to_track": of("A composer was linked to a track", shareholder),
  "shareholder.track_updated": of("A composer's part in a track changed", shareholder),
  "shareholder.unlinked_from_track": of("A composer was removed from a track", shareholder),
  "publisher.linked_to_track": of("A composer's publisher was linked to a track", publisher),
  "publisher.track_updated": of("A publisher's part in a track changed", publisher),
  "publisher.unlinked_from_track": of("A publisher was removed from a track", publisher),
  "review.changed": of("Somebody approved a version, asked for changes to it, or took that back", {
    trackId,
    versionId: Type.String({ description: "The version" }),
    state: Type.Union([Type.Literal("approved"), Type.Literal("changes"), Type.Literal("none")], {
      description: "What is said of it now",
    }),
  }),
  "comment.added": of("Somebody wrote a note on a track, or a reply to one", {
    trackId,
    versionId: Type.String({ description: "The version that was heard" }),
    commentId: Type.String({ description: "The comment" }),
    parentId: Type.Union([Type.String(), Type.Null()], { description: "Of a reply: the note" }),
  }),
  "comment.answered": of("A note was marked answered", {
    trackId,
    versionId: Type.String({ description: "The version that answers it" }),
    commentId: Type.String({ description: "The note" }),
  }),
  "share.answered": of("The recipient of a link answered whether they want a track", {
    shareId: Type.String({ description: "The link" }),
    trackId,
    answer: Type.Union(
      [Type.Literal("interested"), Type.Literal("pass"), Type.Literal("instrumental"), Type.Literal("terms")],
      { description: "What they answered" },
    ),
  }),
  "webhook.test": of("A test was asked for; it goes to one key alone", {
    keyId: Type.String({ description: "The key" }),
  }),
} as const;

/** The data of each event. */
export type EventData = { [Type in keyof typeof EVENTS]: Static<(typeof EVENTS)[Type]> };
