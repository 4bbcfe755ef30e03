import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";

export const NoteVisit = shape(
  "NoteVisit",
  {
    seen: Type.Optional(
      Type.Boolean({
        description: "True dismisses what has happened so far: only what happens later is news",
      }),
    ),
  },
  { description: "A visit to the console" },
);
export type NoteVisit = Static<typeof NoteVisit>;

const Count = Type.Integer({ minimum: 0 });

/** Payload of `GET /app/news`. */
export const News = shape("News", {
  since: nullable(Timestamp),
  plays: Count,
  downloads: Count,
  comments: Count,
  submissions: Count,
  people: Type.Array(
    Type.Object({
      name: Type.String(),
      shareIds: Type.Array(Type.String(), { description: "The links that they used" }),
      plays: Count,
    }),
    { description: "Who used their links, the most plays first; at most 3" },
  ),
  peopleCount: Count,
});
export type News = Static<typeof News>;
