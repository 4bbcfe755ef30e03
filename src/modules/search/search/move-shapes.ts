import { Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../http/envelope.ts";
import { MEASURE_NAMES, MORE } from "../../../kernel/measures.ts";

/** How a wish differs from the tracks that a search starts from. */
export const Move = shape("SearchMove", {
  dimension: Type.Union(MEASURE_NAMES.map((name) => Type.Literal(name))),
  way: Type.Union(
    (["more", "less", "same", "other"] as const).map((name) => Type.Literal(name)),
    {
      description: `\`more\`: ${MORE}`,
    },
  ),
  amount: Type.Union((["slight", "plain", "much"] as const).map((name) => Type.Literal(name))),
  by: Type.Optional(
    Type.Object(
      {
        unit: Type.Union((["bpm", "seconds", "factor"] as const).map((name) => Type.Literal(name))),
        value: Type.Number({ minimum: 0 }),
      },
      { description: "The number that the prose gives" },
    ),
  ),
  ruledOut: Type.Optional(Type.Boolean({ description: "True where the prose rules it out: `no slower`" })),
  from: nullable(
    Type.Number({ description: "The seeds' mean value; null where it is unknown, and for keys" }),
  ),
});
