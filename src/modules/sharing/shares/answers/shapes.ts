import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../../http/envelope.ts";

/** What a recipient can say to a track. */
export const ANSWERS = ["interested", "pass", "instrumental", "terms"] as const;
export type Answer = (typeof ANSWERS)[number];

const AnswerSchema = Type.Union(
  ANSWERS.map((answer) => Type.Literal(answer)),
  { description: "What the recipient says to the track" },
);

const said = {
  trackId: Type.String({ description: "The track" }),
  answer: AnswerSchema,
  text: nullable(Type.String({ description: "What they wrote beside it" })),
  at: Timestamp,
  done: Type.Boolean({ description: "True once a member was done with it" }),
};

/** An answer, as a link shows it. */
export const LinkAnswer = shape("LinkAnswer", said);
export type LinkAnswer = Static<typeof LinkAnswer>;
