import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../../http/envelope.ts";
import { pageFields } from "../../../../http/page-query.ts";

/** What a recipient can say to a track. */
export const ANSWERS = ["interested", "pass", "instrumental", "terms"] as const;
export type Answer = (typeof ANSWERS)[number];

/** Of what they write beside it, in characters. */
export const MAX_ANSWER_NOTE = 1000;

const said = {
  trackId: Type.String({ description: "The track" }),
  answer: Type.Union(
    ANSWERS.map((answer) => Type.Literal(answer)),
    { description: "What the recipient says to the track" },
  ),
  text: nullable(Type.String({ description: "What they wrote beside it" })),
  at: Timestamp,
  done: Type.Boolean({ description: "True once a member was done with it" }),
};

/** An answer, as a link shows it. */
export const LinkAnswer = shape("LinkAnswer", said);
export type LinkAnswer = Static<typeof LinkAnswer>;

/** An answer, as the inbox shows it. */
export const ShareAnswer = shape("ShareAnswer", {
  id: Type.String(),
  shareId: Type.String({ description: "The link through which it came" }),
  recipient: nullable(Type.String()),
  recipientEmail: nullable(Type.String({ description: "Where mails about the link go; null: not known" })),
  entity: Type.Union([Type.Literal("track"), Type.Literal("playlist")]),
  entityId: Type.String({ description: "The track or playlist of the link" }),
  playlistName: nullable(Type.String({ description: "Null for the link of a track" })),
  ...said,
  title: Type.String({ description: "The track's title, or the name of its file" }),
  artist: nullable(Type.String()),
  versionId: nullable(Type.String({ description: "The version that was on the page; null: it was deleted" })),
  versionLabel: nullable(Type.String({ description: "What that version is called" })),
  doneAt: nullable(described(Timestamp, "When a member was done with it; null: it is open")),
});
export type ShareAnswer = Static<typeof ShareAnswer>;

export const AnswersQuery = Type.Object({
  ...pageFields,
  done: Type.Optional(Type.Boolean({ description: "`false`: only open answers; `true`: only the others" })),
  shareId: Type.Optional(Type.String({ description: "Only those through this link" })),
  trackId: Type.Optional(Type.String({ description: "Only those about this track" })),
});
export type AnswersQuery = Static<typeof AnswersQuery>;

/** Returned beside the page. Counts all open answers of the library, whatever was asked for. */
export const OpenCount = Type.Integer({ minimum: 0, description: "Open answers of the whole library" });

export const AnswerParams = Type.Object({ id: Type.String() });

export const SettleAnswer = shape("SettleAnswer", {
  done: Type.Boolean({ description: "True: you are done with it; false: it is open again" }),
});
export type SettleAnswer = Static<typeof SettleAnswer>;
