import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../http/envelope.ts";
import { FACTS } from "../../../kernel/facts.ts";

/** What the prose says of a stored fact. */
export const StoredFact = shape(
  "SearchFact",
  {
    fact: Type.Union(FACTS.map(({ name }) => Type.Literal(name))),
    isNot: Type.Boolean({ description: "It is not so, or never happened" }),
    moreThan: Type.Optional(Type.Number({ description: "In the unit of the fact, this itself left out" })),
    atLeast: Type.Optional(Type.Number({ description: "In the unit of the fact: counts, LUFS, kHz, MB" })),
    atMost: Type.Optional(Type.Number({ description: "In the unit of the fact" })),
    lessThan: Type.Optional(Type.Number({ description: "In the unit of the fact, this itself left out" })),
    after: Type.Optional(Type.String({ description: "The first moment, a timestamp" })),
    before: Type.Optional(Type.String({ description: "The moment after the last one, a timestamp" })),
    who: Type.Optional(Type.String({ description: "The person, or the list, as the query calls it" })),
    either: Type.Optional(Type.Integer({ description: "Facts with the same number: one of them is enough" })),
    isKnown: Type.Optional(Type.Boolean({ description: "False where nobody is called so" })),
  },
  { description: "What the prose says of something stored beside the sound" },
);
export type StoredFact = Static<typeof StoredFact>;
